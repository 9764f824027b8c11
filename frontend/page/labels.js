// How tokens, heads, weights and durations are written on axes and in readouts. The server has already marked blanks and invisible
// characters.

import { perObject } from "./memo.js";

const LONGEST_IN_WORDS = 28;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What readers take for letters: a base with its marks, an emoji with its joiners. Words are cut between two. @param {string} text */
export function lettersOf(text) {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** A token as axes and tables write it: of one that the vocabulary lacks also what the model sees of it. @param {Pick<Token, "text" | "piece" | "unknown">} token */
export function tokenLabel({ text, piece, unknown }) {
  return unknown ? `${text} ${piece}` : text;
}

/** A token for a sentence about it: all of it, unless it is an unknown word of very many letters. @param {Pick<Token, "text"> & Partial<Token>} token */
export function tokenInWords({ text, piece, unknown }) {
  const letters = text.length <= LONGEST_IN_WORDS ? [] : lettersOf(text);
  const short = letters.length <= LONGEST_IN_WORDS ? text : `${letters.slice(0, LONGEST_IN_WORDS - 1).join("")}…`;
  return isolated(tokenLabel({ text: short, piece: piece ?? "", unknown }));
}

/** A text that runs right to left, kept from turning round the words and arrows beside it. @param {string} text */
function isolated(text) {
  return directionOf(text) === "rtl" ? `\u2068${text}\u2069` : text;
}

/** A token and its position: `France ·3`. @param {Pick<Token, "text">} token @param {number} place */
export function placedToken(token, place) {
  return `${tokenInWords(token)} ·${place}`;
}

/** Widths by font, measured once per list: hovering draws often. */
const widthsOf = perObject((/** @type {string[]} */ _) => /** @type {Map<string, number>} */ (new Map()));

/** How wide the widest label is. @param {Pick<Surface, "font" | "measureText">} context @param {string[]} labels */
export function longestWidth(context, labels) {
  const byFont = widthsOf(labels);
  const width = byFont.get(context.font) ?? Math.max(24, ...labels.map((label) => context.measureText(label).width));
  byFont.set(context.font, width);
  return width;
}

/** The text with no line end between a number and its percent sign, nor inside `n = 5`. @param {string} text */
export function unbroken(text) {
  return text.replace(/(\d) %/g, "$1\u00a0%").replace(/\bn = (?=\d)/g, "n\u00a0=\u00a0");
}

/** @param {number} layer @param {number} head */
export function headName(layer, head) {
  return `L${layer} H${head}`;
}

/** Four decimals, or a bound for what would read as zero. @param {number} weight below zero only in differences @returns {string} */
export function weightText(weight) {
  if (weight < 0) return weight > -0.00005 ? ">−0.0001" : `−${weightText(-weight)}`;
  if (weight > 0 && weight < 0.00005) return "<0.0001";
  return weight.toFixed(4);
}

/** A weight that is known to hundredths. @param {number} weight */
export function roughText(weight) {
  return `≈ ${weight < 0 ? "−" : ""}${Math.abs(weight).toFixed(2)}`;
}

/** A duration: in milliseconds below a second, then in seconds, then in minutes. @param {number} ms @returns {string} */
export function durationText(ms) {
  if (ms < 999.5) return `${Math.round(ms)}\u00a0ms`;
  if (ms < 59950) return `${(ms / 1000).toFixed(1)}\u00a0s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}\u00a0min ${seconds % 60}\u00a0s`;
}

/** The text, cut with an ellipsis to fit. @param {Pick<Surface, "measureText">} context @param {string} text @param {number} width */
export function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = lettersOf(text);
  let [short, long] = [0, letters.length];
  while (short < long) {
    const middle = Math.ceil((short + long) / 2);
    if (context.measureText(`${letters.slice(0, middle).join("")}…`).width <= width) short = middle;
    else long = middle - 1;
  }
  return `${letters.slice(0, short).join("")}…`;
}

const RIGHT_TO_LEFT =
  /^\P{L}*(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The direction of a text: that of its first letter, as `dir="auto"` has it. @param {string} text @returns {"ltr" | "rtl"} */
export function directionOf(text) {
  return RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr";
}

/** Write each n-th label, so that none touch: n. @param {number} pitch pixels between two labels @param {number} needed pixels for one */
export function labelStep(pitch, needed) {
  return Math.max(1, Math.ceil(needed / pitch));
}
