// Tokens that match in two texts, merged until whole words match.

import { touches, wordRuns, wordText } from "./words.js";

/** @typedef {{tokens: Token[], typed?: string[][]}} Line the tokens of an axis, and the characters of each sentence */
/** @typedef {{one: number[], other: number[], text: string, other_text: string}} WordMatch */
/** @typedef {number[]} Run the places of one word */
/** @typedef {{one: Run[], other: Run[]}} Group */

/**
 * The smallest groups of whole words in which every token has its match; words without a counterpart are left out.
 * @param {Line} one
 * @param {Line} other
 * @param {Pick<WordMatch, "one" | "other">[]} matches places of tokens that match, on both axes; one may have none
 * @returns {WordMatch[]} in the order of the first axis
 */
export function wordMatches(one, other, matches) {
  const mine = runsByPlace(one.tokens, matches.flatMap((match) => match.one));
  const theirs = runsByPlace(other.tokens, matches.flatMap((match) => match.other));
  /** @type {Map<Run, Group>} */
  const groups = new Map();
  for (const match of matches) {
    const own = { one: runsAt(mine, match.one), other: runsAt(theirs, match.other) };
    const met = new Set([...own.one, ...own.other].flatMap((run) => groups.get(run) ?? []));
    const group = joined([...met, own]);
    for (const run of [...group.one, ...group.other]) groups.set(run, group);
  }
  return [...new Set(groups.values())]
    .filter((group) => group.one.length > 0 && group.other.length > 0)
    .map((group) => ({
      one: group.one.flat(),
      other: group.other.flat(),
      text: phrase(one, group.one),
      other_text: phrase(other, group.other),
    }))
    .sort((first, second) => first.one[0] - second.one[0]);
}

/** @param {Token[]} tokens @param {number[]} places @returns {Map<number, Run>} the word of each place */
function runsByPlace(tokens, places) {
  const runs = wordRuns(tokens, [...places].sort((one, other) => one - other));
  return new Map(runs.flatMap((run) => run.map((place) => /** @type {const} */ ([place, run]))));
}

/** @param {Map<number, Run>} runs @param {number[]} places */
function runsAt(runs, places) {
  return [...new Set(places.map((place) => /** @type {Run} */ (runs.get(place))))];
}

/** @param {Group[]} groups @returns {Group} all their words, each once, in reading order */
function joined(groups) {
  const all = (/** @type {Run[]} */ runs) => [...new Set(runs)].sort((one, other) => one[0] - other[0]);
  return { one: all(groups.flatMap(({ one }) => one)), other: all(groups.flatMap(({ other }) => other)) };
}

/** Words as they are read, with blanks where something is between them. @param {Line} line @param {Run[]} runs */
function phrase({ tokens, typed }, runs) {
  return runs
    .map((run, at) => {
      const before = runs[at - 1]?.at(-1);
      const isApart = before !== undefined && !touches(tokens[before], tokens[run[0]]);
      return `${isApart ? " " : ""}${wordText(tokens, run, typed)}`;
    })
    .join("");
}
