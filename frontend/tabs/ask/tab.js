// The tab Ask: all heads ranked by a link between tokens.

import { askActions } from "./actions.js";
import { createAsk, nextStep } from "./ask.js";
import { askChoice } from "./choice.js";
import { edges } from "./edges.js";

/** @type {Tab} */
export const askTab = {
  id: "ask",
  label: "Ask",
  fills: "half",
  choices: [askChoice],
  resources: [edges],
  tokens: { choose: (store, token) => askActions(store).chooseToken(token), marked: askChoice.of, hint: nextStep },
  create: createAsk,
};
