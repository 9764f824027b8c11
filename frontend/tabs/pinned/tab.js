// The tab Focus: the head that is pointed at, and the pinned heads side by side.

import { exactMaps } from "../../maps/exact.js";
import { edges, otherEdges } from "../../maps/edges.js";
import { createPinned } from "./pinned.js";

/** @type {Tab} */
export const pinnedTab = {
  id: "pinned",
  label: ({ pins }) => (pins.length > 0 ? `Focus (${pins.length})` : "Focus"),
  fills: "half",
  draws: "always", // what is pinned elsewhere is here at once when the tab is opened
  resources: [exactMaps, edges, otherEdges],
  create: createPinned,
};
