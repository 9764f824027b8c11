// One head of A beside one of B: its name, how much it changed or how similar they are, what changed most, and three small maps to pin.

import { drawSmallMap } from "../../drawing/small_map.js";
import { numberText } from "../../heads/measures.js";
import { rolesOf } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { whatKey } from "../../state/pins.js";
import { onSide } from "../../state/sides.js";
import { badges } from "../../views/parts/badges.js";
import { bar } from "../../views/parts/bar.js";

/** @typedef {import("./compared_maps.js").RowMaps} RowMaps */

const SIDE = 56; // CSS pixels of a small map, as in compare.css

export class ComparedRow {
  #areAllPinned = false;
  /** @type {RowMaps | null} */
  #paintedFrom = null;

  /** @param {import("./compared_heads.js").ComparedRow} row @param {State} state @param {Actions} actions */
  constructor(row, state, actions) {
    this.row = row;
    const { name, names, value, part, usual, note, links, one, other, difference } = row;
    /** @type {{key: keyof ReturnType<RowMaps>, what: What, label: string}[]} */
    const parts = [
      { key: "a", what: one, label: "A" },
      { key: "b", what: other, label: "B" },
      { key: "difference", what: difference, label: "A − B" },
    ];
    this.maps = parts.map(({ key, what, label }) => {
      const canvas = element("canvas", { "aria-hidden": "true" });
      const attributes = { type: "button", class: "small-map", "data-map": key, "aria-label": `Pin ${label}: ${name}` };
      const onclick = () => actions.toggle(what);
      return { key, what, canvas, button: element("button", { ...attributes, onclick }, canvas, element("span", {}, label)) };
    });
    const toggleAll = () => {
      const act = this.#areAllPinned ? actions.unpin : actions.pin;
      for (const { what } of parts) act(what);
    };
    this.all = element("button", { type: "button", class: "chip", onclick: toggleAll });
    // Each name has its own letters beside it, so that nobody takes those of one head for the other's.
    const letters = [one, other].map((head) => badges(rolesOf(onSide(state, head.side), head)));
    const named = names.flatMap((text, at) => [
      ...(at === 0 ? [] : [element("span", { class: "quiet" }, " ~ ")]),
      element("span", { class: "named-head" }, element("b", {}, text), ...letters[at]),
    ]);
    const facts = element(
      "div",
      { class: "compared-facts" },
      element("div", { class: "compared-name" }, ...named),
      element("div", { class: "compared-value" }, bar(part, usual), element("span", { class: "number" }, numberText(value))),
      ...(note ? [element("p", { class: "hint" }, note)] : []),
      ...(links.length > 0 ? [linkList(links)] : []),
    );
    const maps = element("div", { class: "compared-maps" }, ...this.maps.map(({ button }) => button));
    const data = { "data-layer": one.layer, "data-head": one.head, "data-other-layer": other.layer, "data-other-head": other.head };
    this.root = element("li", { class: "compared-row", ...data, "data-value": value }, facts, maps, this.all);
  }

  /** @param {RowMaps} mapsOf each is painted once */
  paint(mapsOf) {
    if (mapsOf === this.#paintedFrom) return;
    this.#paintedFrom = mapsOf;
    const found = mapsOf(this.row.one, this.row.other);
    for (const { key, canvas } of this.maps) {
      const { map, painting } = found[key];
      if (map) drawSmallMap(canvas, SIDE, map, painting);
    }
  }

  /** @param {Set<string>} pinned the keys of what is pinned */
  mark(pinned) {
    const isPinned = (/** @type {{what: What}} */ { what }) => pinned.has(whatKey(what));
    for (const map of this.maps) map.button.setAttribute("aria-pressed", String(isPinned(map)));
    this.#areAllPinned = this.maps.every(isPinned);
    const said = this.#areAllPinned ? "Pinned" : "Pin all three";
    this.all.setAttribute("aria-pressed", String(this.#areAllPinned));
    setText(this.all, said);
    this.all.setAttribute("aria-label", `${said}: A, B and A − B, ${this.row.name}`);
  }
}

/** @param {import("../../compare/changed_links.js").WrittenLink[]} links */
function linkList(links) {
  const items = links.map(({ from, to, weights, words }) => {
    const ends = element("span", { class: "changed-ends" }, element("bdi", {}, from), " → ", element("bdi", {}, to));
    return element("li", { title: words }, ends, " ", element("span", { class: "number" }, weights));
  });
  return element("ul", { class: "changed-links", "aria-label": "Links that changed most" }, ...items);
}
