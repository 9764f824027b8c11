// The tab Pinned: the maps of pinned heads side by side.

import { exactMaps } from "../../maps/exact.js";
import { createPinned } from "./pinned.js";

/** @type {Tab} */
export const pinnedTab = {
  id: "pinned",
  label: ({ pins }) => (pins.length > 0 ? `Pinned (${pins.length})` : "Pinned"),
  fills: "half",
  draws: "always", // what is pinned elsewhere is here at once when the tab is opened
  resources: [exactMaps],
  create: createPinned,
};
