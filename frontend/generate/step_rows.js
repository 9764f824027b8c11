// What every head looks at from the position that predicts the next token: rows of a step of generation, or the last
// row of the maps on screen.

import { hiddenBy } from "../maps/axis.js";
import { isSink } from "../maps/sinks.js";
import { placedToken } from "../page/labels.js";
import { headValues, rowValues, weightOfCode } from "../requests/wire.js";
import { askedKey, isStale } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { isWriting, next } from "./next.js";

/** @typedef {{key: number, weight: number}} Attended a token that is attended to, and how strongly */
/** @typedef {{key: number, share: number, layer: number, head: number, weight: number}} TokenShare the mean weight of all heads on a
 *   token, the head that gives it most, and how much that gives */
/**
 * @typedef {object} GenerationStep
 * @property {number} position of the query: the one before the predicted one
 * @property {Token[]} tokens those it can see, itself the last
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {boolean} exact
 * @property {(layer: number, head: number) => ArrayLike<number> | null} row one weight a token; null while it is not here
 * @property {unknown} from the same while the rows are
 */

/** @param {State} state @returns {GenerationStep | null} null: nothing is known of single rows */
export function stepOf(state) {
  const { writing } = state;
  const side = onSide(state, "a");
  const { analysis } = side;
  if (analysis === null || isStale(side)) return null;
  const { n_layers, n_heads } = analysis;
  const isLast = writing?.reached === askedKey(side);
  const rows = isWriting(state) || (isPooled(analysis) && isLast) ? (writing?.rows ?? null) : null;
  if (writing !== null && rows !== null) {
    const tokens = [...writing.base, ...writing.tokens].slice(0, rows.cols);
    const row = (/** @type {number} */ layer, /** @type {number} */ head) => rowValues(rows, n_heads, layer, head);
    return { position: rows.cols - 1, tokens, n_layers, n_heads, exact: true, row, from: rows };
  }
  if (analysis.layers.size === 0 || isPooled(analysis)) return null;
  // A template may put an end token after every text; nothing comes after that, so the token before it predicts.
  const n_tokens = next.of(state)?.answer?.n_tokens ?? analysis.n_tokens;
  const row = (/** @type {number} */ layer, /** @type {number} */ head) => rowOf(analysis.layers.get(layer), head, n_tokens);
  const tokens = analysis.tokens.slice(0, n_tokens);
  return { position: n_tokens - 1, tokens, n_layers, n_heads, exact: false, row, from: `${analysis.layers.size} ${n_tokens}` };
}

/** @param {Analysis} analysis whether its overview has no rows of single tokens */
export function isPooled({ layers }) {
  const [first] = layers.values();
  return first !== undefined && first.rows < first.n_queries;
}

/** @param {Frame | undefined} frame @param {number} head @param {number} n_tokens */
function rowOf(frame, head, n_tokens) {
  if (!frame || head >= frame.first_head + frame.heads) return null;
  const codes = headValues(frame, head).subarray((n_tokens - 1) * frame.cols, (n_tokens - 1) * frame.cols + n_tokens);
  return Float32Array.from(codes, weightOfCode);
}

/**
 * What a head looks at most, among the tokens that are not hidden. Sinks receive attention when a head has nothing to do:
 * where they are dimmed they count only if there is no other token.
 * @param {GenerationStep} step
 * @param {number} layer
 * @param {number} head
 * @param {Pick<State, "hide" | "sinks">} view
 * @returns {Attended | null}
 */
export function strongestLook({ row, tokens }, layer, head, { hide, sinks }) {
  const weights = row(layer, head);
  if (weights === null) return null;
  /** @type {Attended | null} */
  let best = null;
  let isBestDim = false;
  const isHidden = hiddenBy(hide);
  for (let key = 0; key < tokens.length; key += 1) {
    if (isHidden(tokens[key], key)) continue;
    const isDim = sinks === "dim" && isSink(tokens[key], key);
    if (best !== null && isDim && !isBestDim) continue;
    if (best !== null && isDim === isBestDim && weights[key] <= best.weight) continue;
    best = { key, weight: weights[key] };
    isBestDim = isDim;
  }
  return best;
}

/** What a head gives to sinks, in all; null while its row is not here. @param {GenerationStep} step @param {number} layer @param {number} head */
export function onSinks({ row, tokens }, layer, head) {
  const weights = row(layer, head);
  return weights && tokens.reduce((sum, token, key) => sum + (isSink(token, key) ? weights[key] : 0), 0);
}

/** How much attention each token receives, in the order of the text; empty while no head has a row. @param {GenerationStep} step @returns {TokenShare[]} */
export function sharesOf({ tokens, n_layers, n_heads, row }) {
  /** @type {TokenShare[]} */
  const shares = tokens.map((_, key) => ({ key, share: 0, layer: 0, head: 0, weight: -1 }));
  let n = 0;
  for (let at = 0; at < n_layers * n_heads; at += 1) {
    const [layer, head] = [Math.floor(at / n_heads), at % n_heads];
    const weights = row(layer, head);
    if (weights === null) continue;
    n += 1;
    for (const one of shares) {
      one.share += weights[one.key];
      if (weights[one.key] > one.weight) Object.assign(one, { layer, head, weight: weights[one.key] });
    }
  }
  return n === 0 ? [] : shares.map((one) => ({ ...one, share: one.share / n }));
}

/**
 * The token whose weight every head shows: the one that is pointed at, else the locked one. Null: each head shows its strongest.
 * @param {Pick<State, "lock" | "hover">} state
 * @param {GenerationStep} step
 */
export function watchedToken({ lock, hover }, { position, tokens }) {
  const focus = hover ?? lock;
  if (focus?.side !== "a") return null;
  const [key] = focus.keys.length > 0 ? focus.keys : focus.queries.filter((query) => query !== position);
  return key !== undefined && key < tokens.length ? key : null;
}

/** @param {number} weight with two decimals, without the zero before the point */
export function shortWeight(weight) {
  return weight.toFixed(2).replace(/^0/, "");
}

/** One head's look in words: `→ tired ·9 .71`. @param {GenerationStep} step @param {Attended} look */
export function lookInWords({ tokens, exact }, { key, weight }) {
  return `→ ${placedToken(tokens[key], key)} ${exact ? "" : "about "}${shortWeight(weight)}`;
}
