// Tokens merged to words: as their tokenizer splits words, and with what an apostrophe joins to them, as in didn't.

import { tokenLabel } from "../page/labels.js";

/**
 * Runs of neighbours that make one word; what belongs to no word, as special tokens, is alone.
 * @param {Token[]} tokens
 * @param {number[]} places of the tokens to merge, in reading order
 * @returns {number[][]} the same places, word by word
 */
export function wordRuns(tokens, places) {
  /** @type {number[][]} */
  const runs = [];
  for (const place of places) {
    const run = runs.at(-1);
    const isJoined = run && (isSameWord(tokens[run[0]], tokens[place]) || isContraction(tokens, run, place));
    if (isJoined) run.push(place);
    else runs.push([place]);
  }
  return runs;
}

const APOSTROPHE = /^['’ʼ＇]$/u;
const LETTERS = /^[\p{L}\p{M}]+$/u;
const CONTRACTED = /^['’ʼ＇][\p{L}\p{M}]+$/u;

/**
 * Whether a token continues the word before it: an apostrophe and letters after letters with nothing between.
 * @param {Token[]} tokens
 * @param {number[]} run the word so far
 * @param {number} place
 */
function isContraction(tokens, run, place) {
  const [last, token, next] = [tokens[run[run.length - 1]], tokens[place], tokens[place + 1]];
  if (!touches(last, token)) return false;
  if (LETTERS.test(last.text) && CONTRACTED.test(token.text)) return true;
  const isBefore = APOSTROPHE.test(token.text) && LETTERS.test(last.text);
  if (isBefore) return next !== undefined && touches(token, next) && LETTERS.test(next.text);
  return run.length > 1 && APOSTROPHE.test(last.text) && LETTERS.test(token.text);
}

/** Whether nothing is between two tokens. @param {Token} one @param {Token} other */
export function touches(one, other) {
  return typeof one.end === "number" && one.end === other.start && one.segment === other.segment;
}

/** @param {Token} one @param {Token} other */
function isSameWord(one, other) {
  return one.word !== null && one.word === other.word && one.segment === other.segment;
}

/** @param {Token} token */
export function isSpecial({ kind }) {
  return kind === "special";
}

/** What leaves no ink: the pieces have marks for it. Joiners between other letters than those of ASCII show in these. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Z}]|(?<![^\0-\x7f])[\u200c\u200d]/u;

/**
 * The word as it was typed, since pieces may hold parts of characters; its pieces where it never was or cannot be seen.
 * An ellipsis stands for pieces that are not shown.
 * @param {Token[]} tokens
 * @param {number[]} run
 * @param {string[][]} [typed] the characters of each sentence
 */
export function wordText(tokens, run, typed = []) {
  const own = run.length > 1 ? typedFrom(tokens[run[0]], tokens[run[run.length - 1]], typed) : "";
  const text = own === "" || UNSEEN.test(own) ? run.map((place) => tokenLabel(tokens[place])).join("") : own;
  return isCut(tokens, run[0]) ? `…${text}` : text;
}

/** @param {Token} first @param {Token} last @param {string[][]} typed @returns {string} "": these were never typed */
function typedFrom({ segment, start }, { end }, typed) {
  if (typeof start !== "number" || typeof end !== "number") return "";
  return (typed[segment] ?? []).slice(start, end).join("");
}

/** Whether the word of a token begins before it. @param {Token[]} tokens @param {number} place */
function isCut(tokens, place) {
  const before = tokens[place - 1];
  return before !== undefined && (isSameWord(before, tokens[place]) || isContraction(tokens, [place - 1], place));
}
