// What a panel shows: one head, several heads as one map or over each other as lines, or how two maps differ; its name,
// and how a link writes it: `3.1h`, `b:3.1l`, `mean(3.*+4.2)h`, `rollout(5)h`, `diff(3.1;b:3.1)h`, `lines(3.1+b:3.1)l`.

import { headName } from "../page/labels.js";

/** @typedef {"heatmap" | "lines" | "table"} Mode */
/** @typedef {{side: Side, stack: number}} Place a grid: of one side, and which attention of its model */
/** @typedef {Place & {layer: number, head: number}} HeadPlace */
/** @typedef {{layer: number, head: number | null}} Member null: every head of the layer */
/** @typedef {{kind: "head"} & HeadPlace} OneHead */
/** @typedef {{kind: "mean" | "max", cells: Member[]} & Place} Several no cells: all heads */
/** @typedef {{kind: "rollout", layer: number} & Place} Rollout up to and with a layer */
/** @typedef {OneHead | Several | Rollout} Simple */
/** @typedef {{kind: "difference" | "agreement", one: Simple, other: Simple}} Pair */
/** @typedef {{kind: "overlay", heads: OneHead[]}} Overlay lines of several heads in one picture */
/** @typedef {Simple | Pair | Overlay} What */
/** @typedef {What & {mode: Mode}} Pin */

/** A link writes a mode by its first letter. @type {Mode[]} */
const MODES = ["heatmap", "lines", "table"];
/** Which attention: the model's only or first one, an encoder-decoder's decoder, its cross-attention. */
const STACKS = ["", "d", "x"];
/** @type {Record<Pair["kind"], string>} */
const PAIRS = { difference: "diff", agreement: "same" };

/** So many heads have a colour of their own. */
export const MOST_OVERLAID = 7;

/** @param {{layer: number, head: number} & Partial<Place>} cell @returns {OneHead} */
export function oneHead({ layer, head, side = "a", stack = 0 }) {
  return { kind: "head", side, stack, layer, head };
}

/** How much a head's map differs between the sides. @param {OneHead} head @returns {Pair} */
export function differenceOf(head) {
  return { kind: "difference", one: head, other: { ...head, side: "b" } };
}

/** @param {What} what @returns {what is Pair} */
export function isPair(what) {
  return what.kind === "difference" || what.kind === "agreement";
}

/** @param {What} what @returns {what is Simple} one map as the server has it */
export function isSimple(what) {
  return !isPair(what) && what.kind !== "overlay";
}

/** @param {What} what the simple maps it is made of @returns {Simple[]} */
export function partsOf(what) {
  if (what.kind === "overlay") return what.heads;
  return isPair(what) ? [what.one, what.other] : [what];
}

/** What is shown, as a short word: the same for the same thing. It is also how a link writes it. @param {What} what @returns {string} */
export function whatKey(what) {
  if (isPair(what)) return `${PAIRS[what.kind]}(${whatKey(what.one)};${whatKey(what.other)})`;
  if (what.kind === "overlay") return `lines(${what.heads.map(whatKey).join("+")})`;
  const place = `${what.side === "b" ? "b:" : ""}${STACKS[what.stack]}`;
  if (what.kind === "head") return `${place}${what.layer}.${what.head}`;
  if (what.kind === "rollout") return `${place}rollout(${what.layer})`;
  return `${place}${what.kind}(${what.cells.map(({ layer, head }) => `${layer}.${head ?? "*"}`).join("+")})`;
}

/** @param {Pin} pin */
export function writePin(pin) {
  return `${whatKey(pin)}${pin.mode[0]}`;
}

/** @param {string} word @returns {Pin | null} */
export function readPin(word) {
  const mode = MODES.find((one) => one[0] === word.at(-1));
  const what = mode ? readWhat(word.slice(0, -1)) : null;
  return what && mode ? { ...what, mode: modeFor(what, mode) } : null;
}

/** How something is drawn when a mode is chosen: an overlay is no heatmap. @param {What} what @param {Mode} mode @returns {Mode} */
export function modeFor(what, mode) {
  return what.kind === "overlay" && mode === "heatmap" ? "lines" : mode;
}

/** @param {string} word as whatKey writes it @returns {What | null} */
export function readWhat(word) {
  const overlay = /^lines\(([^;()]*)\)$/.exec(word);
  if (overlay) return readOverlay(overlay[1]);
  const pair = /^(diff|same)\(([^;]*);([^;]*)\)$/.exec(word);
  if (!pair) return readSimple(word);
  const [one, other] = [readSimple(pair[2]), readSimple(pair[3])];
  return one && other && { kind: pair[1] === "diff" ? "difference" : "agreement", one, other };
}

