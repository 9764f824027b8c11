// One head as a bipartite picture: queries left, keys right, a line for each link that is shown.
// It must not know state, nor choose links; it draws what it is given on the canvas it is given.

import { drawingContext, sizeCanvas } from "../dom.js";
import { fitted, labelStep, longestWidth } from "../labels.js";
import { codeOfWeight } from "../wire.js";

/** @typedef {import("./heatmap.js").Drawing} Drawing */
/** @typedef {import("../links.js").Link} Link */
/** @typedef {import("../permalink.js").Focus} Focus */
/** @typedef {{left: number, right: number, pitch: number, n: number, top: number}} Geometry */

const FONT_SIZE = 12;
const LONGEST_LABEL = 96;
const LABEL_PITCH = 14;
const TOP = 22;
const TALLEST_FIT = 420;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Drawing} drawing
 * @param {Link[]} links weakest first
 * @returns {Geometry}
 */
export function drawLines(canvas, drawing, links) {
  const { labels, width, palette, focus } = drawing;
  const font = `${FONT_SIZE}px ${palette.font}`;
  const measure = drawingContext(canvas);
  measure.font = font;
  const longest = longestWidth(measure, labels);
  const band = Math.ceil(Math.min(LONGEST_LABEL, longest, width * 0.32)) + 14;
  const pitch = Math.min(24, Math.max(2, Math.min(TALLEST_FIT, width) / labels.length));
  const geometry = { left: band, right: width - band, pitch, n: labels.length, top: TOP };
  const context = sizeCanvas(canvas, width, TOP + pitch * labels.length + 4);
  context.font = font;
  context.textBaseline = "middle";
  drawLinks(context, geometry, drawing, links);
  drawSide(context, geometry, drawing, "query", incoming(links, "query", focus));
  drawSide(context, geometry, drawing, "key", incoming(links, "key", focus));
  context.font = `600 10px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.textAlign = "right";
  context.fillText("QUERY", band - 8, 8);
  context.textAlign = "left";
  context.fillText("KEY", width - band + 8, 8);
  return geometry;
}

/**
 * The weights to tint one side's tokens with: the partners of the one focused token.
 * @param {Link[]} links
 * @param {"query" | "key"} side
 * @param {Focus | null} focus
 * @returns {Map<number, number>}
 */
function incoming(links, side, focus) {
  const isPartner = side === "key" ? focus?.query != null : focus?.query == null && focus?.key != null;
  return new Map(isPartner ? links.map((link) => [link[side], link.weight]) : []);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} geometry
 * @param {Drawing} drawing
 * @param {Link[]} links
 */
function drawLinks(context, { left, right, pitch, top }, { focus, palette, css }, links) {
  const bend = (right - left) * 0.4;
  const isPair = focus?.query != null && focus.key != null;
  for (const { query, key, weight } of links) {
    const isChosen = isPair && focus.query === query && focus.key === key;
    const strength = Math.sqrt(weight);
    const from = top + (query + 0.5) * pitch;
    const to = top + (key + 0.5) * pitch;
    context.beginPath();
    context.moveTo(left, from);
    context.bezierCurveTo(left + bend, from, right - bend, to, right, to);
    context.lineWidth = isChosen ? 3 : 0.6 + 2.6 * strength;
    context.globalAlpha = isChosen ? 1 : (0.2 + 0.8 * strength) * (isPair ? 0.5 : 1);
    context.strokeStyle = isChosen ? palette.accent : css[185];
    context.stroke();
  }
  context.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Geometry} geometry
 * @param {Drawing} drawing
 * @param {"query" | "key"} side
 * @param {Map<number, number>} tints
 */
function drawSide(context, { left, right, pitch, top }, { labels, focus, palette, css }, side, tints) {
  const x = side === "query" ? left - 8 : right + 8;
  const room = left - 14;
  const chosen = focus?.[side] ?? null;
  const step = labelStep(pitch, LABEL_PITCH);
  context.textAlign = side === "query" ? "right" : "left";
  for (const [token, weight] of tints) {
    context.fillStyle = css[codeOfWeight(weight)];
    const height = Math.max(2, Math.min(pitch - 2, 8));
    context.fillRect(side === "query" ? left - 5 : right, top + (token + 0.5) * pitch - height / 2, 5, height);
  }
  for (let token = 0; token < labels.length; token += step) {
    if (chosen !== null && Math.abs(token - chosen) * pitch < LABEL_PITCH) continue;
    context.fillStyle = palette.ink;
    context.globalAlpha = chosen === null && tints.size === 0 ? 0.85 : 0.6;
    context.fillText(fitted(context, labels[token], room), x, top + (token + 0.5) * pitch);
  }
  context.globalAlpha = 1;
  if (chosen === null || chosen >= labels.length) return;
  const text = fitted(context, labels[chosen], room);
  const width = context.measureText(text).width;
  const middle = top + (chosen + 0.5) * pitch;
  context.fillStyle = palette.accent;
  context.beginPath();
  context.roundRect(side === "query" ? x - width - 5 : x - 5, middle - 9, width + 10, 18, 5);
  context.fill();
  context.fillStyle = palette.on_accent;
  context.fillText(text, x, middle + 0.5);
}

/**
 * Which token lies under a point: the left half holds queries, the right half keys.
 * @param {Geometry} geometry
 * @param {number} x CSS pixels inside the canvas
 * @param {number} y
 * @returns {Focus | null}
 */
export function linesHit({ left, right, pitch, n, top }, x, y) {
  const token = Math.floor((y - top) / pitch);
  if (token < 0 || token >= n) return null;
  return x < (left + right) / 2 ? { query: token, key: null } : { query: null, key: token };
}
