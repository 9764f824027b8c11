// What every head gives to the chosen link: as the server ranks it, and until that is here from overviews of single tokens.

import { focusOn } from "../compare/comparison.js";
import { perObject } from "../page/memo.js";
import { headValues, weightOfCode } from "../requests/wire.js";
import { isWeighted, shownFocus } from "../state/selectors.js";
import { analysisOf } from "../state/sides.js";
import { edgesOf } from "./edges.js";
import { placesWithin, stackTokens } from "./map_lines.js";
import { isSink, scaleEnd } from "./sinks.js";

/** @typedef {(frame: Frame, head: number) => number | null} LinkValues null: it is not known yet, or the head cannot have the link */

/** The locked link whose weight every tile of a side shows; null: tiles show maps or rows. @param {State} state @param {Side} side */
export function lockedLink(state, side) {
  const focus = state.hover === null ? focusOn(state, shownFocus(state), side) : null;
  return focus && focus.queries.length > 0 && focus.keys.length > 0 ? focus : null;
}

/**
 * What tiles show of a locked link: its weight in a head, or how much more of it A has than B.
 * @param {SideView} state
 * @param {Focus} link
 * @param {boolean} isDifference whether A − B is shown
 * @returns {LinkValues}
 */
export function linkValues(state, link, isDifference) {
  const values = valuesOn(state, state.side, link);
  if (!isDifference) return values;
  const [theirs, other] = [analysisOf(state, "b")?.stacks[0].layers, focusOn(state, link, "b")];
  const otherValues = other && valuesOn(state, "b", other);
  return (frame, head) => {
    const opposite = theirs?.get(frame.layer);
    const [one, two] = [values(frame, head), opposite && otherValues && head < opposite.heads ? otherValues(opposite, head) : null];
    return one === null || two === null ? null : one - two;
  };
}

/** @param {State} state @param {Side} side @param {Focus} link in tokens of this side @returns {LinkValues} */
function valuesOn(state, side, link) {
  const answer = edgesOf(side).of(state)?.answer;
  if (answer && isOfLink(answer, link)) {
    const known = byHead(answer);
    const which = isWeighted(state) ? "weighted" : "weight";
    return ({ stack, layer }, head) => known.get(`${stack} ${layer}.${head}`)?.[which] ?? null;
  }
  const analysis = analysisOf(state, side);
  return (frame, head) => {
    const stack = analysis?.stacks.find((one) => one.stack === frame.stack);
    // A block of pooled tokens has the largest weight of them, which is another link's.
    return !analysis || !stack || frame.pooled ? null : linkWeight(frame, head, link, stackTokens(analysis, stack));
  };
}

/** Whether an answer is about a link, and not about all pieces of the words that it is aligned with. @param {Edges} answer @param {Focus | null} link */
export function isOfLink({ queries, keys }, link) {
  return queries.join() === link?.queries.join() && keys.join() === link.keys.join();
}

const byHead = perObject((/** @type {Edges} */ { heads }) => new Map(heads.map((edge) => [`${edge.stack} ${edge.layer}.${edge.head}`, edge])));

/** What the keys of a link get together in a head, the mean over the queries that see any of them. @type {(frame: Frame, head: number, link: Focus, tokens: StackTokens) => number | null} */
function linkWeight(frame, head, link, tokens) {
  const [queries, keys] = [placesWithin(tokens.queries, link.queries), placesWithin(tokens.keys, link.keys)];
  const isHere = queries.length === link.queries.length && keys.length === link.keys.length;
  const seeing = frame.causal ? queries.filter((query) => keys.some((key) => key <= query)) : queries;
  if (!isHere || seeing.length === 0) return null;
  const values = headValues(frame, head);
  const weightAt = (/** @type {number} */ at) => (values instanceof Uint8Array ? weightOfCode(values[at]) : values[at]);
  const sums = seeing.map((query) => keys.reduce((sum, key) => sum + weightAt(query * frame.cols + key), 0));
  return sums.reduce((sum, one) => sum + one, 0) / seeing.length;
}

/**
 * The weight of the last colour where tiles show one link: 1 for a link to a sink, which was asked for.
 * @param {SideView} state
 * @param {Focus} link
 * @param {boolean} isDifference whether A − B is shown
 */
export function linkTop(state, link, isDifference) {
  const { sinks, side } = state;
  const analysis = analysisOf(state, side);
  if (sinks !== "dim" || analysis === null || link.keys.some((key) => isSink(analysis.tokens[key], key))) return 1;
  const valueOf = linkValues(state, link, isDifference);
  let largest = 0;
  // All attentions of an encoder-decoder share the scale; a difference is made of the first ones.
  const frames = analysis.stacks.slice(0, isDifference ? 1 : undefined).flatMap(({ layers }) => [...layers.values()]);
  for (const frame of frames) {
    for (let head = frame.first_head; head < frame.first_head + frame.heads; head += 1) {
      largest = Math.max(largest, Math.abs(valueOf(frame, head) ?? 0));
    }
  }
  return scaleEnd(largest);
}
