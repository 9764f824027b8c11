// What lies over the cells of the grid: letters of roles, names, ranks, a veil over heads that do not stand out.

import { cellIn } from "../heads/arrangement.js";
import { cellBox, cellBoxes, nameEnd } from "./grid_geometry.js";

/** @typedef {import("./grid_geometry.js").Geometry} Geometry */
/** @typedef {import("../heads/cells.js").Signs} Signs */

/** Side of the smallest cell with a letter; a smaller one has a dot. */
export const ROOM_FOR_A_LETTER = 22;
const ROOM_FOR_A_LARGE_BADGE = 32;
const ROOM_FOR_A_NAME = 34;
const UNDERLINE = 2.5; // CSS pixels, within the gap between cells
const ROOM_FOR_A_HEADING = 29; // CSS pixels "H10" takes, with a little air

/** @param {Surface} context @param {Geometry} geometry @param {Signs} signs @param {Palette} palette */
export function drawSigns(context, geometry, { hasEdges, badges, isAbove, strongest, shown }, palette) {
  if (hasEdges) {
    context.lineWidth = 1;
    context.strokeStyle = palette.line;
    for (const { x, y, size } of cellBoxes(geometry)) context.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
  }
  drawBadges(context, geometry, badges, isAbove || geometry.order !== null, palette);
  drawCellNames(context, geometry, palette);
  context.fillStyle = palette.accent;
  for (const cell of strongest) {
    const { x, y, size } = cellBox(geometry, cell);
    context.fillRect(x, y + size + 0.5, size, UNDERLINE);
  }
  if (shown !== null) drawVeil(context, geometry, shown, palette);
}

/** @param {Surface} context @param {Geometry} geometry @param {Signs["badges"]} badges @param {boolean} isAbove @param {Palette} palette */
function drawBadges(context, geometry, badges, isAbove, palette) {
  context.font = `700 9px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { layer, head, tone, letter } of badges) {
    if (layer >= geometry.layers || head >= geometry.heads) continue;
    const { x, y, size } = cellBox(geometry, { layer, head });
    const side = size >= ROOM_FOR_A_LARGE_BADGE ? 12 : size >= ROOM_FOR_A_LETTER ? 10 : 5;
    const [left, top] = [x + size - side - 1, isAbove ? y + 1 : y + size - side - 1];
    context.beginPath();
    context.roundRect(left - 1, top - 1, side + 2, side + 2, 3.5);
    context.fillStyle = palette.surface;
    context.fill();
    context.beginPath();
    context.roundRect(left, top, side, side, 3);
    context.fillStyle = palette.tones[tone % palette.tones.length];
    context.fill();
    if (size < ROOM_FOR_A_LETTER) continue;
    context.fillStyle = palette.on_tone;
    context.fillText(letter, left + side / 2, top + side / 2 + 0.5);
  }
}

/** Names of heads in their cells, out of the model's order. @param {Surface} context @param {Geometry} geometry @param {Palette} palette */
function drawCellNames(context, geometry, palette) {
  if (geometry.order === null || geometry.cell < ROOM_FOR_A_NAME) return;
  context.font = `500 10px ${palette.font}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const { layer, head, x, y, size } of cellBoxes(geometry)) {
    const name = `L${layer}H${head}`;
    context.fillStyle = palette.surface;
    context.fillRect(x, y + size - 11, size, 11);
    context.fillStyle = palette.ink;
    context.fillText(name, x + 2, y + size - 5, size - 3);
  }
}

/** @param {Surface} context @param {Geometry} geometry @param {Map<string, number>} shown @param {Palette} palette */
function drawVeil(context, geometry, shown, palette) {
  context.save();
  context.fillStyle = palette.surface;
  context.globalAlpha = 0.8;
  for (const { layer, head, x, y, size } of cellBoxes(geometry)) {
    if (!shown.has(`${layer}.${head}`)) context.fillRect(x, y, size, size);
  }
  context.restore();
}

/**
 * What is around the cells: names of layers and heads, out of the model's order the rank of the first head of each row.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Palette} palette
 * @param {Cell | null} [marked] whose names are strong
 * @param {(layer: number) => boolean} [isHere] whether a layer has arrived
 */
export function drawHeadings(context, geometry, palette, marked = null, isHere = () => true) {
  context.save();
  context.textBaseline = "middle";
  if (geometry.order === null) drawNames(context, geometry, palette, marked, isHere);
  else drawRanks(context, geometry, palette);
  context.restore();
}

/** @type {(context: Surface, geometry: Geometry, palette: Palette, marked: Cell | null, isHere: (layer: number) => boolean) => void} */
function drawNames(context, geometry, palette, marked, isHere) {
  /** Setting a font is slow, and most names have the same. @type {boolean | null} */
  let wasStrong = null;
  const write = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {boolean} */ strong) => {
    if (strong !== wasStrong) context.font = `${strong ? 700 : 400} 11px ${palette.font}`;
    wasStrong = strong;
    context.fillStyle = strong ? palette.ink : palette.muted;
    context.fillText(text, x, y);
  };
  context.textAlign = "center";
  // On narrow cells neighbouring names would touch: numbers alone say as much under one "H".
  const isNarrow = geometry.cell + geometry.gap < ROOM_FOR_A_HEADING;
  for (let layer = 0; layer < geometry.layers; layer += geometry.rows) {
    for (let head = 0; head < geometry.heads; head += 1) {
      const { x, size } = cellBox(geometry, { layer, head });
      write(isNarrow && head > 0 ? String(head) : `H${head}`, x + size / 2, 10, marked?.head === head);
    }
  }
  context.textAlign = "right";
  for (let layer = 0; layer < geometry.layers; layer += 1) {
    const box = cellBox(geometry, { layer, head: 0 });
    context.globalAlpha = isHere(layer) ? 1 : 0.5;
    write(`L${layer}`, nameEnd(box) - 4, box.y + box.size / 2, marked?.layer === layer);
  }
}

/** @param {Surface} context @param {Geometry} geometry @param {Palette} palette */
function drawRanks(context, geometry, palette) {
  context.font = `400 11px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.textAlign = "right";
  for (let row = 0; row < geometry.layers; row += 1) {
    const box = cellBox(geometry, cellIn(geometry.order, { row, column: 0 }, geometry.heads));
    context.fillText(`${row * geometry.heads + 1}.`, nameEnd(box) - 2, box.y + box.size / 2);
  }
  context.textAlign = "left";
  context.fillText("in order →", geometry.left + 4, 10);
}
