// What the keyboard does: one list that the page obeys and the help shows.

import { CONTROLS, nextValue } from "../state/controls.js";

/**
 * @typedef {object} Shortcut
 * @property {string} keys as they are written for people; "Ctrl" is also the command key
 * @property {string} does
 * @property {((page: Page, key: string) => void) | null} act null: it is done where it happens, in a grid or a map
 */
/**
 * @typedef {object} Page what shortcuts reach
 * @property {() => State} state
 * @property {Actions} actions
 * @property {(id: string) => void} focus
 * @property {(id: string) => void} press
 * @property {(at: number) => void} openTab the tab at this place among those offered, from 0
 * @property {() => void} undo
 * @property {() => void} redo
 */
/** @typedef {{title: string, shortcuts: Shortcut[]}} Group */

/** The controls that a key goes through. @returns {Shortcut[]} */
function controlShortcuts() {
  return /** @type {(keyof Controls)[]} */ (Object.keys(CONTROLS)).flatMap((key) => {
    const { shortcut, does = "" } = /** @type {import("../state/controls.js").Control} */ (CONTROLS[key]);
    if (shortcut === undefined) return [];
    return [{ keys: shortcut, does, act: ({ state, actions }) => actions.setView({ [key]: nextValue(key, state()[key]) }) }];
  });
}

/** The digits, one for each tab. */
const DIGITS = "1 … 9";

/** @type {Group[]} */
export const SHORTCUTS = [
  {
    title: "Anywhere",
    shortcuts: [
      { keys: "?", does: "Show this list", act: ({ press }) => press("keys-open") },
      { keys: "/", does: "Go to the sentence", act: ({ focus }) => focus("text") },
      { keys: "G", does: "Go to the grid of heads", act: ({ focus }) => focus("grid") },
      { keys: DIGITS, does: "Open a tab, in their order", act: ({ openTab }, key) => openTab(Number(key) - 1) },
      { keys: "Shift+Enter", does: "A new line in the sentence box, where Enter alone runs it", act: null },
      { keys: "Ctrl+Z", does: "Undo", act: ({ undo }) => undo() },
      { keys: "Ctrl+Shift+Z", does: "Redo", act: ({ redo }) => redo() },
      { keys: "Escape", does: "Release the chosen tokens, then the head", act: null },
    ],
  },
  {
    title: "On a grid or a map",
    shortcuts: [
      { keys: "← ↑ ↓ →", does: "Move over heads or tokens", act: null },
      { keys: "Enter", does: "Pin the head or the number, choose the token", act: null },
      { keys: "Shift+click", does: "Add a token to those chosen", act: null },
    ],
  },
  {
    title: "Pinned maps",
    shortcuts: [
      { keys: "H", does: "All as heatmaps", act: ({ actions }) => actions.setMode("heatmap") },
      { keys: "L", does: "All as lines", act: ({ actions }) => actions.setMode("lines") },
      { keys: "T", does: "All as tables", act: ({ actions }) => actions.setMode("table") },
    ],
  },
  {
    title: "Anatomy",
    shortcuts: [{ keys: "← →", does: "The step before or after", act: null }],
  },
  { title: "How maps are shown", shortcuts: controlShortcuts() },
  {
    title: "Export and share",
    shortcuts: [
      { keys: "E", does: "Export the view", act: ({ press }) => press("export-open") },
      { keys: "C", does: "Copy a link to the view", act: ({ press }) => press("copy-link") },
      { keys: "Y", does: "History", act: ({ press }) => press("history-open") },
    ],
  },
];

/**
 * The shortcut that was pressed.
 * @param {Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">} pressed
 * @param {boolean} single whether keys without Ctrl count: people who speak to their computer may not want them
 * @returns {Shortcut | null}
 */
export function shortcutOf({ key, ctrlKey, metaKey, shiftKey, altKey }, single) {
  const isCommand = ctrlKey || metaKey;
  if (altKey || (!isCommand && !single)) return null;
  const name = isCommand ? `Ctrl+${shiftKey ? "Shift+" : ""}${key.toUpperCase()}` : key.toUpperCase();
  // Windows has a second way to redo.
  const wanted = name === "Ctrl+Y" ? "Ctrl+Shift+Z" : /^[1-9]$/.test(name) ? DIGITS : name;
  const all = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts);
  return all.find(({ keys, act }) => act !== null && keys === wanted) ?? null;
}
