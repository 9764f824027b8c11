// The links of a head that changed most between A and B, as they are written: it → animal .677 → .281.

import { tokenInWords } from "../page/labels.js";

/** @typedef {import("../requests/api.js").ChangedLink} ChangedLink */
/** @typedef {{from: string, to: string, weights: string, words: string}} WrittenLink its words are for readers who cannot see the arrows */

/** @param {ChangedLink[]} links @param {Unit[]} units of the same comparison @returns {WrittenLink[]} */
export function writtenLinks(links, units) {
  return links.map((link) => {
    const from = endOf(units, link.query, link.query_text, link.other_query_text);
    const to = endOf(units, link.key, link.key_text, link.other_key_text);
    const [one, other] = [link.one, link.other].map(shortWeight);
    return { from, to, weights: `${one} → ${other}`, words: `From ${from} to ${to}: ${one} in A, ${other} in B` };
  });
}

/** @param {Unit[]} units @param {number[]} tokens of A @param {string} text @param {string} otherText */
function endOf(units, tokens, text, otherText) {
  const names = text === otherText ? [text] : [text, otherText];
  const written = names.map((name) => tokenInWords({ text: name })).join(" / ");
  // A text that occurs more than once in A is told apart by its place.
  const isOnce = units.filter((unit) => unit.one.length > 0 && unit.text === text).length < 2;
  return isOnce ? written : `${written} ·${tokens[0]}`;
}

/** Three decimals without the leading zero. @param {number} weight */
function shortWeight(weight) {
  return weight.toFixed(3).replace(/^0/, "");
}
