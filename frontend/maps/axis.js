// One side of a map as it is shown: which tokens are hidden, which are merged, and what is written there.

import { tokenLabel } from "../page/labels.js";
import { blocks } from "./map_lines.js";
import { isSpecial, wordRuns, wordText } from "./words.js";

/**
 * @typedef {object} ShownAxis
 * @property {Axis} axis
 * @property {number[][]} places per line of the axis those of its tokens
 * @property {number[][]} lines per line of the axis the lines of the map
 * @property {number[]} hidden lines of the map that are not shown
 * @property {boolean} spared whether a token that was to be hidden is still shown, in a block with others
 */

/** @param {Treatment["hide"]} hide @returns {(token: Token, place: number) => boolean} whether a token is to be hidden */
export function hiddenBy(hide) {
  const special = hide === "special" || hide === "both";
  const first = hide === "first" || hide === "both";
  return (token, place) => (special && isSpecial(token)) || (first && place === 0);
}

/** The lines of which every token is to be hidden. @param {Token[]} tokens @param {number[][]} lines @param {Treatment["hide"]} hide */
export function hiddenLines(tokens, lines, hide) {
  const isHidden = hiddenBy(hide);
  return lines.flatMap((places, line) => (places.every((place) => isHidden(tokens[place], place)) ? [line] : []));
}

/**
 * @param {Token[]} tokens
 * @param {number} block how many tokens a line of the map covers
 * @param {Treatment["hide"]} hide
 * @param {boolean} words
 * @param {string[][]} [typed] the characters of each sentence
 * @returns {ShownAxis}
 */
export function shownAxis(tokens, block, hide, words, typed) {
  const all = blocks(tokens.length, block);
  const hidden = hiddenLines(tokens, all, hide);
  const shown = [...all.keys()].filter((line) => !hidden.includes(line));
  const alone = shown.map((line) => all[line]);
  const isWordwise = words && block === 1;
  const places = isWordwise ? wordRuns(tokens, alone.flat()) : alone;
  const labels = places.map((run) => (isWordwise ? wordText(tokens, run, typed) : tokenLabel(tokens[run[0]])));
  const isHidden = hiddenBy(hide);
  return {
    axis: { labels, groups: indicesOf(tokens, places) },
    places,
    lines: block > 1 ? shown.map((line) => [line]) : places,
    hidden,
    spared: alone.flat().some((place) => isHidden(tokens[place], place)),
  };
}

/** @param {Token[]} tokens @param {number[][]} places */
export function indicesOf(tokens, places) {
  return places.map((run) => run.map((place) => tokens[place].index));
}
