// All heads of all layers as small cells on one canvas, with rings, numbers and a cursor above it.
// Pointer and keys become actions here; it must not know the panels.

import { byId, sizeCanvas } from "../dom.js";
import { headName } from "../labels.js";
import { chosenQuantity } from "../measures.js";
import { orderOf } from "../ordering.js";
import { atlasOnScreen, rolesOf } from "../roles.js";
import { activeFilter, chosenModel, isStale } from "../selectors.js";
import { ARROW_STEPS } from "./arrow_steps.js";
import { paintCells, quantityFill, roleFill } from "./grid_cells.js";
import { cellAt, cellBox, gridGeometry } from "./grid_geometry.js";
import { paintLayers } from "./grid_maps.js";
import { drawMarks } from "./grid_marks.js";
import { createGridTip, headFacts } from "./grid_tip.js";
import { visibleTokens } from "./paper.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Actions} Actions */
/** @typedef {import("./grid_geometry.js").Geometry} Geometry */
/** @typedef {import("./paper.js").Paper} Paper */

const STICKY = 16;
const ARRANGING = ["analysis", "run", "models", "model", "color_by", "weighted", "sort", "show", "atlas", "measured"];
const PAINTING = [...ARRANGING, "filter", "metrics_catalogue"];
const MARKING = [...ARRANGING, "pins", "cursor", "metrics_catalogue"];

