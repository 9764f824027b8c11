// The comparison of A with B in words and rows: how it stands, what its numbers mean, which heads it tells of.

import { barEnd } from "../heads/ranking.js";
import { headName, unbroken } from "../maps/labels.js";
import { percent } from "../maps/readout.js";
import { oneHead } from "../state/pins.js";
import { isStale, question, questionKey } from "../state/selectors.js";
import { bothSides } from "../heads/grid_side.js";

/** @typedef {import("../requests/api.js").ComparedHead} ComparedHead */
/** @typedef {import("../state/pins.js").Pair} Pair */
/** @typedef {{stage: "off" | "same" | "lacking" | "waiting" | "failed" | "here", words: string}} ComparisonStanding */
/**
 * @typedef {object} ComparedRow one head of A and the head of B it is held against
 * @property {string} name
 * @property {string[]} names of the heads it is about: one, or of two models both
 * @property {number} value change, or likeness
 * @property {number} part how long its bar is, 0 to 1
 * @property {number | null} usual where on the bar the mean over all heads of B lies
 * @property {string} note how much of the attention the number speaks of, where that is little
 * @property {OneHead} one
 * @property {OneHead} other
 * @property {Pair} difference
 */

/** Below this share of a head's attention a number is said to speak of little. */
const LITTLE = 0.5;

/**
 * Whether both sides ask the very same.
 * @param {State} state
 */
export function isSameQuestion(state) {
  const [a, b] = bothSides(state).map((seen) => questionKey(question(seen)));
  return a === b;
}

/**
 * Where the comparison stands.
 * @param {State} state
 * @returns {ComparisonStanding}
 */
export function comparisonStanding(state) {
  if (state.against === null) return { stage: "off", words: "" };
  const { comparison } = state;
  if (isSameQuestion(state)) {
    return { stage: "same", words: "A and B are the same. Change a word of B, or choose another model for it." };
  }
  if (comparison?.answer) return { stage: "here", words: "" };
  if (comparison?.problem) return { stage: "failed", words: `A and B could not be compared: ${comparison.problem.message}` };
  const sides = bothSides(state).map((seen, at) => ({ name: "AB"[at], seen }));
  const failed = sides.find(({ seen }) => seen.run.phase === "failed");
  if (failed) return { stage: "lacking", words: `${failed.name} has no answer, so there is nothing to compare.` };
  const late = sides.find(({ seen }) => seen.run.phase !== "done" || isStale(seen));
  if (!late) return { stage: "waiting", words: "Comparing all heads…" };
  const message = late.seen.run.progress?.message;
  return { stage: "waiting", words: message ? `${late.name}: ${message}` : `Waiting for ${late.name}…` };
}

/**
 * What the number beside each head means.
 * @param {Pick<Comparison, "same_model">} comparison
 */
export function numberMeaning({ same_model }) {
  return same_model
    ? "Change is the share of a head's attention that moved between A and B: 0 is nothing, 1 is all of it. The most changed head comes first."
    : "Each head of A beside the most similar head of B. Likeness is how much of the attention on words both models see goes to the same words: " +
        "1 is all of it. The tick is the mean over all heads of B; a true match stands out from it. " +
        "The order is likeness times the smaller share of attention that it speaks of; below half, the row says how much that is.";
}

/**
 * The heads as they are listed, the most telling first.
 * @param {Comparison} comparison
 * @returns {ComparedRow[]}
 */
export function comparedRows({ heads, same_model }) {
  const weightOf = (/** @type {ComparedHead} */ head) => (same_model ? head.change : head.similarity);
  const end = rowsEnd({ heads, same_model });
  return heads.map((head) => {
    const one = oneHead({ layer: head.layer, head: head.head });
    const other = oneHead({ side: "b", layer: head.other_layer, head: head.other_head });
    const both = [headName(head.layer, head.head), headName(head.other_layer, head.other_head)];
    const names = same_model ? both.slice(0, 1) : both;
    return {
      name: names.join(" ~ "),
      names,
      value: weightOf(head),
      part: weightOf(head) / end,
      usual: head.typical === null ? null : head.typical / end,
      note: shareNote(head),
      one,
      other,
      difference: { kind: "difference", one, other },
    };
  });
}

/**
 * Where the bars end.
 * @param {Pick<Comparison, "heads" | "same_model">} comparison
 */
export function rowsEnd({ heads, same_model }) {
  return barEnd(
    heads.map(({ change, similarity, typical }) => ({ weight: same_model ? change : similarity, by_position: typical })),
  );
}

/** @param {ComparedHead} head */
function shareNote({ share_one, share_other }) {
  if (Math.min(share_one, share_other) >= LITTLE) return "";
  return unbroken(`shared words: ${percent(share_one)} of A, ${percent(share_other)} of B`);
}
