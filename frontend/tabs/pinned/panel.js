// One panel of the row: its title and tools, its map or both of its maps, and what is known of the head.

import { element, setText } from "../../page/dom.js";
import { shownValues } from "../../requests/exact.js";
import { partsOf, whatName } from "../../state/pins.js";
import { analysisOf, seenFrom } from "../../state/side.js";
import { HeadCard } from "../../views/head_card/head_card.js";
import { MOST_SQUEEZED } from "../../drawing/heatmap.js";
import { MapView } from "./map_view.js";

/** @typedef {import("../../state/pins.js").Mode} Mode */

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
  /** @type {Record<"raw" | "weighted", MapView>} */
  #maps;

  /**
   * @param {Pin} pin
   * @param {Actions} actions
   * @param {boolean} isOpen whether what is known of the head stands open
   */
  constructor(pin, actions, isOpen) {
    const name = whatName(pin);
    this.number = element("span", { class: "pin-number", "aria-hidden": "true" });
    this.modes = MODES.map(([mode, label]) =>
      element("button", { type: "button", "data-mode": mode, onclick: () => actions.setMode(mode, pin) }, label),
    );
    const icon = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
      element("button", { type: "button", class: "icon", "aria-label": `${label} ${name}`, title: label, onclick }, sign);
    this.left = icon("‹", "Move left:", () => actions.movePin(pin, -1));
    this.right = icon("›", "Move right:", () => actions.movePin(pin, 1));
    const detail = pin.kind === "head" ? [icon("q·k", "q·k: query-key detail of", () => actions.openDetail(placeOf(pin)))] : [];
    this.#maps = { raw: new MapView("raw", actions), weighted: new MapView("weighted", actions) };
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
      element("div", { class: "panel-maps" }, this.#maps.raw.root, this.#maps.weighted.root),
      ...(this.card ? [this.card.root] : []),
    );
  }

  /** @param {State} state @param {Pin} pin which maps stand in it, before their rooms are measured */
  arrange(state, pin) {
    const shown = shownValues(state, pin);
    this.root.dataset.maps = String(shown.length);
    const tokens = partsOf(pin).map(({ side }) => analysisOf(state, side)?.tokens.length ?? 0);
    this.root.toggleAttribute("data-long", pin.mode === "heatmap" && Math.max(...tokens) > MOST_SQUEEZED);
    for (const values of /** @type {const} */ (["raw", "weighted"])) this.#maps[values].root.hidden = !shown.includes(values);
  }

  /** @param {State} state @param {Pin} pin how wide its maps may be, in CSS pixels */
  rooms(state, pin) {
    return shownValues(state, pin).map((values) => this.#maps[values].room());
  }

  /**
   * @param {State} state
   * @param {Pin} pin
   * @param {{number: number, of: number, rooms: number[]}} place its number among the panels, from 1, and its maps' rooms
   * @param {Theme} theme
   */
  render(state, pin, { number, of, rooms }, theme) {
    setText(this.number, String(number));
    for (const button of this.modes) button.setAttribute("aria-pressed", String(button.dataset.mode === pin.mode));
    const isMoved = [this.left, this.right].some((button) => button === document.activeElement);
    this.left.disabled = number === 1;
    this.right.disabled = number === of;
    // A button that is of no use any more cannot keep the focus.
    if (isMoved && of > 1) (this.left.disabled ? this.right : this.right.disabled ? this.left : null)?.focus();
    this.root.dataset.mode = pin.mode;
    const shown = shownValues(state, pin);
    shown.forEach((values, at) => this.#maps[values].render(state, pin, { width: rooms[at], alone: shown.length === 1 }, theme));
    this.root.dataset.exact = String(shown.every((values) => this.#maps[values].root.dataset.exact === "true"));
  }

  /** @param {State} state @param {Pin} pin @param {number[]} rooms what is to be said, when all panels are drawn */
  write(state, pin, rooms) {
    for (const values of shownValues(state, pin)) this.#maps[values].write();
    if (this.card && pin.kind === "head") this.card.render(seenFrom(state, pin), rooms[0]);
  }
}

/** @param {OneHead} pin */
function placeOf({ side, stack, layer, head }) {
  return { side, stack, layer, head };
}
