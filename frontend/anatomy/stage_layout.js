// Which arrangement of a step is drawn, and where each of its figures goes.

import { figureOf, figuresOfHeads, scaleText, shapeText } from "./figures.js";
import { fit } from "./fit.js";
import { candidates } from "./layout.js";

/** @typedef {import("./figures.js").Figure} Figure */
/** @typedef {import("./fit.js").Fitted & {figures: Map<string, Figure>}} StageLayout */

const CHARACTER = 5.9; // pixels of a letter in captions
const SYMBOL = 7.8; // and of a symbol
const MOST_SAID = 12; // letters of what the colours mean, which may be cut
const MOST_A_ROW = 6;
const LEAST = 44;

/** @param {Figure} figure pixels of its caption: the symbol above the shape and what the colours mean; of a thin figure beside each other */
export function captionWidth(figure) {
  const [symbol, shape] = [SYMBOL * figure.symbol.length, CHARACTER * shapeText(figure).length];
  const below = shape + CHARACTER * (2 + Math.min(MOST_SAID, scaleText(figure).length));
  return Math.ceil(Math.max(LEAST, figure.rows === 1 ? symbol + shape + 6 : Math.max(symbol, below)));
}

/**
 * @param {string} step
 * @param {import("./walk.js").Answer} answer
 * @param {import("./fit.js").Room} room
 * @returns {StageLayout | null} null: nothing of the step can be drawn
 */
export function layOut(step, answer, room) {
  const has = (/** @type {string} */ name) => answer.tensors[name] !== undefined;
  const { activation, norm_first } = answer.about.computation;
  const named = (/** @type {string} */ op) => (op === "f" ? (activation ?? op) : op === "↓ norm" && !norm_first ? "↓ not normed" : op);
  const tried = candidates(step, has).map(({ grid, rows }) => {
    /** @type {Map<string, Figure>} */
    const figures = new Map();
    const keep = (/** @type {Figure | null} */ figure) => {
      if (figure) figures.set(figure.id, figure);
      return figure && { ...figure, least: captionWidth(figure) };
    };
    const items = rows.flatMap((row) => {
      const cells = row.flatMap(({ op, name, transposed, each }) => {
        if (name === null) return [{ op: named(op), figure: null }];
        if (!each) return [{ op: named(op), figure: keep(figureOf(answer, name, transposed)) }];
        return figuresOfHeads(answer, name).map((figure, at) => ({ op: at === 0 ? op : name === "z" ? "|" : "", figure: keep(figure) }));
      });
      return row.some(({ each }) => each) ? inRows(cells) : [cells];
    });
    return { ...fit(items, grid, room), figures };
  });
  return tried.sort((one, other) => other.score - one.score)[0] ?? null;
}

/** @template Cell @param {Cell[]} cells @returns {Cell[][]} rows of equal length */
function inRows(cells) {
  const count = Math.ceil(cells.length / MOST_A_ROW);
  const most = Math.ceil(cells.length / count);
  return Array.from({ length: count }, (_, at) => cells.slice(at * most, (at + 1) * most));
}
