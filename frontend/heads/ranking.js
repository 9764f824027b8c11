// The ranking of heads by a link in words and on a scale.

import { tokenInWords } from "../page/labels.js";
import { numberText } from "./measures.js";

/** @typedef {import("../requests/api.js").Example} Example */

const ENDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/**
 * A token for a sentence about a link; one that stands in the text more than once is told by its place.
 * @param {Token[]} tokens
 * @param {number} index
 */
export function tokenNamed(tokens, index) {
  const { text } = tokens[index];
  const isOnce = tokens.every((token) => token.index === index || token.text !== text);
  return isOnce ? `“${tokenInWords(tokens[index])}”` : `“${tokenInWords(tokens[index])}” (token ${index})`;
}

/** @param {Token[]} tokens @param {number[]} chosen */
export function listed(tokens, chosen) {
  const names = chosen.map((index) => tokenNamed(tokens, index));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** What was measured, and what it is to be held against. @param {Token[]} tokens @param {Edges} edges */
export function measuredWords(tokens, { queries, keys, uniform }) {
  const what = queries.length > 1 ? "Mean attention" : "Attention";
  const summed = keys.length > 1 ? ", summed over them" : "";
  return (
    `${what} from ${listed(tokens, queries)} to ${listed(tokens, keys)}${summed}, on this sentence. ` +
    `Uniform attention would give ${numberText(uniform)}. ` +
    "By position alone (the tick): the same head's mean at the same distance elsewhere in this text."
  );
}

/** Where the bars end: the least round number that no weight and no tick is above. @param {Pick<Edge, "weight" | "by_position">[]} heads */
export function barEnd(heads) {
  const most = Math.max(0, ...heads.flatMap(({ weight, by_position }) => [weight, by_position ?? 0]));
  return ENDS.find((end) => most <= end) ?? 1;
}

/** One head's numbers for whoever does not see the bar. @param {Edge} edge */
export function edgeWords({ weight, by_position }) {
  const alone =
    by_position === null ? "no other pair at this distance" : `${numberText(by_position)} by position alone`;
  return `${numberText(weight)}, ${alone}`;
}

/**
 * The link an example speaks of, by the first two words its hint quotes; null when it quotes none that are tokens here.
 * @param {Token[]} tokens
 * @param {Example | null} example
 * @returns {{queries: number[], keys: number[]} | null}
 */
export function suggestedLink(tokens, example) {
  const [from, to] = [...(example?.hint ?? "").matchAll(/“([^”]+)”/g)].map(([, word]) =>
    tokens.findIndex((token) => token.text.trim() === word),
  );
  return from >= 0 && to >= 0 && from !== to ? { queries: [from], keys: [to] } : null;
}
