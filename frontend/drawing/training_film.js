// One picture of a training as a film shows it: the maps of all heads, the curve of the loss with a dot, the step.

import { fitted } from "../page/labels.js";
import { hasNames, mapSide, nameLength, paintAt } from "./head_maps.js";

/**
 * @typedef {object} FilmPicture
 * @property {string} title
 * @property {string} words the step and the loss
 * @property {string[]} names of the tokens
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {(layer: number, head: number) => SmallMap} mapOf
 * @property {(layer: number, head: number) => string} labelOf its name and roles
 * @property {{x: number, y: number}[]} curve the held-out loss
 * @property {{y: number, text: string}[]} lines of theory
 * @property {number} at which point of the curve is shown
 */

export const FILM_SIZE = { width: 1120, height: 630 };
const PAD = 24;
const HEAD = 70;
const CURVE = 360; // pixels of the chart at the right
const GAP = 10;
const CAPTION = 20;

/** @param {HTMLCanvasElement} canvas of FILM_SIZE @param {FilmPicture} picture @param {Theme} theme */
export function drawFilm(canvas, picture, theme) {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const { palette } = theme;
  const { width, height } = FILM_SIZE;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, width, height);
  context.textBaseline = "middle";
  context.textAlign = "left";
  write(context, palette, palette.ink, 22, 600, picture.title, PAD, 28, width - 2 * PAD);
  write(context, palette, palette.accent, 18, 600, picture.words, PAD, 56, width - 2 * PAD);
  drawMaps(context, picture, theme);
  drawCurve(context, picture, palette);
}

/** @param {CanvasRenderingContext2D} context @param {Palette} palette @param {string} colour @param {number} size @param {number} weight @param {string} text @param {number} x @param {number} y @param {number} room */
function write(context, palette, colour, size, weight, text, x, y, room) {
  context.font = `${weight} ${size}px ${palette.font}`;
  context.fillStyle = colour;
  context.fillText(fitted(context, text, room), x, y);
}

/** @param {CanvasRenderingContext2D} context @param {FilmPicture} picture @param {Theme} theme */
function drawMaps(context, { names, n_layers, n_heads, mapOf, labelOf }, theme) {
  const { palette } = theme;
  const length = nameLength(context, names, palette) + 6;
  const room = FILM_SIZE.width - CURVE - 3 * PAD;
  const tall = Math.floor((FILM_SIZE.height - HEAD - PAD) / n_layers) - CAPTION - GAP;
  const largest = Math.max(8, tall);
  const isNamed = hasNames(mapSide(room - length, n_heads, GAP, [8, largest]), names.length);
  const left = PAD + (isNamed ? length : 0);
  const side = mapSide(room - (isNamed ? length : 0), n_heads, GAP, [8, largest]);
  for (let layer = 0; layer < n_layers; layer += 1) {
    const y = HEAD + 10 + layer * (side + CAPTION + GAP);
    for (let head = 0; head < n_heads; head += 1) {
      const x = left + head * (side + GAP);
      paintAt(context, side, mapOf(layer, head), theme, x, y);
      write(context, palette, palette.muted, 12, 500, labelOf(layer, head), x, y + side + CAPTION / 2, side);
    }
    if (!isNamed) continue;
    context.textAlign = "right";
    names.forEach((name, at) => write(context, palette, palette.ink, Math.min(12, side / names.length), 400, name, left - 5, y + ((at + 0.5) * side) / names.length, length));
    context.textAlign = "left";
  }
}

/** @param {CanvasRenderingContext2D} context @param {FilmPicture} picture @param {Palette} palette */
function drawCurve(context, { curve, lines, at }, palette) {
  const box = { x: FILM_SIZE.width - CURVE - PAD + 40, y: HEAD + 30, width: CURVE - 40, height: FILM_SIZE.height - HEAD - 30 - 60 };
  const values = [...curve.map(({ y }) => y), ...lines.map(({ y }) => y)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const last = Math.max(1, curve.at(-1)?.x ?? 1);
  const place = (/** @type {{x: number, y: number}} */ { x, y }) => /** @type {[number, number]} */ ([box.x + (box.width * x) / last, box.y + (box.height * (most - y)) / (most - least || 1)]);
  write(context, palette, palette.muted, 13, 500, "Held-out loss (nats)", box.x, HEAD + 12, box.width);
  context.strokeStyle = palette.muted;
  context.lineWidth = 1;
  context.setLineDash([6, 5]);
  for (const { y, text } of lines) {
    const [, line] = place({ x: 0, y });
    context.beginPath();
    context.moveTo(box.x, line);
    context.lineTo(box.x + box.width, line);
    context.stroke();
    context.textAlign = "right";
    write(context, palette, palette.muted, 12, 400, text, box.x + box.width, line - 8, box.width);
    context.textAlign = "left";
  }
  context.setLineDash([]);
  context.strokeStyle = palette.tones[0];
  context.lineWidth = 2.5;
  context.beginPath();
  for (const point of curve) context.lineTo(...place(point));
  context.stroke();
  write(context, palette, palette.muted, 12, 400, "step 0", box.x, box.y + box.height + 16, 80);
  context.textAlign = "right";
  write(context, palette, palette.muted, 12, 400, last.toLocaleString("en"), box.x + box.width, box.y + box.height + 16, 80);
  write(context, palette, palette.muted, 12, 400, most.toFixed(2), box.x - 6, box.y, 40);
  write(context, palette, palette.muted, 12, 400, least.toFixed(2), box.x - 6, box.y + box.height, 40);
  context.textAlign = "left";
  const here = curve[at];
  if (!here) return;
  context.fillStyle = palette.accent;
  context.beginPath();
  context.arc(...place(here), 7, 0, 2 * Math.PI);
  context.fill();
}
