// The pinned heads side by side, with the controls that act on all of them.

import { byId, element, setText } from "../../page/dom.js";
import { whatKey } from "../../state/pins.js";
import { hasPair, isOldPin } from "../../state/selectors.js";
import { Panel } from "./panel.js";

const OF_INTEREST = [
  ...["pins", "other", "against", "comparison", "values", "scale", "range", "hide", "renormalise", "words", "mass", "layout"],
  "analysis",
  "run",
  "hover",
  "lock",
  "exact",
  "refused",
  "filter",
  "config",
  "text",
  "text_pair",
  "model",
  "atlas",
  "build",
  "models",
  "measured",
  "metrics_catalogue",
  "notes",
  "tab",
];

const NOT_RENORMALISED = "Values are not renormalised.";
const HIDDEN_ALONE = "Rows are renormalised for hidden tokens, not for the links left out.";
/** CSS pixels of a window in which an open card leaves no room for a map. */
const NARROW = 640;
const GAP = 16; // CSS pixels between panels, as in maps.css

/** @param {Actions} actions */
export function createPanels(actions) {
  const list = byId("panels", HTMLElement);
  const empty = byId("panels-empty", HTMLElement);
  const tools = byId("panels-tools", HTMLElement);
  const filters = byId("filters", HTMLElement);
  const filterNote = byId("filter-note", HTMLElement);
  /** @type {Map<string, Panel>} */
  const panels = new Map();

  byId("all-heatmaps", HTMLButtonElement).addEventListener("click", () => actions.setMode("heatmap"));
  byId("all-lines", HTMLButtonElement).addEventListener("click", () => actions.setMode("lines"));
  byId("unpin-all", HTMLButtonElement).addEventListener("click", () => actions.unpinAll());

  // How many rows of one pixel a panel takes where panels of different height stand in columns; see head_card.css.
  const heights = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const tall = Math.ceil(borderBoxSize[0].blockSize) + GAP;
      /** @type {HTMLElement} */ (target).style.setProperty("--tall", String(tall));
    }
  });

  /** @param {State} state */
  function renderFilters(state) {
    const isPair = hasPair(state) && state.config !== null;
    filters.hidden = !isPair;
    filterNote.hidden = !isPair || state.filter === "all";
    if (!isPair || state.config === null) return;
    const isRenormalised = state.hide !== "none" && state.renormalise;
    setText(filterNote, `Only links between these sentences are shown. ${isRenormalised ? HIDDEN_ALONE : NOT_RENORMALISED}`);
    const known = state.config.filters;
    if (filters.childElementCount !== known.length) {
      filters.replaceChildren(
        ...known.map((filter) =>
          element(
            "button",
            { type: "button", class: "chip", "data-filter": filter.id, onclick: () => actions.chooseFilter(filter.id) },
            filter.label,
          ),
        ),
      );
    }
    for (const button of filters.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.filter === state.filter));
    }
  }

  /** @param {State} state */
  function reconcile(state) {
    const names = state.pins.map(whatKey);
    const focused = document.activeElement;
    const isRoomy = names.length === 1 && window.innerWidth > NARROW;
    for (const [name, panel] of panels) {
      if (names.includes(name)) continue;
      panel.root.remove();
      heights.unobserve(panel.root);
      panels.delete(name);
    }
    state.pins.forEach((pin, at) => {
      const panel = panels.get(names[at]) ?? new Panel(pin, actions, isRoomy);
      if (!panels.has(names[at])) heights.observe(panel.root);
      panels.set(names[at], panel);
      if (list.children[at] !== panel.root) list.insertBefore(panel.root, list.children[at] ?? null);
    });
    // A panel that was moved has lost the focus.
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
    list.dataset.count = String(names.length);
    const isEmpty = names.length === 0;
    empty.hidden = !isEmpty || state.analysis === null;
    tools.hidden = isEmpty;
    setText(byId("panels-count", HTMLElement), names.length === 1 ? "1 map pinned" : `${names.length} maps pinned`);
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     * @param {Theme} theme
     */
    render(state, changed, theme) {
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      if (changed.has("pins") || changed.has("analysis")) reconcile(state);
      renderFilters(state);
      const shown = state.pins.map((pin) => /** @type {Panel} */ (panels.get(whatKey(pin))));
      shown.forEach((panel, at) => {
        panel.root.classList.toggle("stale", isOldPin(state, state.pins[at]));
        panel.arrange(state, state.pins[at]);
      });
      // All widths are read before anything is drawn: reading between drawings would lay the page out each time.
      const rooms = shown.map((panel, at) => panel.rooms(state, state.pins[at]));
      shown.forEach((panel, at) =>
        panel.render(state, state.pins[at], { number: at + 1, of: shown.length, rooms: rooms[at] }, theme),
      );
      shown.forEach((panel, at) => panel.write(state, state.pins[at], rooms[at]));
    },
  };
}
