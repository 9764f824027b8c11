// How answers are shown: one entry a control, from which the view, links, menus and keyboard shortcuts follow.

import { choice } from "./choice.js";
import { SCALES } from "./scales.js";

/**
 * @typedef {object} Control
 * @property {string} [link] its name in a link; without it the key
 * @property {string} label
 * @property {string | number | boolean} usual
 * @property {Record<string, string | {label: string}>} [options] what can be chosen, with labels; without them a switch, a
 *   percentage or a name that the server gives
 * @property {string} [about] what it is for, as a tooltip
 * @property {"buttons" | "menu" | "switch" | "slider"} [bar] how the View bar shows it; without it, it is chosen elsewhere
 * @property {string} [shortcut] the key that chooses the next option
 * @property {string} [does] what that key does
 */

export const CONTROLS = /** @satisfies {Record<string, Control>} */ (
  /** @type {const} */ ({
    filter: { label: "Which links to show", usual: "all" },
    color_by: { link: "color", label: "Colour by", usual: "map" },
    show: { label: "Show", usual: "all" },
    grid_side: { link: "grid", label: "Whose heads", usual: "a", options: { a: "A", b: "B", difference: "A − B" } },
    sort: { label: "Order", usual: "model", options: { model: "Model order", value: "Strongest first" } },
    values: {
      label: "Values",
      usual: "raw",
      options: { raw: "Raw", weighted: "Value-weighted", both: "Both" },
      bar: "buttons",
      shortcut: "V",
      does: "Raw, value-weighted, both",
    },
    scale: {
      label: "Scale",
      usual: "sqrt",
      about: "How weights become colours. Square root makes weak attention visible, log weaker still; rank keeps the order alone.",
      options: SCALES,
      bar: "menu",
      shortcut: "S",
      does: "Next scale",
    },
    range: {
      label: "Range",
      usual: "fixed",
      about: "Whether a colour means the same weight in all maps, or ends at the largest weight of each map.",
      options: { fixed: "Same for all maps", head: "Each map's own" },
      bar: "menu",
    },
    sinks: { label: "Dim sinks", usual: "dim", options: { dim: "Dimmed", show: "As strong as others" } },
    hide: {
      label: "Hide",
      usual: "none",
      options: { none: "Nothing", special: "Special tokens", first: "First token", both: "Special and first" },
      bar: "menu",
      shortcut: "X",
      does: "Hide special tokens, the first token, both or none, in turn",
    },
    renormalise: { label: "Renormalise", usual: false, about: "Scale what is left of each row to add up to 1. Works once something is hidden.", bar: "switch" },
    words: {
      label: "Words",
      usual: false,
      about: "Merge the pieces of each word: weights are summed over keys and averaged over queries.",
      bar: "switch",
      shortcut: "W",
      does: "Merge pieces into words",
    },
    mass: { label: "Lines show", usual: 50, about: "How much of each row's weight the lines add up to, strongest first.", bar: "slider" },
    layout: { label: "Lines run", usual: "vertical", options: { vertical: "Columns", horizontal: "Rows" }, bar: "buttons" },
  })
);

/** What a menu or a row of buttons offers. @param {keyof Controls} key @returns {{value: string, text: string}[]} */
export function optionsOf(key) {
  const { options = {} } = /** @type {Control} */ (CONTROLS[key]);
  return Object.entries(options).map(([value, name]) => ({ value, text: typeof name === "string" ? name : name.label }));
}

/** The next value of a control, after the last one the first. @param {keyof Controls} key @param {unknown} value @returns {unknown} */
export function nextValue(key, value) {
  if (typeof value === "boolean") return !value;
  const values = optionsOf(key).map((option) => option.value);
  return values[(values.indexOf(String(value)) + 1) % values.length];
}

/** @param {string} key @param {Control} control */
function controlChoice(key, { link, usual, options }) {
  const read = (/** @type {string} */ word) => {
    if (typeof usual === "boolean") return word === "true" ? true : word === "false" ? false : null;
    if (typeof usual === "number") return /^(\d{1,2}|100)$/.test(word) ? Number(word) : null;
    return word !== "" && (!options || Object.hasOwn(options, word)) ? word : null;
  };
  return choice(key, { link, usual, write: String, read, undo: typeof usual === "number" ? "slide" : "step" });
}

/** The controls as parts of the view. */
export const CONTROL_CHOICES = Object.entries(CONTROLS).map(([key, control]) => controlChoice(key, control));
