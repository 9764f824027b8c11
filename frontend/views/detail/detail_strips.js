// Two vectors and their product as three aligned strips of cells, and under them the sum as it grows, dimension by
// dimension.

import { largest, numberInFull, runningSums } from "../../maps/query_key.js";
import { sizeCanvas } from "../../page/dom.js";
import { fitted } from "../../page/labels.js";

const STRIP = 26;
const GAP = 9;
const TICKS = 20;
const SUMS = 84;
const TOP = 2;
const NARROW = 420;
/** How many dimensions are marked as the largest. */
const MARKED = 5;
const HEIGHT = TOP + 3 * (STRIP + GAP) + TICKS + SUMS + 6;

/** @param {number} width room for the names, and for the ends of the scales */
function gutters(width) {
  return width < NARROW ? { left: 50, right: 46 } : { left: 84, right: 60 };
}

/** The colour step of a value between -end and end. @param {number} value @param {number} end */
export function divergingCode(value, end) {
  return end === 0 ? 128 : Math.min(255, Math.max(0, Math.round(127.5 + (127.5 * value) / end)));
}

/** The dimension under a place on the canvas. @param {number} x @param {number} width of the canvas @param {number} count of dimensions */
export function dimensionAt(x, width, count) {
  const { left, right } = gutters(width);
  const at = Math.floor(((x - left) / (width - left - right)) * count);
  return at >= 0 && at < count ? at : null;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{steps: QueryKey, query: string, key: string, width: number, at: number | null}} strips both tokens in words, CSS pixels, and
 *   the dimension looked at
 * @param {Theme} theme
 */
export function drawStrips(canvas, { steps, query, key, width, at }, theme) {
  const context = sizeCanvas(canvas, width, HEIGHT);
  const { q, k, product, dot } = steps;
  const { palette, diverging } = theme;
  const { left, right } = gutters(width);
  const inner = width - left - right;
  const edge = (/** @type {number} */ dimension) => left + Math.round((inner * dimension) / q.length);
  const vectorsEnd = Math.max(...[...q, ...k].map(Math.abs));
  const productEnd = Math.max(...product.map(Math.abs));
  const rows = [
    { values: q, name: "q", of: query, end: vectorsEnd },
    { values: k, name: "k", of: key, end: vectorsEnd },
    { values: product, name: "q × k", of: "", end: productEnd },
  ];
  context.textBaseline = "middle";
  rows.forEach(({ values, name, of, end }, row) => {
    const y = TOP + row * (STRIP + GAP);
    values.forEach((value, dimension) => {
      context.fillStyle = diverging.css[divergingCode(value, end)];
      context.fillRect(edge(dimension), y, edge(dimension + 1) - edge(dimension), STRIP);
    });
    context.strokeStyle = palette.line;
    context.strokeRect(left + 0.5, y + 0.5, inner - 1, STRIP - 1);
    context.fillStyle = palette.ink;
    context.font = `600 13px ${palette.font}`;
    context.textAlign = "left";
    context.fillText(name, 0, y + STRIP / 2);
    const taken = context.measureText(name).width + 6;
    context.font = `12px ${palette.font}`;
    context.fillStyle = palette.muted;
    if (of !== "") context.fillText(fitted(context, of, left - taken - 8), taken, y + STRIP / 2);
    context.fillText(`±${end.toPrecision(3)}`, width - right + 8, y + STRIP / 2);
  });

  const marked = largest(product, MARKED).map(({ dimension }) => dimension);
  const productTop = TOP + 2 * (STRIP + GAP);
  context.strokeStyle = palette.ink;
  for (const dimension of marked) {
    context.strokeRect(edge(dimension) + 0.5, productTop + 0.5, edge(dimension + 1) - edge(dimension) - 1, STRIP - 1);
  }
  writeTicks(context, marked, edge, productTop + STRIP + 11, palette);

  const sums = runningSums(product);
  const sumsTop = TOP + 3 * (STRIP + GAP) + TICKS;
  const [low, high] = [Math.min(0, ...sums), Math.max(0, ...sums)];
  const height = (/** @type {number} */ sum) => sumsTop + 4 + (SUMS - 8) * (high === low ? 0.5 : (high - sum) / (high - low));
  context.fillStyle = palette.line;
  context.fillRect(left, Math.round(height(0)), inner, 1);
  sums.forEach((sum, dimension) => {
    const [from, to] = [height(sum - product[dimension]), height(sum)];
    const wide = Math.max(1, edge(dimension + 1) - edge(dimension) - 1);
    context.fillStyle = diverging.css[product[dimension] < 0 ? 48 : 207];
    context.fillRect(edge(dimension), Math.min(from, to), wide, Math.max(1, Math.abs(to - from)));
  });
  context.fillStyle = palette.ink;
  context.font = `600 13px ${palette.font}`;
  context.fillText("sum", 0, height(0));
  const end = Math.min(HEIGHT - 8, Math.max(sumsTop + 8, height(dot)));
  context.beginPath();
  context.arc(width - right, height(sums[sums.length - 1]), 3, 0, 2 * Math.PI);
  context.fill();
  context.fillText(dot.toPrecision(3).replace("-", "−"), width - right + 8, end);

  if (at !== null) {
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    context.strokeRect(edge(at) - 1, TOP - 1, edge(at + 1) - edge(at) + 2, HEIGHT - TOP - 2);
    context.lineWidth = 1;
  }
}

/**
 * The numbers of the marked dimensions, the larger product first where two would touch.
 * @param {CanvasRenderingContext2D} context
 * @param {number[]} marked
 * @param {(dimension: number) => number} edge
 * @param {number} y
 * @param {Theme["palette"]} palette
 */
function writeTicks(context, marked, edge, y, palette) {
  context.font = `11px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.textAlign = "center";
  /** @type {number[]} */
  const written = [];
  for (const dimension of marked) {
    const x = (edge(dimension) + edge(dimension + 1)) / 2;
    if (written.some((other) => Math.abs(other - x) < 18)) continue;
    written.push(x);
    context.fillText(String(dimension), x, y);
  }
  context.textAlign = "left";
}

/** One dimension in words. @param {QueryKey} steps @param {number} at */
export function dimensionInWords({ q, k, product }, at) {
  const [one, other, both] = [q[at], k[at], product[at]].map(numberInFull);
  return `Dimension ${at}: ${one} × ${other} = ${both}, the sum so far ${numberInFull(runningSums(product)[at])}.`;
}
