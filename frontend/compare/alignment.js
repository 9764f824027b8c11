// Which tokens of A are aligned with which of B, as marks on the tokens and in words.

import { tokenInWords } from "../page/labels.js";

/** @typedef {{mark: "same" | "changed" | "alone", text: string}} Opposite what a token is aligned with, "" if with nothing */

const MOST_NAMED = 3;

/** What each token of a side is aligned with, by its index. @param {Unit[]} units @param {Side} side @returns {Opposite[]} */
export function oppositesOf(units, side) {
  /** @type {Opposite[]} */
  const found = [];
  for (const { one, other, text, other_text, same } of units) {
    const [here, there, opposite] = side === "a" ? [one, other, other_text] : [other, one, text];
    const mark = there.length === 0 ? "alone" : same ? "same" : "changed";
    for (const token of here) found[token] = { mark, text: opposite };
  }
  return found;
}

/**
 * The tokens of B that are aligned with these of A; null where some have no counterpart, or only together with others.
 * @param {Unit[]} units
 * @param {number[]} tokens
 */
export function counterpartsOf(units, tokens) {
  const found = units.filter(({ one }) => one.some((token) => tokens.includes(token)));
  const isWhole = found.every(({ one, other }) => other.length > 0 && one.every((token) => tokens.includes(token)));
  return isWhole && found.length > 0 ? found.flatMap(({ other }) => other).sort((one, other) => one - other) : null;
}

/** A token's mark for readers who cannot see it; "": it has none. @param {Opposite | undefined} opposite @param {Side} side of the token */
export function markWords(opposite, side) {
  const other = side === "a" ? "B" : "A";
  if (opposite?.mark === "changed") return `changed: ${other} reads ${opposite.text}`;
  return opposite?.mark === "alone" ? `no counterpart in ${other}` : "";
}

/** How the tokens of both sides were aligned. @param {Pick<Comparison, "units" | "same_model">} comparison */
export function alignmentWords({ units, same_model }) {
  const aligned = units.filter(({ one, other }) => one.length > 0 && other.length > 0);
  const changed = aligned.filter(({ same }) => !same);
  const rule = same_model
    ? `Compared token by token: ${aligned.length - changed.length} the same`
    : `Compared by words both tokenizers share: ${aligned.length} matched`;
  const pairs = changed.map(({ text, other_text }) => `${tokenInWords({ text })} ↔ ${tokenInWords({ text: other_text })}`);
  const differing = changed.length === 0 ? "" : `, ${changed.length} changed (${listed(pairs)}; underlined twice)`;
  return `${rule}${differing}. ${aloneWords(units)}`;
}

/** @param {Unit[]} units which tokens are aligned with nothing */
function aloneWords(units) {
  const alone = [
    { lacking: "B", texts: units.filter(({ other }) => other.length === 0).map(({ text }) => text) },
    { lacking: "A", texts: units.filter(({ one }) => one.length === 0).map(({ other_text }) => other_text) },
  ].filter(({ texts }) => texts.length > 0);
  if (alone.length === 0) return "Every token has a counterpart.";
  const named = alone.map(({ lacking, texts }) => `counterpart in ${lacking}: ${listed(counted(texts))}`);
  return `No ${named.join("; no ")}, shown with a dashed border.`;
}

/** @param {string[]} texts each once, with how often it is there */
function counted(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, n]) => `${tokenInWords({ text })}${n > 1 ? ` (${n} times)` : ""}`);
}

/** @param {string[]} names the first few of them */
function listed(names) {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The words in which two sentences differ, such as `tired → wide`; null: they do not. @param {string} one @param {string} other */
export function changedWords(one, other) {
  const [words, others] = [one, other].map((text) => text.split(/\s+/));
  let [start, end] = [0, 0];
  const shorter = Math.min(words.length, others.length);
  while (start < shorter && words[start] === others[start]) start += 1;
  while (end < shorter - start && words[words.length - 1 - end] === others[others.length - 1 - end]) end += 1;
  const [left, right] = [words, others].map((list) => list.slice(start, list.length - end).join(" "));
  if (left === "" && right === "") return null;
  const bare = (/** @type {string} */ text) => text.replace(/[\p{P}\p{S}]+$/u, "") || text || "∅";
  return `${bare(left)} → ${bare(right)}`;
}
