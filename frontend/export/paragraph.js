// Text broken into lines of a width, in any script.

import { fitted, lettersOf } from "../page/labels.js";

/** @typedef {Pick<Surface, "measureText">} Measure */

/**
 * The lines of a text, broken at blanks, and inside a word only if it is wider than a line.
 * @param {Measure} context
 * @param {string} text
 * @param {number} width
 * @param {number} most lines; an ellipsis replaces the rest
 */
export function wrapped(context, text, width, most) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const word of text.trim().split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (context.measureText(longer).width <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = cutUp(context, word, width);
    line = pieces.pop() ?? "";
    lines.push(...pieces);
  }
  lines.push(line);
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), fitted(context, lines.slice(most - 1).join(" "), width)];
}

/** A word in pieces that fit a width: some scripts have no blanks. @param {Measure} context @param {string} word @param {number} width */
function cutUp(context, word, width) {
  if (context.measureText(word).width <= width) return [word];
  const pieces = [];
  let piece = "";
  for (const letter of lettersOf(word)) {
    if (piece !== "" && context.measureText(piece + letter).width > width) {
      pieces.push(piece);
      piece = "";
    }
    piece += letter;
  }
  return [...pieces, piece];
}
