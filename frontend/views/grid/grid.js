// The heads of one attention of one side as small cells on a canvas, with rings, numbers and a cursor above it.

import { awaitsComparison, shownSide } from "../../heads/grid_side.js";
import { CHANGE, chosenQuantity } from "../../heads/measures.js";
import { orderOf } from "../../heads/ordering.js";
import { atlasOnScreen, rolesOf } from "../../heads/roles.js";
import { headName } from "../../maps/labels.js";
import { drawingContext, element, sizeCanvas } from "../../page/dom.js";
import { hasPin } from "../../state/pins.js";
import { chosenModel, isStale } from "../../state/selectors.js";
import { seenFrom } from "../../state/side.js";
import { ARROW_STEPS } from "../parts/arrow_steps.js";
import { ROOM_FOR_A_LETTER } from "./grid_badges.js";
import { paintCells, quantityFill, roleFill } from "../../drawing/grid_cells.js";
import { cellAt, cellBox, gridGeometry } from "../../drawing/grid_geometry.js";
import { paintLayers } from "../../drawing/grid_maps.js";
import { drawMarks } from "./grid_marks.js";
import { paintingOf } from "./grid_painter.js";
import { headFacts } from "./grid_tip.js";

/** @typedef {import("../../drawing/grid_geometry.js").Geometry} Geometry */

/** What the maps are painted from, besides the frames themselves. */
const TREATMENT = /** @type {const} */ (["filter", "scale", "range", "hide", "renormalise", "words"]);

export class Grid {
  /** @type {Geometry | null} */
  #geometry = null;
  /** Layers already painted, and what they were painted with. @type {Set<number>} */
  #painted = new Set();
  /** @type {unknown[]} */
  #paintedWith = [];
  /** Whether what is painted was learnt by comparing two sides. */
  #isOfBoth = false;
  /** Whether a mouse points at it, so that a larger map is of use. */
  byPointer = false;
  /** Whether the cursor was moved here, by pointer or keys: charts and tables say themselves what they point at. */
  leads = false;

