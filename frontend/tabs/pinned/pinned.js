// The tab of pinned maps: the tools that act on all of them, making maps out of maps, and the row of panels.

import { element, setText } from "../../page/dom.js";
import { hasPair } from "../../state/selectors.js";
import { analysisOf, onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { createCombine } from "./combine.js";
import { createPanels } from "./panels.js";

const NOT_RENORMALISED = "Values are not renormalised.";
const HIDDEN_ALONE = "Rows are renormalised for hidden tokens, not for the links left out.";
const ABOUT_PINS =
  "Pinned heads stand here side by side, as heatmaps or as lines. Point at a token in one of them and all of them show what they do with it.";
/** @type {[string[], string][]} */
const KEYS = [
  [["←", "↑", "↓", "→"], "move"],
  [["Enter"], "pin"],
  [["Esc"], "release"],
];

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createPinned(store, root) {
  const { actions } = store;
  const tool = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", id, class: "plain", onclick }, text);
  const count = element("span", { id: "panels-count", class: "quiet" });
  const tools = element(
    "div",
    { id: "panels-tools", class: "panels-tools", hidden: true },
    count,
    element("span", { class: "spring" }),
    tool("all-heatmaps", "All heatmaps", () => actions.setMode("heatmap")),
    tool("all-lines", "All lines", () => actions.setMode("lines")),
    tool("unpin-all", "Unpin all", () => actions.unpinAll()),
  );
  const filterChip = (/** @type {Filter} */ { id, label }) =>
    element("button", { type: "button", class: "chip", "data-filter": id, onclick: () => actions.setView({ filter: id }) }, label);
  const filters = element("div", { id: "filters", class: "chips", role: "group", "aria-label": "Which links to show", hidden: true });
  const filterNote = element("p", { id: "filter-note", class: "hint", hidden: true });
  const combine = element("div", { id: "combine", class: "combine" });
  const list = element("div", { id: "panels", class: "panels" });
  const empty = element(
    "div",
    { id: "panels-empty", class: "empty", hidden: true },
    element("p", { class: "empty-title" }, "Click a map to pin a head"),
    element("p", {}, ABOUT_PINS),
    element("p", { class: "keys" }, ...KEYS.flatMap(([keys, does]) => [keysThat(keys, does), " "])),
  );
  root.classList.add("pinned");
  root.append(element("div", { class: "side-tools" }, tools, filters, filterNote), combine, list, empty);

  const counted = pageView((state) => [state.pins.length, analysisOf(state, "a") !== null], (n, isAnswered) => {
    empty.hidden = n > 0 || !isAnswered;
    tools.hidden = n === 0;
    setText(count, n === 1 ? "1 map pinned" : `${n} maps pinned`);
  });
  /** @type {PageView} */
  const filtered = {
    reads: (state) => [hasPair(onSide(state, "a")), state.config, state.filter, state.hide, state.renormalise],
    render(state) {
      const known = (hasPair(onSide(state, "a")) && state.config?.filters) || [];
      filters.hidden = known.length === 0;
      filterNote.hidden = known.length === 0 || state.filter === "all";
      const isRenormalised = state.hide !== "none" && state.renormalise;
      setText(filterNote, `Only links between these sentences are shown. ${isRenormalised ? HIDDEN_ALONE : NOT_RENORMALISED}`);
      if (filters.childElementCount !== known.length) filters.replaceChildren(...known.map(filterChip));
      for (const button of filters.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(button.dataset.filter === state.filter));
      }
    },
  };
  return [counted, filtered, ...createPanels(actions, list), createCombine(store, combine)];
}

/** @param {string[]} keys @param {string} does */
function keysThat(keys, does) {
  return element("span", {}, ...keys.flatMap((key) => [element("kbd", {}, key), " "]), does);
}
