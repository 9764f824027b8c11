// Why a head attends from one token to another: which two tokens are meant, the steps behind their weight, and what the
// numbers say.

import { focusOn } from "../compare/comparison.js";
import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { isAnswered, isStaleOn, question, shownFocus } from "../state/selectors.js";
import { analysisOf, onSide } from "../state/sides.js";
import { exactOf } from "./exact.js";
import { sourceOf } from "./sources.js";

/** @typedef {{query: number, key: number}} TokenPair by their running indices */
/** @typedef {Question & TokenPair & {stack?: string, layer: number, head: number}} QueryKeyQuestion */
/**
 * @typedef {object} QueryKey every step from a query and a key to the weight between them
 * @property {number} layer
 * @property {number} head
 * @property {number} key_head whose keys the head reads: below it where heads share keys
 * @property {number} query
 * @property {number} key
 * @property {number[]} q
 * @property {number[]} k
 * @property {number[]} product
 * @property {number} dot
 * @property {number} scale
 * @property {number} scaled
 * @property {number | null} added by a position bias; null: there is none
 * @property {number | null} score null: the query may not look at the key
 * @property {number} weight
 * @property {(number | null)[]} scores of all keys
 * @property {number[]} weights
 * @property {[number, number]} keys which tokens are looked at, from and up to
 * @property {string | null} note
 */

/** The head whose detail is open, and its stack; null while there is none that answers the question. @param {State} state */
export function openHead(state) {
  const { detail } = state;
  const analysis = detail && analysisOf(state, detail.side);
  const stack = analysis?.stacks[detail?.stack ?? 0];
  if (!detail || !analysis || !stack || isStaleOn(state, detail.side)) return null;
  return { analysis, stack, what: /** @type {OneHead} */ ({ kind: "head", ...detail }) };
}

/** The two tokens of the open detail: those in focus, and where the focus leaves a choice the strongest link; null while unknown. */
export const pairOf = perObject((/** @type {State} */ state) => {
  const open = openHead(state);
  if (open === null) return null;
  const { stack, what } = open;
  const focus = focusOn(state, shownFocus(state), what.side);
  const within = (/** @type {number[]} */ tokens, /** @type {[number, number]} */ [from, to]) =>
    tokens.filter((token) => from <= token && token < to);
  const queries = within(focus?.queries ?? [], stack.queries);
  const keys = within(focus?.keys ?? [], stack.keys);
  if (queries.length === 1 && keys.length === 1) return { query: queries[0], key: keys[0] };
  const source = sourceOf(state, what, "raw");
  return source?.exact ? strongestPair(source, queries, keys) : null;
});

/** Why the strongest link will not be known. @param {State} state */
export function refusalOf(state) {
  const open = openHead(state);
  return (open && exactOf(state, open.what, "raw")?.problem?.message) ?? null;
}

/**
 * @param {Source} source exact
 * @param {number[]} queries among which to look; none: among all that have more than one key to look at
 * @param {number[]} keys none: all
 * @returns {TokenPair | null}
 */
export function strongestPair(source, queries, keys) {
  const { weights, causal } = source;
  const [n_queries, n_keys] = [source.queries.length, source.keys.length];
  /** @type {TokenPair | null} */
  let best = null;
  let most = 0;
  for (let row = 0; row < n_queries; row += 1) {
    const query = source.queries[row].index;
    const hasChoice = !causal || row > 0 || n_queries === 1;
    if (queries.length > 0 ? !queries.includes(query) : !hasChoice) continue;
    for (let col = 0; col < n_keys; col += 1) {
      const key = source.keys[col].index;
      const weight = weights[row * n_keys + col];
      if (keys.length > 0 && !keys.includes(key)) continue;
      if (best === null || weight > most) [best, most] = [{ query, key }, weight];
    }
  }
  return best;
}

/** What the server is to be asked; null while the pair or the answer it belongs to is not here. */
export const queryKeyQuestion = perObject((/** @type {State} */ state) => {
  const open = openHead(state);
  if (open === null) return null;
  const { analysis, stack, what } = open;
  const side = onSide(state, what.side);
  const asked = question(side);
  const pair = isAnswered(side) ? pairOf(state) : null;
  if (asked === null || pair === null) return null;
  const named = analysis.stacks.length > 1 ? { stack: stack.stack } : {};
  return /** @type {QueryKeyQuestion} */ ({ ...asked, ...named, layer: what.layer, head: what.head, ...pair });
});

/** @type {import("../requests/resource.js").Resource<QueryKeyQuestion, QueryKey>} */
export const queryKey = resource("/query-key", queryKeyQuestion);

/** The sums of the first, the first two, the first three … products: the last is q · k, but for rounding. @param {number[]} product */
export function runningSums(product) {
  let sum = 0;
  return product.map((one) => (sum += one));
}

/** The dimensions that count most, by the size of their product. @param {number[]} product @param {number} most */
export function largest(product, most) {
  return product
    .map((value, dimension) => ({ dimension, value }))
    .sort((one, other) => Math.abs(other.value) - Math.abs(one.value))
    .slice(0, most);
}

/** @param {number} value for people: four decimals, in powers of ten where those would all be zero */
export function numberInFull(value) {
  const isSmall = value !== 0 && Math.abs(value) < 0.00005;
  return (isSmall ? value.toExponential(2) : value.toFixed(4)).replaceAll("-", "−");
}

/** @param {number} value with its sign, also when it is above zero */
export function signed(value) {
  return `${value < 0 ? "" : "+"}${numberInFull(value)}`;
}

/** Which dimensions make q · k what it is. @param {QueryKey} steps */
export function largestInWords({ product, dot }) {
  const found = largest(product, 5);
  const list = found.map(({ dimension, value }) => `${dimension} (${signed(value)})`).join(", ");
  const together = found.reduce((sum, { value }) => sum + value, 0);
  return `The largest products are those of dimensions ${list}: together ${signed(together)} of ${signed(dot)}.`;
}

/** Where the scale comes from, in words. @param {QueryKey} steps */
export function scaleInWords({ scale, q }) {
  if (scale === 1) return "This model does not scale its scores.";
  if (Math.abs(scale * Math.sqrt(q.length) - 1) < 1e-5) return `The scale is 1 / √${q.length}, for ${q.length} dimensions.`;
  return "The scale is this model's own.";
}

/**
 * The keys that get most of the query's attention, strongest first, the chosen one always among them.
 * @param {QueryKey} steps
 * @param {number} most
 * @returns {{shown: {key: number, weight: number}[], others: number, rest: number, hidden: number}} what the other keys
 *   get together, and how many more the query cannot see
 */
export function sharesOfKeys({ weights, scores, keys: [first], key }, most) {
  const all = weights.map((weight, at) => ({ key: first + at, weight, isSeen: scores[at] !== null }));
  const seen = all.filter(({ isSeen }) => isSeen).sort((one, other) => other.weight - one.weight);
  const best = seen.slice(0, most);
  const isAmong = best.some((one) => one.key === key);
  const listed = isAmong ? best : [...best.slice(0, most - 1), ...all.filter((one) => one.key === key)];
  const others = seen.filter((one) => !listed.includes(one));
  return {
    shown: listed.map(({ key: token, weight }) => ({ key: token, weight })),
    others: others.length,
    rest: others.reduce((sum, { weight }) => sum + weight, 0),
    hidden: all.filter((one) => !one.isSeen && !listed.includes(one)).length,
  };
}
