// The heads of one attention of one side as small cells on a canvas, with rings, numbers and a cursor above it.

import { comparison } from "../../compare/comparison.js";
import { clearCells, paintCells } from "../../drawing/grid_cells.js";
import { cellAt, cellBox, gridGeometry } from "../../drawing/grid_geometry.js";
import { ROOM_FOR_A_LETTER } from "../../drawing/grid_signs.js";
import { paintLayers } from "../../drawing/small_map.js";
import { flatFill, hasSigns } from "../../heads/cells.js";
import { awaitsComparison, isOfBoth, paintingOf, pinsInGrid, shownScale, shownSide } from "../../heads/grid_side.js";
import { chosenQuantity } from "../../heads/measures.js";
import { orderOf } from "../../heads/ordering.js";
import { atlasOnScreen } from "../../heads/roles.js";
import { exactRows } from "../../maps/exact_rows.js";
import { edges, otherEdges } from "../../maps/edges.js";
import { rowToken } from "../../maps/row_token.js";
import { lockedLink } from "../../maps/link_values.js";
import { byId, drawingContext, element, setAttribute, setHidden, sizeCanvas } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { isSameList } from "../../page/memo.js";
import { activeFilter, chosenModel, isStale, isWeighted } from "../../state/selectors.js";
import { atPlace } from "../../state/sides.js";
import { ARROW_STEPS } from "../parts/arrow_steps.js";
import { drawMarks } from "./grid_marks.js";
import { BESIDE } from "./grid_room.js";
import { headFacts } from "../head_facts.js";

/** @typedef {import("../../drawing/grid_geometry.js").Geometry} Geometry */

/** Where a head is shown large: its panel, or the tabs above all panels. @param {HeadPlace} cell */
function panelOf({ side, stack, layer, head }) {
  const place = `[data-side="${side}"][data-stack="${stack}"][data-layer="${layer}"][data-head="${head}"]`;
  return document.querySelector(`.panel${place}:not(:first-child)`) ?? byId("side-tabs", HTMLElement);
}

export class Grid {
  /** @type {Geometry | null} */
  #geometry = null;
  /** Layers already painted, and what they were painted with. @type {Set<number>} */
  #painted = new Set();
  /** @type {unknown[]} */
  #paintedWith = [];
  /** Whether what is painted was learnt by comparing two sides. */
  #isOfBoth = false;
  /** Whether keys moved the cursor last: then the page scrolls to it, and a mouse must move to take it away. */
  byKeys = false;

