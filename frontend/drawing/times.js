// Times of a few ways, round by round, as points with a line at the median of each.

import { sizeCanvas } from "../page/dom.js";

const EDGE = { left: 52, right: 12, top: 10, bottom: 26 };
const FONT = 11;
const DASHES = [[], [6, 3], [2, 3]];

/** The middle of some numbers. @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A round number that is not below one. @param {number} value */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return power * (/** @type {number} */ ([1, 2, 2.5, 5, 10].find((step) => step * power >= value * 0.999999)));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{series: number[][], total: number, width: number, height: number}} times milliseconds of each way; total: how many rounds there will be
 * @param {Palette} palette
 */
export function drawTimes(canvas, { series, total, width, height }, palette) {
  if (width === 0) return;
  const context = sizeCanvas(canvas, width, height);
  const top = roundUp(Math.max(1e-3, ...series.flat()));
  const [wide, high] = [width - EDGE.left - EDGE.right, height - EDGE.top - EDGE.bottom];
  const x = (/** @type {number} */ round) => EDGE.left + ((round + 0.5) * wide) / Math.max(1, total);
  const y = (/** @type {number} */ ms) => EDGE.top + high * (1 - ms / top);
  context.font = `${FONT}px ${palette.font}`;
  context.textBaseline = "middle";
  for (const part of [0, 0.5, 1]) {
    context.fillStyle = palette.line;
    context.fillRect(EDGE.left, Math.round(y(part * top)), wide, 1);
    context.fillStyle = palette.muted;
    context.textAlign = "right";
    context.fillText(`${Number((part * top).toPrecision(3))} ms`, EDGE.left - 6, y(part * top));
  }
  context.textAlign = "center";
  context.fillText(`${total} rounds`, EDGE.left + wide / 2, height - 8);
  series.forEach((numbers, way) => {
    if (numbers.length === 0) return;
    context.strokeStyle = context.fillStyle = palette.tones[way];
    const middle = y(median(numbers));
    context.setLineDash(DASHES[way % DASHES.length]);
    context.beginPath();
    context.moveTo(EDGE.left, middle);
    context.lineTo(EDGE.left + wide, middle);
    context.stroke();
    context.setLineDash([]);
    numbers.forEach((ms, round) => {
      context.beginPath();
      context.arc(x(round), y(ms), 3.5, 0, 2 * Math.PI);
      context.fill();
    });
  });
}