/** @param {string} words of heads, each once @returns {Overlay | null} */
function readOverlay(words) {
  const heads = [...new Set(words.split("+"))].map(readSimple).filter((what) => what?.kind === "head");
  const isWhole = heads.length === words.split("+").length && heads.length >= 2 && heads.length <= MOST_OVERLAID;
  return isWhole ? { kind: "overlay", heads } : null;
}

/** @param {string} word @returns {Simple | null} */
function readSimple(word) {
  const match = /^(b:)?([dx]?)(?:(\d{1,4})\.(\d{1,4})|rollout\((\d{1,4})\)|(mean|max)\(([\d.*+]*)\))$/.exec(word);
  if (!match) return null;
  const [, b, letter, layer, head, upTo, kind, members] = match;
  /** @type {Place} */
  const place = { side: b ? "b" : "a", stack: STACKS.indexOf(letter) };
  if (layer !== undefined) return { kind: "head", ...place, layer: Number(layer), head: Number(head) };
  if (upTo !== undefined) return { kind: "rollout", ...place, layer: Number(upTo) };
  const cells = members === "" ? [] : members.split("+").map(readMember);
  if (cells.some((cell) => cell === null)) return null;
  return { kind: kind === "max" ? "max" : "mean", ...place, cells: /** @type {Member[]} */ (cells) };
}

/** @param {string} word @returns {Member | null} */
function readMember(word) {
  const match = /^(\d{1,4})\.(\d{1,4}|\*)$/.exec(word);
  return match && { layer: Number(match[1]), head: match[2] === "*" ? null : Number(match[2]) };
}

/** @param {Pin[]} pins @returns {Pin[]} each thing once, in the last mode it has */
export function eachOnce(pins) {
  return [...new Map(pins.map((pin) => [whatKey(pin), pin])).values()];
}

/** Whether a head has a panel of its own. @param {Pin[]} pins @param {{layer: number, head: number} & Partial<Place>} cell */
export function hasPin(pins, cell) {
  return pins.some((pin) => whatKey(pin) === whatKey(oneHead(cell)));
}

/** The heads of the first grid that have a panel of their own. @param {Pin[]} pins @returns {OneHead[]} */
export function headPins(pins) {
  return pins.filter((pin) => pin.kind === "head").filter(({ side, stack }) => side === "a" && stack === 0);
}

/** What a panel is called. @param {What} what @returns {string} */
export function whatName(what) {
  if (isPair(what)) {
    const joined = (/** @type {string[]} */ words) => words.join(what.kind === "difference" ? " − " : " ∩ ");
    const parts = partsOf(what);
    if (what.one.side === what.other.side) return joined(parts.map(whatName));
    // Beside B the first side has its letter too.
    const letters = parts.map(({ side }) => side.toUpperCase());
    const names = parts.map((part) => whatName({ ...part, side: "a" }));
    return names[0] === names[1] ? `${names[0]}: ${joined(letters)}` : joined(names.map((name, at) => `${letters[at]} ${name}`));
  }
  if (what.kind === "overlay") return what.heads.map(whatName).join(" + ");
  const place = `${what.side === "b" ? "B " : ""}${["", "decoder ", "cross "][what.stack]}`;
  if (what.kind === "head") return `${place}${headName(what.layer, what.head)}`;
  if (what.kind === "rollout") return `${place}Rollout to L${what.layer}`;
  return `${place}${what.kind === "mean" ? "Mean" : "Max"} of ${membersName(what.cells)}`;
}

/** @param {Member[]} cells */
function membersName(cells) {
  if (cells.length === 0) return "all heads";
  const names = cells.map(({ layer, head }) => (head === null ? `L${layer}` : headName(layer, head)));
  return names.length <= 3 ? names.join(", ") : `${cells.length} parts`;
}

/**
 * Whether a model has what is to be shown.
 * @param {What} what
 * @param {(place: Place) => {n_layers: number, n_heads: number} | null} shapeOf null: not known yet, so it may have
 * @returns {boolean}
 */
export function fits(what, shapeOf) {
  if (isPair(what)) return fits(what.one, shapeOf) && fits(what.other, shapeOf);
  if (what.kind === "overlay") return what.heads.every((head) => fits(head, shapeOf));
  const shape = shapeOf(what);
  if (shape === null) return true;
  const cells = "cells" in what ? what.cells : [{ head: null, ...what }];
  return shape.n_layers > 0 && cells.every(({ layer, head }) => layer < shape.n_layers && (head ?? 0) < shape.n_heads);
}
