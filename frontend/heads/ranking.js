// The ranking of heads by a link in words and on a scale.

import { isSink } from "../maps/sinks.js";
import { tokenInWords } from "../page/labels.js";
import { numberText, roundUp } from "./measures.js";

/** A token for a sentence about a link; one that occurs more than once gets its place too. @param {Token[]} tokens @param {number} index */
export function tokenNamed(tokens, index) {
  const { text } = tokens[index];
  const isOnce = tokens.every((token) => token.index === index || token.text !== text);
  return `“${tokenInWords(tokens[index])}”${isOnce ? "" : ` (token ${index})`}`;
}

/** @param {Token[]} tokens @param {number[]} chosen */
export function listed(tokens, chosen) {
  const names = chosen.map((index) => tokenNamed(tokens, index));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** What the tick is. @param {number} n of pairs that it is the mean of @param {boolean} isToSink then other pairs with sinks count */
function positionWords(n, isToSink) {
  if (n === 0) return " There is no tick for position alone: no other pair of this text has this distance.";
  const pairs = `mean of ${n} ${n === 1 ? "pair" : "pairs"}${isToSink ? "" : ", sinks left out"}`;
  return ` By position alone (the tick): the same head at the same distance elsewhere in this text, ${pairs}.`;
}

/** What the pale tick is. @param {Token[]} tokens @param {number[]} keys @param {number} n of tokens that it is the mean of */
function othersWords(tokens, keys, n) {
  if (n === 0) return "";
  return ` The pale tick: what ${n} other ${n === 1 ? "token gives" : "tokens give"} ${listed(tokens, keys)} in the same head${n === 1 ? "" : ", on average"}.`;
}

/** What was measured, and what to compare it with. @param {Token[]} tokens @param {Edges} edges @param {boolean} isWeighted whether the maps on screen are value-weighted */
export function measuredWords(tokens, { queries, keys, uniform, elsewhere, others }, isWeighted) {
  const attention = `${isWeighted ? "value-weighted " : ""}attention`;
  const what = queries.length > 1 ? `Mean ${attention}` : `${attention[0].toUpperCase()}${attention.slice(1)}`;
  const summed = keys.length > 1 ? ", summed over them" : "";
  const measured = `${what} from ${listed(tokens, queries)} to ${listed(tokens, keys)}${summed}, on this sentence.`;
  if (isWeighted) return measured;
  const isToSink = keys.some((key) => isSink(tokens[key], key));
  return `${measured} Uniform attention would give ${numberText(uniform)}.${positionWords(elsewhere, isToSink)}${othersWords(tokens, keys, others)}`;
}

/**
 * The numbers of a head in the order in which they are shown: that of the maps on screen, what position alone and what other tokens would give, the other one.
 * @param {Edge} edge
 * @param {boolean} isWeighted whether the maps on screen are value-weighted: the two ticks are known of raw maps
 * @returns {{weight: number | null, by_position: number | null, by_others: number | null, beside: number | null}}
 */
export function shownNumbers({ weight, by_position, by_others, weighted }, isWeighted) {
  if (isWeighted) return { weight: weighted, by_position: null, by_others: null, beside: weight };
  return { weight, by_position, by_others, beside: weighted };
}

/** Where the bars end: the smallest round number that no weight or tick exceeds. @param {{weight: number | null, by_position: number | null, by_others?: number | null}[]} heads */
export function barEnd(heads) {
  const most = Math.max(0, ...heads.flatMap(({ weight, by_position, by_others }) => [weight ?? 0, by_position ?? 0, by_others ?? 0]));
  return Math.min(1, roundUp(Math.max(0.01, most)));
}

/** One head's numbers for readers who cannot see the bar. @param {Edge} edge */
export function edgeWords({ weight, by_position, by_others }) {
  const alone = by_position === null ? "no other pair at this distance" : `${numberText(by_position)} by position alone`;
  const others = by_others === null ? "" : `, ${numberText(by_others)} from other tokens`;
  return `${numberText(weight)}, ${alone}${others}`;
}

/**
 * The link an example is about, by the first two words its hint quotes: from the last place of the one to the first of the
 * other. Null when they are no tokens here.
 * @param {Token[]} tokens
 * @param {import("../requests/api.js").Example | null} example
 * @returns {{queries: number[], keys: number[]} | null}
 */
export function suggestedLink(tokens, example) {
  const [from = "", to = ""] = [...(example?.hint ?? "").matchAll(/“([^”]+)”/g)].map(([, word]) => word);
  const words = tokens.map(({ text }) => text.trim());
  const [query, key] = [words.lastIndexOf(from), words.indexOf(to)];
  return query >= 0 && key >= 0 && query !== key ? { queries: [query], keys: [key] } : null;
}
