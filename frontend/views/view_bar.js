// The View bar: how maps are shown, for the grid and all panels. Its fields come from the table of controls.

import { HIDING } from "../export/caption.js";
import { hasWeighted } from "../heads/measures.js";
import { scaleWords } from "../maps/scales.js";
import { byId, element, setText } from "../page/dom.js";
import { CONTROLS, optionsOf } from "../state/controls.js";
import { onSide } from "../state/sides.js";
import { menu } from "./parts/menu.js";
import { segmented } from "./parts/segmented.js";
import { slider } from "./parts/slider.js";
import { switchBox } from "./parts/switch.js";
import { explain } from "./parts/term.js";

/** @typedef {{field: HTMLElement, mark: (value: any, disabled: string[] | boolean) => void}} Field `mark` shows its value */

export const NO_WEIGHTS = "Value-weighted maps are not available: HeadScope does not know the output projection of this model's family.";
/** The controls that are shown together, by the class of their group; the others are alone. @type {Record<string, (keyof Controls)[]>} */
const GROUPS = { "view-hide": ["hide", "renormalise"], "view-lines": ["mass", "layout"] };
const BAR = /** @type {(keyof Controls)[]} */ (Object.keys(CONTROLS)).filter((key) => "bar" in CONTROLS[key]);

/** @param {keyof Controls} key @param {Actions} actions @returns {Field} */
function fieldOf(key, actions) {
  const { label, bar } = /** @type {import("../state/controls.js").Control} */ (CONTROLS[key]);
  const id = `view-${key}`;
  const choose = (/** @type {unknown} */ value) => actions.setView({ [key]: value });
  if (bar === "switch") {
    const { field, box } = switchBox(id, label, choose);
    return { field, mark: (on, isDisabled) => void ([box.checked, box.disabled] = [on, Boolean(isDisabled)]) };
  }
  if (bar === "slider") return slider(id, label, (part) => `${part} % of each row`, choose);
  if (bar === "menu") {
    const { field, select, write } = menu(id, label, choose);
    if (key === "hide") explain(select, "sink");
    return {
      field,
      mark(value, isDisabled) {
        write([{ label: "", options: optionsOf(key) }], value);
        select.disabled = Boolean(isDisabled);
      },
    };
  }
  const { group, buttons, mark } = segmented(label, optionsOf(key), choose);
  const weighted = buttons.find((button) => key === "values" && button.dataset.choice === "weighted");
  if (weighted) explain(weighted, "weighted");
  return {
    field: element("div", { class: "tool" }, element("span", { "aria-hidden": "true" }, label), group),
    mark: (value, disabled) => mark(value, Array.isArray(disabled) ? disabled : []),
  };
}

/** @param {Actions} actions @returns {PageView} */
export function createViewBar(actions) {
  const summary = byId("view-summary", HTMLElement);
  const fields = /** @type {Record<keyof Controls, Field>} */ (Object.fromEntries(BAR.map((key) => [key, fieldOf(key, actions)])));
  for (const key of BAR) fields[key].field.title = /** @type {import("../state/controls.js").Control} */ (CONTROLS[key]).about ?? "";
  const placed = BAR.flatMap((key) => {
    const group = Object.entries(GROUPS).find(([, members]) => members.includes(key));
    if (!group) return [fields[key].field];
    const [name, members] = group;
    return members[0] === key ? [element("div", { class: name }, ...members.map((member) => fields[member].field))] : [];
  });
  byId("view-tools", HTMLElement).replaceChildren(...placed);

  return {
    reads: (state) => [...BAR.map((key) => state[key]), state.sinks, hasLines(state), hasWeighted(onSide(state, "a"))],
    render(state) {
      const unweighted = disabledValues(state);
      /** @type {Partial<Record<keyof Controls, string[] | boolean>>} */
      const disabled = { values: unweighted, range: state.scale === "rank", renormalise: state.hide === "none" };
      for (const key of BAR) fields[key].mark(state[key], disabled[key] ?? false);
      fields.values.field.title = unweighted.length > 0 ? NO_WEIGHTS : "";
      for (const key of GROUPS["view-lines"]) fields[key].field.hidden = !hasLines(state);
      setText(summary, viewWords(state));
      summary.title = viewWords(state);
    },
  };
}

/** Whether some pin shows its map as lines. @param {State} state */
function hasLines({ pins }) {
  return pins.some(({ mode }) => mode === "lines");
}

/** The values that the model on screen does not have. @param {State} state @returns {State["values"][]} */
export function disabledValues(state) {
  return hasWeighted(onSide(state, "a")) === false ? ["weighted", "both"] : [];
}

/** The choices that differ from the usual, in words, for when the bar is closed. @param {State} state */
export function viewWords(state) {
  const { values, scale, range, sinks, hide, renormalise, words } = state;
  const isUsualScale = scale === CONTROLS.scale.usual && range === CONTROLS.range.usual;
  return [
    isUsualScale ? "" : scaleWords(state, false),
    values === "raw" ? "" : values === "both" ? "raw and value-weighted" : "value-weighted",
    sinks === CONTROLS.sinks.usual ? "" : "sinks not dimmed",
    HIDING[hide] ? `${HIDING[hide]}${renormalise ? ", rows renormalised" : ""}` : "",
    words ? "pieces merged into words" : "",
  ].filter(Boolean).join(" · ");
}
