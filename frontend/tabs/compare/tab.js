// The tab Compare: what changed between side A and side B, head by head.

import { comparison } from "../../compare/comparison.js";
import { createCompare } from "./compare.js";

/** @type {Tab} */
export const compareTab = {
  id: "compare",
  label: "Compare",
  fills: "half",
  isOffered: ({ sides }) => sides.b !== null,
  resources: [comparison],
  create: createCompare,
};
