// The tabs of the page, in their order; the first is the usual one.

import { anatomyTab } from "./anatomy/tab.js";
import { compareTab } from "./compare/tab.js";
import { corpusTab } from "./corpus/tab.js";
import { generateTab } from "./generate/tab.js";
import { headsTab } from "./heads/tab.js";
import { pinnedTab } from "./pinned/tab.js";
import { trainingTab } from "./training/tab.js";

/** @type {Tab[]} */
export const TABS = [pinnedTab, compareTab, headsTab, corpusTab, generateTab, anatomyTab, trainingTab];
