// The comparison of A with B in words and rows: its status, what its numbers mean, which heads it lists.

import { writtenLinks } from "../../compare/changed_links.js";
import { comparison, isSameQuestion } from "../../compare/comparison.js";
import { barEnd } from "../../heads/ranking.js";
import { percent } from "../../maps/readout.js";
import { headName, unbroken } from "../../page/labels.js";
import { oneHead } from "../../state/pins.js";
import { isAnswered } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { SIDES } from "../../state/view.js";

/** @typedef {{stage: "off" | "same" | "lacking" | "waiting" | "failed" | "here", words: string}} ComparisonStatus */
/**
 * @typedef {object} ComparedRow one head of A and the head of B it is compared with
 * @property {string} name
 * @property {string[]} names of the heads it is about: one, or of two models both
 * @property {number} value change, or similarity
 * @property {number} part how long its bar is, 0 to 1
 * @property {number | null} usual where on the bar the mean over all heads of B is
 * @property {string} note how much of the attention the number covers, where that is little
 * @property {import("../../compare/changed_links.js").WrittenLink[]} links that changed most
 * @property {OneHead} one
 * @property {OneHead} other
 * @property {Pair} difference
 */

/** Below this share of a head's attention a row notes how little its number covers. */
const LITTLE = 0.5;

/** @param {State} state @returns {ComparisonStatus} */
export function comparisonStatus(state) {
  if (state.sides.b === null) return { stage: "off", words: "" };
  if (isSameQuestion(state)) {
    return { stage: "same", words: "A and B are the same. Change a word of B, or choose another model for it." };
  }
  const known = comparison.of(state);
  if (known?.answer) return { stage: "here", words: "" };
  if (known?.problem) return { stage: "failed", words: `A and B could not be compared: ${known.problem.message}` };
  const sides = SIDES.map((side) => ({ name: side.toUpperCase(), seen: onSide(state, side) }));
  const failed = sides.find(({ seen }) => seen.run.phase === "failed");
  if (failed) return { stage: "lacking", words: `${failed.name} has no answer, so there is nothing to compare.` };
  const late = sides.find(({ seen }) => !isAnswered(seen));
  if (!late) return { stage: "waiting", words: "Comparing all heads…" };
  const message = late.seen.run.progress?.message;
  return { stage: "waiting", words: message ? `${late.name}: ${message}` : `Waiting for ${late.name}…` };
}

const linksMeaning = (/** @type {string} */ what) => `Under its name are the three links that ${what} most: from token → to token, weight in A → weight in B.`;

/** What the number beside each head means. @param {Pick<Comparison, "same_model">} comparison */
export function numberMeaning({ same_model }) {
  if (same_model) {
    return (
      "Change is the share of a head's attention that moved between A and B: 0 is nothing, 1 is all of it. " +
      `The most changed head comes first. ${linksMeaning("changed")}`
    );
  }
  return (
    "Each head of A with the most similar head of B, the most similar pair first; pairs compared on less than half of the attention of a head come last. " +
    "Similarity is how much of the attention to words both models see goes to the same words: 0 is nothing, 1 is all of it. " +
    `The tick on the bar is the head's mean similarity to all heads of B. ${linksMeaning("still differ")}`
  );
}

/** The heads as they are listed, in the order of their numbers. @param {Comparison} comparison @returns {ComparedRow[]} */
export function comparedRows({ heads, same_model, units }) {
  const end = rowsEnd({ heads, same_model });
  return heads.map((head) => {
    const value = same_model ? head.change : head.similarity;
    const one = oneHead({ layer: head.layer, head: head.head });
    const other = oneHead({ side: "b", layer: head.other_layer, head: head.other_head });
    const both = [headName(head.layer, head.head), headName(head.other_layer, head.other_head)];
    const names = same_model ? both.slice(0, 1) : both;
    const usual = head.typical === null ? null : head.typical / end;
    const difference = /** @type {Pair} */ ({ kind: "difference", one, other });
    const links = writtenLinks(head.links, units);
    return { name: names.join(" ~ "), names, value, part: value / end, usual, note: shareNote(head), links, one, other, difference };
  });
}

/** Where the bars end. @param {Pick<Comparison, "heads" | "same_model">} comparison */
export function rowsEnd({ heads, same_model }) {
  return barEnd(heads.map(({ change, similarity, typical }) => ({ weight: same_model ? change : similarity, by_position: typical })));
}

/** @param {Comparison["heads"][number]} head */
function shareNote({ share_one, share_other }) {
  if (Math.min(share_one, share_other) >= LITTLE) return "";
  return unbroken(`Words both models can see get ${percent(share_one)} of the attention in A, ${percent(share_other)} in B`);
}
