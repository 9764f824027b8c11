// One panel of the row: its title and tools, its map or both of its maps, and what is known of the head.

import { MOST_LABELLED } from "../../drawing/heatmap.js";
import { shownValues } from "../../maps/exact.js";
import { element, setText } from "../../page/dom.js";
import { partsOf, whatName } from "../../state/pins.js";
import { isOldPin } from "../../state/selectors.js";
import { analysisOf } from "../../state/sides.js";
import { HeadCard } from "../../views/head_card/head_card.js";
import { segmented } from "../../views/parts/segmented.js";
import { term } from "../../views/parts/term.js";
import { MapView } from "./map_view.js";

const MODES = [
  { value: "heatmap", text: "Heatmap" },
  { value: "lines", text: "Lines" },
  { value: "table", text: "Table" },
];
/** What maps that are made of several show. @type {Partial<Record<Pin["kind"], () => (Node | string)[]>>} */
const ABOUT = {
  rollout: () => [
    term("rollout"),
    " multiplies the layers' mean maps, each mixed half and half with the identity: a heuristic, not a measurement (Abnar and Zuidema, 2020).",
  ],
  difference: () => ["The first map minus the second: orange where the first gives more, blue where the second does."],
  overlay: () => ["The lines of several heads in one picture, one colour and kind of line for each."],
  agreement: () => ["The smaller of both weights: what both maps have in common."],
};

export class Panel {
  #pin;
  /** The maps that are on screen, of both. @type {MapView[]} */
  shown = [];

  /** @param {Pin} pin @param {Actions} actions @param {boolean} isOpen whether the card of the head starts open */
  constructor(pin, actions, isOpen) {
    const name = whatName(pin);
    this.#pin = pin;
    this.number = element("span", { class: "pin-number", "aria-hidden": "true" });
    const modes = MODES.filter(({ value }) => pin.kind !== "overlay" || value !== "heatmap");
    this.modes = segmented(`View of ${name}`, modes, (mode) => actions.setMode(/** @type {Mode} */ (mode), pin), "mode");
    const icon = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
      element("button", { type: "button", class: "icon", "aria-label": `${label} ${name}`, title: label, onclick }, sign);
    this.left = icon("‹", "Move left:", () => actions.movePin(pin, -1));
    this.right = icon("›", "Move right:", () => actions.movePin(pin, 1));
    const place = pin.kind === "head" ? { side: pin.side, stack: pin.stack, layer: pin.layer, head: pin.head } : null;
    const detail = place ? [icon("q·k", "q·k: query-key detail of", () => actions.openDetail(place))] : [];
    const icons = element("div", { class: "panel-icons" }, ...detail, this.left, this.right, icon("×", "Unpin", () => actions.unpin(pin)));
    this.maps = [new MapView("raw", actions), new MapView("weighted", actions)];
    this.card = place && new HeadCard(place, actions, isOpen);
    const about = ABOUT[pin.kind]?.();
    const data = { "data-side": place?.side, "data-stack": place?.stack, "data-layer": place?.layer, "data-head": place?.head };
    this.root = element(
      "article",
      { class: "panel", "data-kind": pin.kind, ...data, "aria-label": `Head ${name}` },
      element("header", { class: "panel-head" }, this.number, element("h3", {}, name), this.modes.group, icons),
      element("div", { class: "panel-maps" }, ...this.maps.map((map) => map.root)),
      ...(about ? [element("p", { class: "hint" }, ...about)] : []),
      ...(this.card ? [this.card.root] : []),
    );
  }

  /** @param {State} state @param {Pin} pin what it shows, with its mode of now @param {number} number of the panel, from 1 */
  arrange(state, pin, number) {
    this.#pin = pin;
    setText(this.number, String(number));
    this.modes.mark(pin.mode);
    const of = state.pins.length;
    const isMoved = [this.left, this.right].some((button) => button === document.activeElement);
    this.left.disabled = number === 1;
    this.right.disabled = number === of;
    // A disabled button cannot keep the focus.
    if (isMoved && of > 1) (this.left.disabled ? this.right : this.right.disabled ? this.left : null)?.focus();
    const values = shownValues(state, pin);
    this.shown = this.maps.filter((map) => values.includes(map.values));
    for (const map of this.maps) map.arrange(this.shown.includes(map), this.shown.length === 1);
    const tokens = partsOf(pin).map(({ side }) => analysisOf(state, side)?.tokens.length ?? 0);
    this.root.dataset.mode = pin.mode;
    this.root.dataset.maps = String(values.length);
    this.root.toggleAttribute("data-long", pin.mode === "heatmap" && Math.max(...tokens) > MOST_LABELLED);
    this.root.classList.toggle("stale", isOldPin(state, pin));
  }

  /** @param {State} state @param {Theme} theme */
  prepare(state, theme) {
    for (const map of this.shown) map.prepare(state, this.#pin, theme);
    this.root.dataset.exact = String(this.shown.every((map) => map.root.dataset.exact === "true"));
  }
}
