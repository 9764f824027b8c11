// The cells of a heatmap as shapes, for papers: one shape a colour, neighbours of a row drawn as one rectangle.

import { allowedBy } from "../maps/drawn_links.js";

/** @param {Surface} context @param {Drawing} drawing @param {import("./heatmap.js").Geometry} geometry */
export function paintVectorCells(context, drawing, { left, top, cell, rows, cols }) {
  const { sheet, css, visible, dimmed } = drawing;
  const isShown = allowedBy(drawing);
  const colours = Uint16Array.from(sheet.codes, (code, at) => {
    if (!isShown(Math.floor(at / cols), at % cols)) return OUTSIDE;
    return dimmed?.cols[at % cols] === 1 ? DIMMED + code : code;
  });
  const ground = commonest(colours);
  /** @type {Map<number, [number, number, number][]>} */
  const runs = new Map();
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0, end = 0; col < cols; col = end) {
      const colour = colours[row * cols + col];
      for (end = col + 1; end < cols && colours[row * cols + end] === colour; ) end += 1;
      if (colour === ground) continue;
      const found = runs.get(colour) ?? [];
      runs.set(colour, found);
      found.push([row, col, end - col]);
    }
  }
  const cssOf = (/** @type {number} */ colour) => {
    if (colour === OUTSIDE) return unpacked(visible?.outside ?? 0);
    return (colour >= DIMMED ? dimmed?.css[colour - DIMMED] : css[colour]) ?? "";
  };
  context.fillStyle = cssOf(ground);
  context.fillRect(left, top, cell * cols, cell * rows);
  for (const [colour, found] of runs) {
    context.fillStyle = cssOf(colour);
    context.beginPath();
    for (const [row, col, count] of found) context.rect(left + col * cell, top + row * cell, count * cell, cell);
    context.fill();
  }
}

/** The code of the colour of what a filter hides, among the codes 0 to 255. */
const OUTSIDE = 256;
/** The first of the codes of dimmed colours, after those. */
const DIMMED = 257;

/** @param {Uint16Array} colours */
function commonest(colours) {
  const counts = new Uint32Array(DIMMED + 256);
  for (const colour of colours) counts[colour] += 1;
  return counts.indexOf(Math.max(...counts));
}

/** @param {number} colour packed */
function unpacked(colour) {
  return `rgb(${colour & 255} ${(colour >>> 8) & 255} ${(colour >>> 16) & 255})`;
}
