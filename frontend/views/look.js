// How maps are looked at: raw or value-weighted, scale, sinks, words, lines. One bar for the grid and all panels.

import { hasWeighted } from "../heads/measures.js";
import { scaleWords } from "../maps/scales.js";
import { byId, element, setText } from "../page/dom.js";
import { HIDING } from "../export/caption.js";
import { menu } from "./parts/menu.js";

const OF_INTEREST = ["values", "scale", "range", "hide", "renormalise", "words", "mass", "layout", "pins", "analysis"];
const [WIDE, TALL] = [700, 880]; // CSS pixels of a window in which the bar stands open at first

/** @type {{values: View["values"], label: string}[]} */
const VALUES = [
  { values: "raw", label: "Raw" },
  { values: "weighted", label: "Value-weighted" },
  { values: "both", label: "Both" },
];
/** @type {{layout: View["layout"], label: string}[]} */
const LAYOUTS = [
  { layout: "vertical", label: "Columns" },
  { layout: "horizontal", label: "Rows" },
];
const SCALES = [
  { value: "linear", text: "Linear" },
  { value: "sqrt", text: "Square root" },
  { value: "log", text: "Log" },
  { value: "rank", text: "Rank" },
];
const RANGES = [
  { value: "fixed", text: "0 to 1" },
  { value: "head", text: "Each map's own" },
];
const HIDDEN = [
  { value: "none", text: "Nothing" },
  { value: "special", text: "Special tokens" },
  { value: "first", text: "First token" },
  { value: "both", text: "Special and first" },
];

/** @param {Actions} actions */
export function createLook(actions) {
  const root = byId("look", HTMLDetailsElement);
  const words = byId("look-words", HTMLElement);
  const choose = (/** @type {keyof View} */ key) => (/** @type {string} */ value) => actions.look({ [key]: value });
  const scale = menu("look-scale", "Scale", choose("scale"));
  const range = menu("look-range", "Range", choose("range"));
  const hide = menu("look-hide", "Hide", choose("hide"));
  scale.write([{ label: "", options: SCALES }], "sqrt");
  range.write([{ label: "", options: RANGES }], "fixed");
  hide.write([{ label: "", options: HIDDEN }], "none");
  const values = segmented("Values", VALUES.map(({ values: to, label }) => ({ label, name: to, choose: () => actions.look({ values: to }) })));
  const layout = segmented("Lines run", LAYOUTS.map(({ layout: to, label }) => ({ label, name: to, choose: () => actions.look({ layout: to }) })));
  const renormalise = toggle("look-renormalise", "renormalise", (on) => actions.look({ renormalise: on }));
  const merge = toggle("look-words-merged", "Words", (on) => actions.look({ words: on }));
  merge.field.title = "Pieces of a word as one: summed over keys, averaged over queries.";
  const mass = element("input", { type: "range", id: "look-mass", min: 0, max: 100, step: 1 });
  const massSaid = element("output", { for: "look-mass" });
  mass.addEventListener("input", () => actions.look({ mass: Number(mass.value) }));
  const lines = element("label", { class: "tool mass", for: "look-mass" }, element("span", {}, "Lines show ", massSaid), mass);
  byId("look-tools", HTMLElement).replaceChildren(
    values.field,
    scale.field,
    range.field,
    element("div", { class: "look-hide" }, hide.field, renormalise.field),
    merge.field,
    element("div", { class: "look-lines" }, lines, layout.field),
  );
  root.open = window.innerWidth >= WIDE && window.innerHeight >= TALL;

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      const disabled = disabledValues(state);
      values.mark(state.values, disabled);
      values.field.title = disabled.length > 0 ? "For this model's family HeadScope does not know the output projection." : "";
      scale.select.value = state.scale;
      range.select.value = state.range;
      range.select.disabled = state.scale === "rank";
      hide.select.value = state.hide;
      renormalise.box.checked = state.renormalise;
      renormalise.box.disabled = state.hide === "none";
      merge.box.checked = state.words;
      const hasLines = state.pins.some(({ mode }) => mode === "lines");
      lines.hidden = !hasLines;
      layout.field.hidden = !hasLines;
      mass.value = String(state.mass);
      setText(massSaid, `${state.mass} % of each row`);
      layout.mark(state.layout, []);
      setText(words, lookWords(state));
    },
  };
}

/**
 * The values that the model on screen does not have.
 * @param {Pick<State, "analysis">} state
 * @returns {View["values"][]}
 */
export function disabledValues(state) {
  return hasWeighted(state) === false ? ["weighted", "both"] : [];
}

/**
 * The choices that differ from the usual, in words, for when the bar is closed.
 * @param {State} state
 */
export function lookWords(state) {
  const { values, scale, range, hide, renormalise, words } = state;
  return [
    scale === "sqrt" && range === "fixed" ? "" : scaleWords(state, false),
    values === "raw" ? "" : values === "both" ? "raw and value-weighted" : "value-weighted",
    HIDING[hide] ? `${HIDING[hide]}${renormalise ? ", rows renormalised" : ""}` : "",
    words ? "pieces merged to words" : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * A row of buttons of which one is pressed.
 * @param {string} label
 * @param {{label: string, name: string, choose: () => void}[]} choices
 */
function segmented(label, choices) {
  const buttons = choices.map((choice) =>
    element("button", { type: "button", "data-choice": choice.name, onclick: choice.choose }, choice.label),
  );
  const group = element("div", { class: "segmented", role: "group", "aria-label": label }, ...buttons);
  return {
    field: element("div", { class: "tool" }, element("span", { "aria-hidden": "true" }, label), group),
    mark(/** @type {string} */ chosen, /** @type {string[]} */ disabled) {
      for (const button of buttons) {
        button.setAttribute("aria-pressed", String(button.dataset.choice === chosen));
        button.disabled = disabled.includes(button.dataset.choice ?? "");
      }
    },
  };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {(on: boolean) => void} choose
 */
function toggle(id, label, choose) {
  const box = element("input", { type: "checkbox", id });
  box.addEventListener("change", () => choose(box.checked));
  return { box, field: element("label", { class: "switch", for: id }, box, label) };
}
