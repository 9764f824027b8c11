// The tab Corpus: the user's own texts, every metric of every head averaged over them.

import { corpusMeans } from "../../corpus/question.js";
import { createCorpus } from "./corpus.js";

/** @type {Tab} */
export const corpusTab = { id: "corpus", label: "Corpus", fills: "half", resources: [corpusMeans], create: createCorpus };
