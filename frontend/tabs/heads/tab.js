// The tab Heads: all heads of the model as a chart and as a table.

import { figure } from "./chart_choice.js";
import { chartChoice, tableChoice } from "./choices.js";
import { createHeads } from "./heads.js";

/** @type {Tab} */
export const headsTab = {
  id: "heads",
  label: "Heads",
  fills: "half",
  choices: [chartChoice, tableChoice],
  resources: [figure],
  create: createHeads,
};
