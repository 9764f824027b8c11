// All heads of all layers as small maps on one canvas, with rings, numbers and a cursor above it.
// Pointer and keys become actions here; it must not know the panels.

import { byId, drawingContext, setText, sizeCanvas } from "../dom.js";
import { headName } from "../labels.js";
import { paintMap } from "../maps.js";
import { activeFilter, chosenModel, isStale } from "../selectors.js";
import { headValues } from "../wire.js";
import { ARROW_STEPS } from "./arrow_steps.js";
import { cellAt, cellBox, gridGeometry } from "./grid_geometry.js";
import { drawMarks } from "./grid_marks.js";
import { visibleTokens } from "./paper.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Actions} Actions */
/** @typedef {import("../wire.js").Frame} Frame */
/** @typedef {import("../maps.js").Visible} Visible */
/** @typedef {import("./grid_geometry.js").Geometry} Geometry */
/** @typedef {import("./paper.js").Paper} Paper */

const PREVIEW = 168;
const STICKY = 16;

/**
 * Paint the layers of some frames, one strip of pixels a layer.
 * @param {HTMLCanvasElement} canvas
 * @param {Geometry} geometry
 * @param {Iterable<Frame>} frames
 * @param {Uint32Array} table
 * @param {(frame: Frame) => Visible | null} [visibleIn]
 * @returns {number} milliseconds it took
 */
export function paintLayers(canvas, geometry, frames, table, visibleIn = () => null) {
  const began = performance.now();
  const context = drawingContext(canvas);
  const { ratio } = geometry;
  const size = Math.round(geometry.cell * ratio);
  for (const frame of frames) {
    if (!(frame.values instanceof Uint8Array)) continue;
    const first = cellBox(geometry, { layer: frame.layer, head: frame.first_head });
    const last = cellBox(geometry, { layer: frame.layer, head: frame.first_head + frame.heads - 1 });
    const left = Math.round(first.x * ratio);
    const stride = Math.round(last.x * ratio) + size - left;
    const strip = context.createImageData(stride, size);
    const pixels = new Uint32Array(strip.data.buffer);
    const visible = visibleIn(frame);
    for (let head = frame.first_head; head < frame.first_head + frame.heads; head += 1) {
      const x = Math.round(cellBox(geometry, { layer: frame.layer, head }).x * ratio) - left;
      const codes = /** @type {Uint8Array} */ (headValues(frame, head));
      paintMap({ pixels, stride, x, y: 0, width: size, height: size }, codes, frame.rows, frame.cols, table, visible);
    }
    context.putImageData(strip, left, Math.round(first.y * ratio));
  }
  return performance.now() - began;
}

/** @param {Actions} actions */
export function createGrid(actions) {
  const room = byId("explore", HTMLElement);
  const canvas = byId("grid", HTMLCanvasElement);
  const marks = byId("grid-marks", HTMLCanvasElement);
  const tip = byId("grid-tip", HTMLElement);
  const tipName = byId("grid-tip-name", HTMLElement);
  const tipMap = byId("grid-tip-map", HTMLCanvasElement);
  const frame = byId("grid-frame", HTMLElement);
  const card = byId("grid-card", HTMLElement);
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
  canvas.addEventListener("pointerleave", () => actions.pointAt(null));
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
    const fresh = gridGeometry({
      ...shape,
      width: room.clientWidth,
      height: window.innerHeight,
      ratio: window.devicePixelRatio || 1,
    });
    const filter = activeFilter(state);
    const wanted = [JSON.stringify(fresh), paper, filter, state.analysis];
    if (wanted.some((item, at) => item !== paintedWith[at])) {
      paintedWith = wanted;
      painted = new Set();
      geometry = fresh;
      clearCells(fresh, shape, paper);
    }
    if (geometry === null || state.analysis === null) return;
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

  /** @param {number} y @param {number} size scroll the page when the arrow keys leave the window */
  function revealLine(y, size) {
    const top = canvas.getBoundingClientRect().top + y;
    if (top < size) window.scrollBy({ top: top - size });
    else if (top + 2 * size > window.innerHeight) window.scrollBy({ top: top + 2 * size - window.innerHeight });
  }

  /** @param {State} state @param {Paper} paper the name and a larger map of the head under the pointer */
  function renderTip(state, paper) {
    const { cursor, analysis } = state;
    tip.hidden = cursor === null || geometry === null;
    if (cursor === null || geometry === null) return;
    setText(tipName, headName(cursor.layer, cursor.head));
    const layer = analysis?.layers.get(cursor.layer);
    tipMap.hidden = !layer || !byPointer;
    if (layer && byPointer) {
      const context = sizeCanvas(tipMap, PREVIEW, PREVIEW);
      const { width, height } = tipMap;
      const image = context.createImageData(width, height);
      const pixels = new Uint32Array(image.data.buffer);
      const codes = /** @type {Uint8Array} */ (headValues(layer, cursor.head));
      paintMap({ pixels, stride: width, x: 0, y: 0, width, height }, codes, layer.rows, layer.cols, paper.scale.table);
      context.putImageData(image, 0, 0);
    }
    const { x, y, size } = cellBox(geometry, cursor);
    if (!byPointer) revealLine(y, size);
    const box = canvas.getBoundingClientRect();
    // The larger map stands beside the grid, so that it hides no other cell; the name alone beside its cell.
    const beside = byPointer ? card.getBoundingClientRect().right : box.left + x + size;
    const isRight = beside + tip.offsetWidth + 20 < document.documentElement.clientWidth;
    const isBelow = box.top + y + tip.offsetHeight + 8 < window.innerHeight;
    tip.style.left = `${isRight ? beside + 10 : Math.max(4, box.left + x - tip.offsetWidth - 10)}px`;
    tip.style.top = `${isBelow ? box.top + y : Math.max(4, window.innerHeight - tip.offsetHeight - 8)}px`;
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     * @param {Paper} paper
     */
    render(state, changed, paper) {
      if (["analysis", "run", "filter", "models", "model"].some((key) => changed.has(key))) paint(state, paper);
      frame.classList.toggle("stale", isStale(state));
      if (geometry && ["analysis", "run", "pins", "cursor", "models", "model"].some((key) => changed.has(key))) {
        drawMarks(marks, geometry, state, paper.palette);
        renderTip(state, paper);
        const { cursor } = state;
        const pinned = cursor && state.pins.some((pin) => pin.layer === cursor.layer && pin.head === cursor.head);
        const at = cursor ? `${headName(cursor.layer, cursor.head)}${pinned ? ", pinned" : ""}` : "no head chosen";
        canvas.setAttribute(
          "aria-label",
          `Maps of all heads, ${at}. Arrow keys move, Enter pins or unpins, Escape releases.`,
        );
      }
    },
  };
}