  /**
   * @param {Place} place
   * @param {Actions} actions
   */
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
      this.byPointer = event.pointerType === "mouse";
      this.leads = true;
      actions.pointAt(cellUnder(event));
    });
    canvas.addEventListener("pointerleave", () => {
      this.byPointer = false;
      this.leads = false;
      actions.pointAt(null);
    });
    canvas.addEventListener("click", (event) => {
      const cell = cellUnder(event);
      if (cell) actions.togglePinOf(cell);
    });
    canvas.addEventListener("keydown", (event) => {
      const step = ARROW_STEPS[event.key];
      this.byPointer = false;
      this.leads = true;
      if (step) actions.moveCursor(...step, place);
      else if (event.key === "Enter" || event.key === " ") actions.pinCursor();
      else return;
      event.preventDefault();
    });
  }

  /**
   * @param {State} whole
   * @param {Theme} theme
   * @param {{width: number, height: number, grids: number}} room and how many grids share it
   */
  paint(whole, theme, { width, height, grids }) {
    const state = seenFrom(whole, this.place);
    const shape = shapeOf(state);
    this.root.hidden = shape === null;
    // What a comparison painted stays, dimmed, until both sides are compared anew.
    if (shape === null || (this.#isOfBoth && awaitsComparison(whole, this.place.side))) return;
    const ratio = window.devicePixelRatio || 1;
    const fresh = gridGeometry({ ...shape, width, height: height / grids, ratio }, orderOf(state));
    const flat = flatFill(state, theme);
    this.#isOfBoth = state.comparison !== null && (state.color_by === CHANGE || shownSide(whole).side === "difference");
    const colouring = flat
      ? [state.color_by, state.values, state.measured, state.atlas, state.comparison]
      : [...TREATMENT.map((key) => state[key]), shownSide(whole).side, state.comparison];
    const wanted = [JSON.stringify(fresh), theme, state.analysis, String(flat === null), ...colouring];
    if (wanted.some((item, at) => item !== this.#paintedWith[at])) {
      this.#paintedWith = wanted;
      this.#painted = new Set();
      this.#geometry = fresh;
      this.#clear(fresh, shape, theme);
    }
    if (this.#geometry === null || state.analysis === null) return;
    this.canvas.dataset.colour = flat ? state.color_by : "map";
    if (!flat) return this.#paintMaps(whole, state, this.#geometry, theme);
    if (this.#painted.size === 0) paintCells(drawingContext(this.canvas), this.#geometry, flat, theme, hasSigns(state));
    this.#painted.add(0);
  }

  /** @param {State} whole @param {State} state @param {Geometry} geometry @param {Theme} theme */
  #paintMaps(whole, state, geometry, theme) {
    const layers = [...(state.analysis?.layers.values() ?? [])];
    const dirty = layers.filter((layer) => !this.#painted.has(layer.layer));
    const painting = paintingOf(whole, this.place, theme);
    if (dirty.length === 0 || painting === null) return;
    const ms = paintLayers(this.canvas, geometry, dirty, painting.table, painting.mapOf, painting);
    for (const layer of dirty) this.#painted.add(layer.layer);
    this.canvas.dataset.paintMs = ms.toFixed(2);
    this.canvas.dataset.painted = String(this.#painted.size);
  }

  /** @param {Geometry} fresh @param {{layers: number, heads: number}} shape @param {Theme} theme */
  #clear(fresh, shape, theme) {
    const context = sizeCanvas(this.canvas, fresh.width, fresh.height);
    context.fillStyle = theme.scale.css[0];
    for (let layer = 0; layer < shape.layers; layer += 1) {
      for (let head = 0; head < shape.heads; head += 1) {
        const { x, y, size } = cellBox(fresh, { layer, head });
        context.fillRect(x, y, size, size);
      }
    }
    this.canvas.dataset.painted = "0";
  }

  /** @param {State} whole what lies above the cells @param {Theme} theme */
  mark(whole, theme) {
    const state = seenFrom(whole, this.place);
    this.frame.classList.toggle("stale", isStale(state) || (this.#isOfBoth && awaitsComparison(whole, this.place.side)));
    if (this.#geometry === null) return;
    drawMarks(this.marks, this.#geometry, state, this.place, theme.palette);
    const { cursor } = state;
    // The cursor also follows points and rows beside the grid: they must not scroll the page.
    if (cursor && document.activeElement === this.canvas && !this.byPointer) this.#reveal(cellBox(this.#geometry, cursor));
    const pinned = cursor && hasPin(state.pins, cursor);
    const facts = cursor ? headFacts(state, cursor).map(({ text }) => `, ${text}`).join("") : "";
    const at = cursor ? `${headName(cursor.layer, cursor.head)}${pinned ? ", pinned" : ""}${facts}` : "no head chosen";
    const name = this.title.hidden ? "All heads" : this.title.textContent;
    this.canvas.setAttribute("aria-label", `${name}, ${at}. Arrow keys move, Enter pins or unpins, Escape releases.`);
  }

  /** @param {{y: number, size: number}} box scroll the page when the arrow keys leave the window */
  #reveal({ y, size }) {
    const top = this.canvas.getBoundingClientRect().top + y;
    if (top < size) window.scrollBy({ top: top - size });
    else if (top + 2 * size > window.innerHeight) window.scrollBy({ top: top + 2 * size - window.innerHeight });
  }

  /** Whether its cells are too small for letters. */
  get hasDots() {
    return this.#geometry !== null && this.#geometry.cell < ROOM_FOR_A_LETTER;
  }

  /** @param {State} whole where the cursor's cell lies on this grid; null: it is on none of its cells */
  cursorBox(whole) {
    const { cursor } = seenFrom(whole, this.place);
    return cursor && this.#geometry && cellBox(this.#geometry, cursor);
  }
}

/** @param {State} state */
function shapeOf(state) {
  const model = state.analysis ?? chosenModel(state);
  return model?.n_layers && model.n_heads ? { layers: model.n_layers, heads: model.n_heads } : null;
}

/**
 * What fills each cell with one colour; null: the cells hold maps.
 * @param {State} state
 * @param {Theme} theme
 */
export function flatFill(state, theme) {
  if (state.analysis === null) return null;
  const { n_heads } = state.analysis;
  const quantity = chosenQuantity(state);
  if (quantity !== null) {
    return (/** @type {number} */ layer, /** @type {number} */ head) =>
      quantityFill(quantity, quantity.values[layer * n_heads + head], theme);
  }
  if (state.color_by !== "role" || atlasOnScreen(state) === null) return null;
  return (/** @type {number} */ layer, /** @type {number} */ head) => roleFill(rolesOf(state, { layer, head }), theme);
}

/** @param {State} state whether the lower edge of its cells is needed for names and badges */
export function hasSigns(state) {
  return orderOf(state) !== null || (state.color_by !== "role" && atlasOnScreen(state) !== null);
}
