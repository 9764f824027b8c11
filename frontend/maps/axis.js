// One side of a map as it is shown: which tokens are hidden, which are put together, and what is written there.

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

/**
 * @param {Treatment["hide"]} hide
 * @returns {(token: Token, place: number) => boolean} whether a token is to be hidden; the first is that at place 0
 */
export function hiddenBy(hide) {
  const special = hide === "special" || hide === "both";
  const first = hide === "first" || hide === "both";
  return (token, place) => (special && isSpecial(token)) || (first && place === 0);
}

/**
 * @param {Token[]} tokens
 * @param {number} block how many tokens a line of the map stands for
 * @param {Treatment["hide"]} hide
 * @param {boolean} words
 * @param {string[][]} [typed] the characters of each sentence
 * @returns {ShownAxis}
 */
export function shownAxis(tokens, block, hide, words, typed = []) {
  const isHidden = hiddenBy(hide);
  const { shown, hidden } = split(blocks(tokens.length, block), (places) =>
    places.every((place) => isHidden(tokens[place], place)),
  );
  const alone = shown.map((line) => line.places);
  const isWordwise = words && block === 1;
  const places = isWordwise ? wordRuns(tokens, alone.flat()) : alone;
  const labels = places.map((run) => (isWordwise ? wordText(tokens, run, typed) : tokens[run[0]].text));
  return {
    axis: { labels, groups: indicesOf(tokens, places) },
    places,
    lines: block > 1 ? shown.map((line) => [line.at]) : places,
    hidden,
    spared: alone.some((run) => run.some((place) => isHidden(tokens[place], place))),
  };
}

/** @param {number[][]} lines @param {(places: number[]) => boolean} isHidden */
function split(lines, isHidden) {
  /** @type {{at: number, places: number[]}[]} */
  const shown = [];
  /** @type {number[]} */
  const hidden = [];
  lines.forEach((places, at) => {
    if (isHidden(places)) hidden.push(at);
    else shown.push({ at, places });
  });
  return { shown, hidden };
}

/** @param {Token[]} tokens @param {number[][]} places */
export function indicesOf(tokens, places) {
  return places.map((run) => run.map((place) => tokens[place].index));
}
