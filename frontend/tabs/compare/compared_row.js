// One head of A beside one of B: its name, how much it changed or how alike they are, and three small maps to pin.

import { numberText } from "../../heads/measures.js";
import { rolesOf } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { whatKey } from "../../state/pins.js";
import { seenFrom } from "../../state/side.js";
import { drawSmallMap } from "../../drawing/small_map.js";
import { badges } from "../../views/parts/badges.js";

/** @typedef {import("../../compare/compared_heads.js").ComparedRow} Row */
/** @typedef {import("./compared_maps.js").RowPaintings} RowPaintings */

const SIDE = 56; // CSS pixels of a small map, as in compare.css

export class ComparedRow {
  /** What is pinned, as short words. @type {Set<string>} */
  #pinned = new Set();
  /** @type {RowPaintings | null} */
  #paintedWith = null;

  /**
   * @param {Row} row
   * @param {State} state
   * @param {Actions} actions
   */
  constructor(row, state, actions) {
    this.row = row;
    const { name, names, value, note, one, other, difference } = row;
    /** @type {{key: "a" | "b" | "difference", what: What, label: string}[]} */
    const parts = [
      { key: "a", what: one, label: "A" },
      { key: "b", what: other, label: "B" },
      { key: "difference", what: difference, label: "A − B" },
    ];
    this.maps = parts.map(({ key, what, label }) => {
      const canvas = element("canvas", { "aria-hidden": "true" });
      const attributes = { type: "button", class: "small-map", "data-map": key, "aria-label": `Pin ${label}: ${name}` };
      const onclick = () => (this.#isPinned(what) ? actions.unpin(what) : actions.pin(what));
      return { key, what, canvas, button: element("button", { ...attributes, onclick }, canvas, element("span", {}, label)) };
    });
    const whats = parts.map(({ what }) => what);
    this.all = element("button", {
      type: "button",
      class: "chip",
      onclick: () => {
        const isAll = whats.every((what) => this.#isPinned(what));
        for (const what of whats) (isAll ? actions.unpin : actions.pin)(what);
      },
    });
    // Each name with its own letters, so that nobody takes those of one head for the other's.
    const letters = [badges(rolesOf(state, one)), badges(rolesOf(seenFrom(state, other), other))];
    const named = names.flatMap((text, at) => [
      ...(at === 0 ? [] : [element("span", { class: "quiet" }, " ~ ")]),
      element("span", { class: "named-head" }, element("b", {}, text), ...letters[at]),
    ]);
    const data = {
      "data-layer": one.layer,
      "data-head": one.head,
      "data-other-layer": other.layer,
      "data-other-head": other.head,
      "data-value": value,
    };
    this.root = element(
      "li",
      { class: "compared-row", ...data },
      element(
        "div",
        { class: "compared-facts" },
        element("div", { class: "compared-name" }, ...named),
        element("div", { class: "compared-value" }, bar(row), element("span", { class: "number" }, numberText(value))),
        ...(note ? [element("p", { class: "hint" }, note)] : []),
      ),
      element("div", { class: "compared-maps" }, ...this.maps.map(({ button }) => button)),
      this.all,
    );
  }

  /** @param {What} what */
  #isPinned(what) {
    return this.#pinned.has(whatKey(what));
  }

  /** @param {RowPaintings} paintings the same ones paint once */
  paint(paintings) {
    if (paintings === this.#paintedWith) return;
    this.#paintedWith = paintings;
    const { looks, mapsOf } = paintings;
    const found = mapsOf(this.row.one, this.row.other);
    for (const { key, canvas } of this.maps) {
      const map = found[key];
      if (map) drawSmallMap(canvas, SIDE, map, looks[key]);
    }
  }

  /** @param {Set<string>} pinned what stands in the row of panels */
  mark(pinned) {
    this.#pinned = pinned;
    for (const { what, button } of this.maps) button.setAttribute("aria-pressed", String(this.#isPinned(what)));
    const isAll = this.maps.every(({ what }) => this.#isPinned(what));
    this.all.setAttribute("aria-pressed", String(isAll));
    const said = isAll ? "Pinned" : "Pin all three";
    setText(this.all, said);
    this.all.setAttribute("aria-label", `${said}: A, B and A − B, ${this.row.name}`);
  }
}

/**
 * The number as a bar, with a tick at what is usual.
 * @param {Row} row
 */
function bar({ part, usual }) {
  const fill = element("span", { class: "edge-fill" });
  fill.style.width = `${100 * part}%`;
  const tick = element("span", { class: "edge-tick", hidden: usual === null });
  if (usual !== null) tick.style.left = `${100 * usual}%`;
  return element("span", { class: "edge-bar", "aria-hidden": "true" }, fill, tick);
}
