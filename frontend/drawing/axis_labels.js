// The tokens along one side of a picture: their labels, and the chosen ones on a coloured ground.

import { directionOf, fitted, labelStep } from "../maps/labels.js";

/**
 * @typedef {object} Side
 * @property {string[]} labels
 * @property {number[]} chosen
 * @property {number} pitch pixels between two neighbours
 * @property {number} needed pixels that two labels must be apart
 * @property {number} room pixels a label may be long
 * @property {"left" | "right"} align which end of a label stands at its place
 * @property {number} turn radians, clockwise
 * @property {(at: number) => [number, number]} place
 * @property {(at: number) => number} alpha how clearly a label that is not chosen is written
 * @property {string} colour
 */

const PAD = 4;

/**
 * Every label there is room for, but those that chosen ones take the place of.
 * @param {Surface} context with the font set
 * @param {Side} side
 */
export function drawLabels(context, side) {
  context.save();
  context.textBaseline = "middle";
  context.textAlign = side.align;
  context.fillStyle = side.colour;
  const displaced = new Set(displacedOf(side));
  for (const at of writtenOf(side)) {
    if (displaced.has(at)) continue;
    context.globalAlpha = side.alpha(at);
    placed(context, side, at, (text) => context.fillText(text, 0, 0));
  }
  context.restore();
}

/**
 * Take what chosen labels displace out of a picture that has all labels.
 * @param {CanvasRenderingContext2D} context with the font set
 * @param {Side} side
 */
export function eraseLabels(context, side) {
  const { align, room, needed } = side;
  for (const at of displacedOf(side)) {
    placed(context, side, at, () => context.clearRect(align === "right" ? -room - 1 : -1, -needed / 2 - 0.5, room + 2, needed + 1));
  }
}

/**
 * The chosen labels, each on a coloured ground.
 * @param {Surface} context with the font set
 * @param {Side} side
 * @param {Palette} palette
 */
export function markLabels(context, side, palette) {
  const { align, needed } = side;
  const height = needed + 2;
  context.save();
  context.textBaseline = "middle";
  context.textAlign = align;
  for (const at of markedOf(side)) {
    placed(context, side, at, (text) => {
      const width = context.measureText(text).width + 2 * PAD;
      context.fillStyle = palette.accent;
      context.beginPath();
      context.roundRect(align === "right" ? PAD - width : -PAD, -height / 2, width, height, PAD);
      context.fill();
      context.fillStyle = palette.on_accent;
      context.fillText(text, 0, 0.5);
    });
  }
  context.restore();
}

/** @param {Side} side the labels there is room for when none is chosen */
function writtenOf({ labels, pitch, needed }) {
  const step = labelStep(pitch, needed);
  return Array.from({ length: Math.ceil(labels.length / step) }, (_, at) => at * step);
}

/** @param {Side} side those of them that lie where a chosen one is written */
function displacedOf(side) {
  const marked = markedOf(side);
  if (marked.length === 0) return [];
  return writtenOf(side).filter((at) => marked.some((other) => Math.abs(at - other) * side.pitch < side.needed));
}

/**
 * The chosen tokens whose labels do not lie on each other.
 * @param {Side} side
 */
function markedOf({ labels, chosen, pitch, needed }) {
  /** @type {number[]} */
  const kept = [];
  for (const at of [...chosen].sort((one, other) => one - other)) {
    const last = kept.at(-1);
    if (at < labels.length && (last === undefined || (at - last) * pitch >= needed)) kept.push(at);
  }
  return kept;
}

/**
 * @param {Surface} context
 * @param {Side} side
 * @param {number} at
 * @param {(text: string) => void} draw with the label's place as the origin
 */
function placed(context, { labels, room, turn, place }, at, draw) {
  const text = fitted(context, labels[at], room);
  context.save();
  context.translate(...place(at));
  context.rotate(turn);
  context.direction = directionOf(text);
  draw(text);
  context.restore();
}