/** @param {Actions} actions */
export function createGrid(actions) {
  const room = byId("explore", HTMLElement);
  const canvas = byId("grid", HTMLCanvasElement);
  const marks = byId("grid-marks", HTMLCanvasElement);
  const frame = byId("grid-frame", HTMLElement);
  const card = byId("grid-card", HTMLElement);
  const tip = createGridTip(canvas, card);
  /** @type {Geometry | null} */
  let geometry = null;
  /** Layers already painted, and what they were painted with. @type {Set<number>} */
  let painted = new Set();
  /** @type {unknown[]} */
  let paintedWith = [];
  let byPointer = false;

  const cellUnder = (/** @type {MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return geometry && cellAt(geometry, event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("pointermove", (event) => {
    byPointer = event.pointerType === "mouse";
    actions.pointAt(cellUnder(event));
  });
  canvas.addEventListener("pointerleave", () => {
    byPointer = false;
    actions.pointAt(null);
  });
  canvas.addEventListener("click", (event) => {
    const cell = cellUnder(event);
    if (cell) actions.togglePin(cell);
  });

  canvas.addEventListener("keydown", (event) => {
    const step = ARROW_STEPS[event.key];
    byPointer = false;
    if (step) actions.moveCursor(...step);
    else if (event.key === "Enter" || event.key === " ") actions.pinCursor();
    else return;
    event.preventDefault();
  });

  /** @param {State} state */
  function shapeOf(state) {
    const model = state.analysis ?? chosenModel(state);
    return model?.n_layers && model.n_heads ? { layers: model.n_layers, heads: model.n_heads } : null;
  }

  /** @param {State} state @param {Paper} paper */
  function paint(state, paper) {
    const shape = shapeOf(state);
    card.hidden = shape === null;
    if (shape === null) return;
    const [width, height, ratio] = [room.clientWidth, window.innerHeight, window.devicePixelRatio || 1];
    const fresh = gridGeometry({ ...shape, width, height, ratio }, orderOf(state));
    const filter = activeFilter(state);
    const flat = flatFill(state, paper);
    const colouring = flat ? [state.color_by, state.weighted, state.measured, state.atlas] : [];
    const wanted = [JSON.stringify(fresh), paper, filter, state.analysis, String(colouring.length), ...colouring];
    if (wanted.some((item, at) => item !== paintedWith[at])) {
      paintedWith = wanted;
      painted = new Set();
      geometry = fresh;
      clearCells(fresh, shape, paper);
    }
    if (geometry === null || state.analysis === null) return;
    canvas.dataset.colour = flat ? state.color_by : "map";
    if (flat) {
      const hasSigns = geometry.order !== null || (state.color_by !== "role" && atlasOnScreen(state) !== null);
      if (painted.size === 0) paintCells(canvas, geometry, flat, paper, hasSigns);
      painted.add(0);
      return;
    }
    const { layers, tokens } = state.analysis;
    const dirty = [...layers.values()].filter((layer) => !painted.has(layer.layer));
    if (dirty.length === 0) return;
    const ms = paintLayers(canvas, geometry, dirty, paper.scale.table, (part) =>
      visibleTokens(filter, tokens, part.rows, Math.ceil(part.n_queries / part.rows), paper),
    );
    for (const layer of dirty) painted.add(layer.layer);
    canvas.dataset.paintMs = ms.toFixed(2);
    canvas.dataset.painted = String(painted.size);
  }

  /**
   * What fills each cell with one colour; null: the cells hold maps.
   * @param {State} state
   * @param {Paper} paper
   */
  function flatFill(state, paper) {
    if (state.analysis === null) return null;
    const { n_heads } = state.analysis;
    const quantity = chosenQuantity(state);
    if (quantity !== null) {
      return (/** @type {number} */ layer, /** @type {number} */ head) =>
        quantityFill(quantity, quantity.values[layer * n_heads + head], paper);
    }
    if (state.color_by !== "role" || atlasOnScreen(state) === null) return null;
    return (/** @type {number} */ layer, /** @type {number} */ head) => roleFill(rolesOf(state, { layer, head }), paper);
  }

  /** @param {Geometry} fresh @param {{layers: number, heads: number}} shape @param {Paper} paper */
  function clearCells(fresh, shape, paper) {
    const context = sizeCanvas(canvas, fresh.width, fresh.height);
    context.fillStyle = paper.scale.css[0];
    for (let layer = 0; layer < shape.layers; layer += 1) {
      for (let head = 0; head < shape.heads; head += 1) {
        const { x, y, size } = cellBox(fresh, { layer, head });
        context.fillRect(x, y, size, size);
      }
    }
    canvas.dataset.painted = "0";
    // A card taller than the window sticks by its lower edge, so that scrolling shows all of it.
    card.style.top = `${Math.min(STICKY, window.innerHeight - card.offsetHeight - STICKY)}px`;
  }

  /** @param {{y: number, size: number}} box scroll the page when the arrow keys leave the window */
  function revealLine({ y, size }) {
    const top = canvas.getBoundingClientRect().top + y;
    if (top < size) window.scrollBy({ top: top - size });
    else if (top + 2 * size > window.innerHeight) window.scrollBy({ top: top + 2 * size - window.innerHeight });
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     * @param {Paper} paper
     */
    render(state, changed, paper) {
      if (PAINTING.some((key) => changed.has(key))) paint(state, paper);
      frame.classList.toggle("stale", isStale(state));
      if (geometry === null || !MARKING.some((key) => changed.has(key))) return;
      drawMarks(marks, geometry, state, paper.palette);
      const { cursor } = state;
      // The cursor also follows points and rows beside the grid: they must not scroll the page.
      if (cursor && document.activeElement === canvas && !byPointer) revealLine(cellBox(geometry, cursor));
      tip.render(state, cursor && cellBox(geometry, cursor), byPointer, paper);
      const pinned = cursor && state.pins.some((pin) => pin.layer === cursor.layer && pin.head === cursor.head);
      const facts = cursor ? headFacts(state, cursor).map(({ text }) => `, ${text}`).join("") : "";
      const at = cursor ? `${headName(cursor.layer, cursor.head)}${pinned ? ", pinned" : ""}${facts}` : "no head chosen";
      canvas.setAttribute("aria-label", `All heads, ${at}. Arrow keys move, Enter pins or unpins, Escape releases.`);
    },
  };
}
