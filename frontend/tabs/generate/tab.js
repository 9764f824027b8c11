// The tab Generate: a causal model continues the text, token by token.

import { next } from "../../generate/next.js";
import { writes } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { createGenerate } from "./generate.js";
import { samplingChoice } from "./sampling_choice.js";

/** @type {Tab} */
export const generateTab = {
  id: "generate",
  label: "Generate",
  fills: "half",
  isOffered: (state) => writes(onSide(state, "a")),
  choices: [samplingChoice],
  resources: [next],
  create: createGenerate,
};
