// Tokens put together to words: as their tokenizer splits words, and with what an apostrophe joins to them, as in
// didn't. It must not know weights or drawing.

/** @typedef {import("../server/api.js").Token} Token */

/**
 * Runs of neighbours that make one word; what belongs to no word, as special tokens, stands alone.
 * @param {Token[]} tokens
 * @param {number[]} places of the tokens to put together, in reading order
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
 * Whether a token goes on with the word before it, an apostrophe and letters after letters with nothing between.
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

/**
 * @param {Token} one
 * @param {Token} other
 */
function touches(one, other) {
  return typeof one.end === "number" && one.end === other.start && one.segment === other.segment;
}

/**
 * @param {Token} one
 * @param {Token} other
 */
function isSameWord(one, other) {
  return one.word !== null && one.word === other.word && one.segment === other.segment;
}

/** @param {Token} token */
export function isSpecial({ kind }) {
  return kind === "special";
}

/**
 * The word as it is read: its pieces without anything between them.
 * @param {Token[]} tokens
 * @param {number[]} run
 */
export function wordText(tokens, run) {
  return run.map((place) => tokens[place].text).join("");
}
