// The tokens along one axis of a picture: their labels, and the chosen ones on a coloured ground.

import { directionOf, fitted, labelStep } from "../page/labels.js";

/**
 * @typedef {object} AxisLabels
 * @property {string[]} labels
 * @property {number[]} chosen
 * @property {number[]} [first] where there is no room for all labels, those written before others, most important first
 * @property {number} pitch pixels between two neighbours
 * @property {number} needed pixels that two labels must be apart
 * @property {number} room pixels a label may be long
 * @property {"left" | "right"} align which end of a label is at its place
 * @property {number} turn radians, clockwise
 * @property {(at: number) => [number, number]} place
 * @property {(at: number) => number} alpha how clearly a label that is not chosen is written
 * @property {string} colour
 */

const PAD = 4;

/** The labels last fitted into a room: hovering draws often. @type {WeakMap<string[], {key: string, texts: string[]}>} */
const fittedLabels = new WeakMap();

/** All labels with room, but those that chosen ones displace. @param {Surface} context with the font set @param {AxisLabels} axis */
export function drawLabels(context, axis) {
  const displaced = new Set(displacedOf(axis));
  const written = writtenOf(axis).filter((at) => !displaced.has(at));
  atPlaces(context, axis, written, (text, at) => {
    context.fillStyle = axis.colour;
    context.globalAlpha = axis.alpha(at);
    context.fillText(text, 0, 0);
  });
}

/** How many labels are written when none is chosen. @param {AxisLabels} axis */
export function countLabels(axis) {
  return writtenOf(axis).length;
}

/** Erase what chosen labels displace. @param {CanvasRenderingContext2D} context with font and all labels @param {AxisLabels} axis */
export function eraseLabels(context, axis) {
  const { align, room, needed } = axis;
  const start = align === "right" ? -room - 1 : -1;
  atPlaces(context, axis, displacedOf(axis), () => context.clearRect(start, -needed / 2 - 0.5, room + 2, needed + 1));
}

/** The chosen labels on a coloured ground. @param {Surface} context with the font set @param {AxisLabels} axis @param {Palette} palette */
export function markLabels(context, axis, palette) {
  const { align, needed } = axis;
  const height = needed + 2;
  atPlaces(context, axis, markedOf(axis), (text) => {
    const width = context.measureText(text).width + 2 * PAD;
    context.fillStyle = palette.accent;
    context.beginPath();
    context.roundRect(align === "right" ? PAD - width : -PAD, -height / 2, width, height, PAD);
    context.fill();
    context.fillStyle = palette.on_accent;
    context.fillText(text, 0, 0.5);
  });
}

/** @param {Pick<AxisLabels, "pitch" | "needed">} axis whether all labels have room */
export function hasRoomForAll({ pitch, needed }) {
  return labelStep(pitch, needed) === 1;
}

/** @param {AxisLabels} axis the labels there is room for when none is chosen */
function writtenOf({ labels, pitch, needed, first = [] }) {
  const step = labelStep(pitch, needed);
  const regular = Array.from({ length: Math.ceil(labels.length / step) }, (_, at) => at * step);
  if (step === 1 || first.length === 0) return regular;
  /** @type {Set<number>} */
  const taken = new Set();
  for (const at of [...first, ...regular]) {
    const isFree = Array.from({ length: 2 * step - 1 }, (_, near) => at + near - step + 1).every((near) => !taken.has(near));
    if (isFree) taken.add(at);
  }
  return [...taken];
}

/** @param {AxisLabels} axis those of them that lie where a chosen one is written */
function displacedOf(axis) {
  const marked = markedOf(axis);
  if (marked.length === 0) return [];
  return writtenOf(axis).filter((at) => marked.some((other) => Math.abs(at - other) * axis.pitch < axis.needed));
}

/** The chosen tokens whose labels do not lie on each other. @param {AxisLabels} axis */
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
 * @param {AxisLabels} axis
 * @param {number[]} tokens
 * @param {(text: string, at: number) => void} draw with the label's place as the origin
 */
function atPlaces(context, { labels, room, align, turn, place }, tokens, draw) {
  if (tokens.length === 0) return;
  const key = `${context.font} ${room}`;
  const known = fittedLabels.get(labels);
  const texts = known?.key === key ? known.texts : [];
  fittedLabels.set(labels, { key, texts });
  for (const at of tokens) {
    texts[at] ??= fitted(context, labels[at], room);
    context.save();
    context.translate(...place(at));
    context.rotate(turn);
    context.textBaseline = "middle";
    context.textAlign = align;
    context.direction = directionOf(texts[at]);
    draw(texts[at], at);
    context.restore();
  }
}
