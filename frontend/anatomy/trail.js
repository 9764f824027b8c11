// From a number back to the sentence: what is pointed at, what is pinned, the numbers gone through, and what each was
// computed from.

import { resource } from "../requests/resource.js";
import { choice } from "../state/choice.js";
import { placeQuestion, shownWalk } from "./walk.js";

/** @typedef {{matrix: string, layer: number, head: number, row: number, column: number}} Spot one number; layer and head are those of the walk where a matrix has none */
/** @typedef {{matrix: string | null, symbol: string, layer: number | null, head: number | null, row: number | null, column: number | null, value: number, power: 1 | -1}} Factor */
/** @typedef {{value: number, factors: Factor[]}} Term */
/**
 * @typedef {object} Trace
 * @property {Token[]} tokens
 * @property {import("./walk.js").MatrixKind} matrix
 * @property {number | null} layer
 * @property {number | null} head
 * @property {number} row
 * @property {number} column
 * @property {number | null} value
 * @property {string} formula
 * @property {"sum" | "root" | "softmax" | "function" | "leaf"} combine
 * @property {string | null} function
 * @property {number | null} sum
 * @property {Term[]} terms
 * @property {{n_terms: number, sum: number}} rest
 * @property {{kind: string, note: string, token: Token | null} | null} leaf
 */
/** @typedef {Question & {layer: number, head: number, token: number, matrix: string, row: number, column: number, n_terms: number}} TraceQuestion */

const SPOT = /^([a-z][a-z0-9_]*)\.(\d{1,3})\.(\d{1,3})\.(\d{1,5})\.(\d{1,6})$/;
/** As many terms as the widest models shown here have numbers in a vector: they are lit in the picture. */
const MOST_TERMS = 600;
const KEPT = 40;

/** @param {Spot} spot */
export const spotKey = ({ matrix, layer, head, row, column }) => [matrix, layer, head, row, column].join(".");

/** @param {string} word @returns {Spot | null} */
function readSpot(word) {
  const match = SPOT.exec(word);
  if (!match) return null;
  const [layer, head, row, column] = match.slice(2).map(Number);
  return { matrix: match[1], layer, head, row, column };
}

/** The numbers from the pinned one backwards; empty: none is pinned. */
export const trailChoice = choice("anatomy_trail", {
  link: "number",
  usual: /** @type {Spot[]} */ ([]),
  write: (trail) => (trail.length === 0 ? null : trail.map(spotKey).join(",")),
  read(word) {
    const spots = word.split(",").map(readSpot);
    return spots.includes(null) ? null : /** @type {Spot[]} */ (spots);
  },
  undo: "pass",
});

/** The trail after a step to a number: back to it where it was gone through already. @param {Spot[]} trail @param {Spot} spot @returns {Spot[]} */
export function withSpot(trail, spot) {
  const at = trail.findIndex((one) => spotKey(one) === spotKey(spot));
  return at >= 0 ? trail.slice(0, at + 1) : [...trail, spot];
}

/** Where a factor is, seen from a number. @param {Factor} factor @param {Spot} from @returns {Spot | null} null: a constant, which is in no matrix */
export function spotOf({ matrix, layer, head, row, column }, from) {
  if (matrix === null || row === null || column === null) return null;
  return { matrix, layer: layer ?? from.layer, head: head ?? from.head, row, column };
}

/** @param {State} state @param {Spot} spot @returns {TraceQuestion | null} */
export function traceQuestion(state, { matrix, layer, head, row, column }) {
  const place = placeQuestion(state);
  if (place === null) return null;
  // Edits stay in their layer while the trail leads through others.
  return /** @type {TraceQuestion} */ ({ ...place, layer, head, matrix, row, column, n_terms: MOST_TERMS });
}

/** What is pinned, then what the pointer rests on. @param {State} state */
function traceQuestions(state) {
  const pinned = trailChoice.of(state).at(-1);
  const spots = [...(pinned ? [pinned] : []), ...(state.anatomy.asked ? [state.anatomy.asked] : [])];
  return spots.flatMap((spot) => traceQuestion(state, spot) ?? []);
}

/** @type {import("../requests/resource.js").Resource<TraceQuestion, Trace>} */
export const traces = resource("/learn/anatomy/trace", traceQuestions, { keep: KEPT });

/** What is known of how a number was computed. @param {State} state @param {Spot | null | undefined} spot */
export function traceOf(state, spot) {
  const asked = spot && traceQuestion(state, spot);
  return asked ? traces.find(state, asked) : null;
}

/** What is shown: the number that is pointed at, else the pinned one. @param {State} state @returns {Spot | null} */
export function shownSpot(state) {
  return state.anatomy.pointed ?? trailChoice.of(state).at(-1) ?? null;
}

/** A head's number with the layer and head of the walk. @param {State} state @param {{matrix: string, head: number, row: number, column: number}} cell @returns {Spot} */
export function spotOfCell(state, { matrix, head, row, column }) {
  return { matrix, layer: shownWalk(state).layer, head, row, column };
}

/** The name of a row or column. @param {string | undefined} axis @param {number} at @param {string[]} tokens */
export function placeName(axis, at, tokens) {
  if (axis === "token") return tokens[at] ?? String(at);
  if (axis === "head") return `H${at}`;
  if (axis === "layer") return at === 0 ? "embeddings" : `L${at - 1}`;
  return String(at);
}

/** A number's name: its matrix, row and column. @param {import("./walk.js").MatrixKind | undefined} kind @param {Spot} spot @param {string[]} tokens */
export function spotName(kind, { matrix, row, column }, tokens) {
  const [rows, columns] = kind?.axes.slice(-2) ?? [];
  const places = [rows === "one" ? null : placeName(rows, row, tokens), columns === "one" ? null : placeName(columns, column, tokens)];
  const inside = places.filter((place) => place !== null).join(", ");
  return `${shortSymbol(kind?.symbol ?? matrix)}${inside === "" ? "" : `[${inside}]`}`;
}

/** A symbol that an index can follow: `Z` of `Z = A V`, sums and fractions in brackets. @param {string} symbol */
function shortSymbol(symbol) {
  const [name] = symbol.split(" = ");
  return / [+/] /.test(name) ? `(${name})` : name;
}

/** Which tokens a number stands for by its rows and columns. @param {import("./walk.js").MatrixKind | undefined} kind @param {Spot} spot @returns {number[]} */
export function tokensOf(kind, { row, column }) {
  const [rows, columns] = kind?.axes.slice(-2) ?? [];
  return [...new Set([...(rows === "token" ? [row] : []), ...(columns === "token" ? [column] : [])])];
}
