// One panel of the row: its title and tools, its map or both of its maps, and what is known of the head.

import { MOST_SQUEEZED } from "../../drawing/heatmap.js";
import { shownValues } from "../../maps/exact.js";
import { element, setText } from "../../page/dom.js";
import { partsOf, whatName } from "../../state/pins.js";
import { isOldPin } from "../../state/selectors.js";
import { analysisOf, atPlace } from "../../state/sides.js";
import { HeadCard } from "../../views/head_card/head_card.js";
import { MapView } from "./map_view.js";

/** @type {[Mode, string][]} */
const MODES = [
  ["heatmap", "Heatmap"],
  ["lines", "Lines"],
  ["table", "Table"],
];
/** What is shown of maps that are made of several. @type {Partial<Record<Pin["kind"], string>>} */
const ABOUT = {
  rollout: "Rollout multiplies the layers' mean maps, half of each position kept in place: a heuristic, not a measurement (Abnar and Zuidema, 2020).",
  difference: "The first map minus the second: orange where the first gives more, blue where the second does.",
  agreement: "The smaller of both weights: what both maps have in common.",
};

export class Panel {
  #pin;
  /** Of them those that are shown. @type {MapView[]} */
  #shown = [];

  /** @param {Pin} pin @param {Actions} actions @param {boolean} isOpen whether what is known of the head stands open */
  constructor(pin, actions, isOpen) {
    const name = whatName(pin);
    this.#pin = pin;
    this.number = element("span", { class: "pin-number", "aria-hidden": "true" });
    this.modes = MODES.map(([mode, label]) =>
      element("button", { type: "button", "data-mode": mode, onclick: () => actions.setMode(mode, pin) }, label),
    );
    const icon = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
      element("button", { type: "button", class: "icon", "aria-label": `${label} ${name}`, title: label, onclick }, sign);
    this.left = icon("‹", "Move left:", () => actions.movePin(pin, -1));
    this.right = icon("›", "Move right:", () => actions.movePin(pin, 1));
    const detail = pin.kind === "head" ? [icon("q·k", "q·k: query-key detail of", () => actions.openDetail(placeOf(pin)))] : [];
    this.maps = [new MapView("raw", actions), new MapView("weighted", actions)];
    this.card = pin.kind === "head" ? new HeadCard(placeOf(pin), actions, isOpen) : null;
    const about = ABOUT[pin.kind];
    const head = pin.kind === "head" ? { "data-side": pin.side, "data-stack": pin.stack, "data-layer": pin.layer, "data-head": pin.head } : {};
    this.root = element(
      "article",
      { class: "panel", "data-kind": pin.kind, ...head, "aria-label": `Head ${name}` },
      element(
        "header",
        { class: "panel-head" },
        this.number,
        element("h3", {}, name),
        element("div", { class: "segmented", role: "group", "aria-label": `View of ${name}` }, ...this.modes),
        element("div", { class: "panel-icons" }, ...detail, this.left, this.right, icon("×", "Unpin", () => actions.unpin(pin))),
      ),
      ...(about ? [element("p", { class: "hint" }, about)] : []),
      element("div", { class: "panel-maps" }, ...this.maps.map((map) => map.root)),
      ...(this.card ? [this.card.root] : []),
    );
  }

  /**
   * What stands in it, and where in the row.
   * @param {State} state
   * @param {Pin} pin what it shows, as it is to be drawn now
   * @param {number} number of the panel, from 1
   */
  arrange(state, pin, number) {
    this.#pin = pin;
    setText(this.number, String(number));
    for (const button of this.modes) button.setAttribute("aria-pressed", String(button.dataset.mode === pin.mode));
    const of = state.pins.length;
    const isMoved = [this.left, this.right].some((button) => button === document.activeElement);
    this.left.disabled = number === 1;
    this.right.disabled = number === of;
    // A button that is of no use any more cannot keep the focus.
    if (isMoved && of > 1) (this.left.disabled ? this.right : this.right.disabled ? this.left : null)?.focus();
    const values = shownValues(state, pin);
    this.#shown = this.maps.filter((map) => values.includes(map.values));
    for (const map of this.maps) map.arrange(this.#shown.includes(map), this.#shown.length === 1);
    const tokens = partsOf(pin).map(({ side }) => analysisOf(state, side)?.tokens.length ?? 0);
    this.root.dataset.mode = pin.mode;
    this.root.dataset.maps = String(values.length);
    this.root.toggleAttribute("data-long", pin.mode === "heatmap" && Math.max(...tokens) > MOST_SQUEEZED);
    this.root.classList.toggle("stale", isOldPin(state, pin));
  }

  /** @returns {boolean} whether a map has another room than before */
  measure() {
    return this.#shown.map((map) => map.measure()).includes(true);
  }

  /** @param {State} state @param {Theme} theme */
  prepare(state, theme) {
    for (const map of this.#shown) map.prepare(state, this.#pin, theme);
    this.root.dataset.exact = String(this.#shown.every((map) => map.root.dataset.exact === "true"));
  }

  /** @param {State} state draw the maps with their focus */
  draw(state) {
    for (const map of this.#shown) map.draw(state);
  }

  /** What is to be said of the maps, when those of all panels are drawn. */
  write() {
    for (const map of this.#shown) map.write();
  }

  /** @param {State} state write what is known of the head */
  writeCard(state) {
    this.card?.render(atPlace(state, this.card.cell));
  }
}

/** @param {OneHead} pin */
function placeOf({ side, stack, layer, head }) {
  return { side, stack, layer, head };
}