  /** @param {Place} place @param {Actions} actions */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    this.title = element("h3", { class: "grid-name", hidden: true });
    const words = { "aria-label": "Maps of all heads", "aria-description": "The tab Heads has all heads as a table." };
    this.canvas = element("canvas", { tabindex: 0, role: "application", ...words });
    this.marks = element("canvas", { class: "grid-marks", "aria-hidden": "true" });
    this.frame = element("div", { class: "grid-scroll" }, element("div", { class: "grid-stack" }, this.canvas, this.marks));
    this.root = element("section", { class: "one-grid" }, this.title, this.frame);
    this.#listen();
  }

  /** @param {string} id the first grid on screen has the plain one */
  name(id) {
    this.canvas.id = id;
    this.marks.id = `${id}-marks`;
  }

  #listen() {
    const { canvas, actions, place } = this;
    const cellUnder = (/** @type {MouseEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      const cell = this.#geometry && cellAt(this.#geometry, event.clientX - box.left, event.clientY - box.top);
      return cell && { ...place, ...cell };
    };
    canvas.addEventListener("pointermove", (event) => {
      // When the layout below a resting mouse changes, browsers report it anew: the head that keys chose stays.
      const isResting = event.movementX === 0 && event.movementY === 0;
      if (isResting && this.byKeys) return;
      this.byKeys = false;
      actions.pointAt(cellUnder(event));
    });
    canvas.addEventListener("pointerleave", () => {
      if (!this.byKeys) actions.pointAt(null);
    });
    canvas.addEventListener("click", (event) => {
      const cell = cellUnder(event);
      if (!cell) return;
      actions.togglePinOf(cell);
      // In one column the head is below the grid: a tap goes there.
      if (!window.matchMedia(BESIDE).matches) requestAnimationFrame(() => panelOf(cell).scrollIntoView({ block: "start" }));
    });
    canvas.addEventListener("keydown", (event) => {
      const step = ARROW_STEPS[event.key];
      if (step) {
        this.byKeys = true;
        actions.moveCursor(...step, place);
      } else if (event.key === "Enter" || event.key === " ") actions.pinCursor();
      else return;
      event.preventDefault();
    });
  }

  /** Whether what a comparison painted stays, dimmed, until both sides are compared again. @param {State} state */
  isKept(state) {
    return this.#isOfBoth && awaitsComparison(state, this.place.side);
  }

  /** @param {State} state @param {Theme} theme @param {{width: number, height: number, grids: number}} room and how many grids share it */
  paint(state, theme, { width, height, grids }) {
    const seen = atPlace(state, this.place);
    const { n_layers: layers, n_heads: heads } = seen.analysis ?? chosenModel(seen) ?? {};
    setHidden(this.root, !layers || !heads);
    if (!layers || !heads || this.isKept(state)) return;
    this.#isOfBoth = isOfBoth(state);
    const ratio = window.devicePixelRatio || 1;
    const geometry = gridGeometry({ layers, heads, width, height: height / grids, ratio }, orderOf(seen));
    const fillOf = flatFill(seen, theme);
    const from = [JSON.stringify(geometry), theme, seen.analysis, ...(fillOf ? fillReads(seen) : mapReads(state, seen))];
    if (!isSameList(from, this.#paintedWith)) {
      this.#paintedWith = from;
      this.#painted = new Set();
      this.#geometry = geometry;
      clearCells(sizeCanvas(this.canvas, geometry.width, geometry.height), geometry, theme.scale.css[0]);
      this.canvas.dataset.painted = "0";
    }
    if (seen.analysis === null) return;
    setAttribute(this.canvas, "data-colour", fillOf ? seen.color_by : "map");
    if (!fillOf) return this.#paintMaps(state, seen.analysis, geometry, theme);
    if (this.#painted.size === 0) paintCells(drawingContext(this.canvas), geometry, fillOf, theme, hasSigns(seen));
    this.#painted.add(0);
  }

  /** @param {State} state @param {Analysis} analysis @param {Geometry} geometry @param {Theme} theme */
  #paintMaps(state, analysis, geometry, theme) {
    const fresh = [...analysis.layers.values()].filter(({ layer }) => !this.#painted.has(layer));
    const painting = fresh.length > 0 ? paintingOf(state, this.place, theme) : null;
    if (painting === null) return;
    const began = performance.now();
    paintLayers(this.canvas, geometry, fresh, painting);
    for (const { layer } of fresh) this.#painted.add(layer);
    this.canvas.dataset.row = String(rowToken(state, this.place.side) ?? "");
    this.canvas.dataset.paintMs = (performance.now() - began).toFixed(2);
    this.canvas.dataset.painted = String(this.#painted.size);
  }

  /** Draw what is above the cells. @param {State} state @param {Theme} theme */
  mark(state, theme) {
    const seen = atPlace(state, this.place);
    this.frame.classList.toggle("stale", isStale(seen) || this.isKept(state));
    if (this.#geometry === null) return;
    drawMarks(this.marks, this.#geometry, seen, this.place, theme.palette);
    const { cursor } = seen;
    // The cursor also follows points and rows beside the grid: they must not scroll the page.
    if (cursor && document.activeElement === this.canvas && this.byKeys) this.#reveal(cellBox(this.#geometry, cursor));
    const isPinned = pinsInGrid(seen, this.place).some(({ layer, head }) => layer === cursor?.layer && head === cursor.head);
    const pinned = isPinned ? ["pinned"] : [];
    const facts = cursor ? headFacts(seen, cursor).map(({ text }) => text) : [];
    const head = cursor ? headName(cursor.layer, cursor.head) : "no head chosen";
    const words = [this.title.hidden ? "All heads" : this.title.textContent, head, ...pinned, ...facts].join(", ");
    setAttribute(this.canvas, "aria-label", `${words}. Arrow keys move, Enter pins or unpins, Escape releases.`);
  }

  /** Scroll to the cell that the arrow keys went to. @param {{y: number, size: number}} box */
  #reveal({ y, size }) {
    const scroller = this.root.parentElement;
    if (scroller && scroller.scrollHeight > scroller.clientHeight) {
      const top = this.frame.offsetTop - scroller.offsetTop + y;
      scroller.scrollTop = Math.min(top - size, Math.max(scroller.scrollTop, top + 2 * size - scroller.clientHeight));
      return;
    }
    const top = this.canvas.getBoundingClientRect().top + y;
    if (top < size) window.scrollBy({ top: top - size });
    else if (top + 2 * size > window.innerHeight) window.scrollBy({ top: top + 2 * size - window.innerHeight });
  }

  /** Whether its cells are too small for letters. */
  get hasDots() {
    return this.#geometry !== null && this.#geometry.cell < ROOM_FOR_A_LETTER;
  }
}

/** @param {SideView} seen what one colour a cell is painted from */
export function fillReads(seen) {
  const link = lockedLink(seen, seen.side);
  // The weights of a link come with the maps, layer by layer, then exactly; for A − B both sides are needed.
  const ofLink = link ? [seen.run.layers, shownSide(seen).side, seen.sides.b?.run.layers, comparison.of(seen), edges.of(seen), otherEdges.of(seen)] : [];
  return [seen.color_by, chosenQuantity(seen), atlasOnScreen(seen), link, seen.sinks, isWeighted(seen), ...ofLink];
}

/** @param {State} state @param {SideView} seen what maps are painted from, beside the frames themselves */
export function mapReads(state, seen) {
  const { scale, range, sinks, hide, renormalise, words } = state;
  const { side } = shownSide(state);
  const compared = side === "difference" ? comparison.of(state) : null;
  const token = rowToken(state, seen.side);
  // The scale adapts as layers arrive: what was painted before is painted again.
  return [scale, range, sinks, shownScale(state).top, hide, renormalise, words, activeFilter(seen), side, compared, token, token === null ? null : state.answers.get(exactRows)];
}
