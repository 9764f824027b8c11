// What a learner changes in one layer: how a link writes it, which of it fits a model and a text, and how it reads in words.

import { headName } from "../page/labels.js";
import { choice } from "../state/choice.js";

/** @typedef {"w_q" | "w_k" | "w_v" | "w_o"} EditedMatrix */
/** @typedef {{matrix: EditedMatrix, head: number, row: number, column: number, add: number}} WeightEdit */
/** @typedef {{token: number, dimension: number, add: number}} InputEdit */
/**
 * @typedef {object} Edits
 * @property {number} layer
 * @property {number[]} heads_off
 * @property {number | null} scale null: the model's own
 * @property {[number, number][]} mask cells whose visibility is switched
 * @property {boolean | null} causal null: as in the model
 * @property {WeightEdit[]} weights
 * @property {InputEdit[]} inputs
 */
/** @typedef {{n_layers: number, n_heads: number, d_model: number, d_head: number, n_tokens: number}} Sizes what edits must be within */

/** @type {Edits} */
export const NO_EDITS = { layer: 0, heads_off: [], scale: null, mask: [], causal: null, weights: [], inputs: [] };
const MATRICES = ["w_q", "w_k", "w_v", "w_o"];
/** @type {Record<string, string>} */
export const WEIGHT_SYMBOLS = { w_q: "W_Q", w_k: "W_K", w_v: "W_V", w_o: "W_O" };
const LARGEST = 1000;

/** @param {Edits} edits */
export function isEdited({ heads_off, scale, mask, causal, weights, inputs }) {
  return heads_off.length + mask.length + weights.length + inputs.length > 0 || scale !== null || causal !== null;
}

/** @param {Edits} edits @returns {string | null} */
function write(edits) {
  if (!isEdited(edits)) return null;
  const { layer, heads_off, scale, mask, causal, weights, inputs } = edits;
  return [
    String(layer),
    ...(heads_off.length > 0 ? [`off:${heads_off.join("+")}`] : []),
    ...(scale === null ? [] : [`scale:${scale}`]),
    ...(causal === null ? [] : [`causal:${causal}`]),
    ...(mask.length > 0 ? [`mask:${mask.map((pair) => pair.join(".")).join("+")}`] : []),
    ...weights.map(({ matrix, head, row, column, add }) => `${matrix}:${[head, row, column].join(".")}:${add}`),
    ...inputs.map(({ token, dimension, add }) => `input:${token}.${dimension}:${add}`),
  ].join("/");
}

/** @param {string} word @param {number} count @returns {number[] | null} whole numbers with points between */
function places(word, count) {
  const found = /^\d{1,5}(\.\d{1,5})*$/.test(word) ? word.split(".").map(Number) : [];
  return found.length === count ? found : null;
}

/** @param {string} word @returns {number | null} */
function numberIn(word) {
  const found = /^-?\d+(\.\d+)?(e-?\d+)?$/.test(word) ? Number(word) : NaN;
  return Math.abs(found) <= LARGEST ? found : null;
}

/** @param {string} word @returns {Edits | null} null: it cannot be understood */
function read(word) {
  const [layer, ...parts] = word.split("/");
  if (!/^\d{1,3}$/.test(layer)) return null;
  /** @type {Edits | null} */
  let edits = { ...NO_EDITS, layer: Number(layer) };
  for (const part of parts) edits = edits && withPart(edits, part.split(":"));
  return edits;
}

/** @param {Edits} edits @param {string[]} part @returns {Edits | null} */
function withPart(edits, [name, where, added = ""]) {
  const list = (where ?? "").split("+");
  if (name === "off") return list.every((one) => places(one, 1)) ? { ...edits, heads_off: list.map(Number) } : null;
  if (name === "scale") return numberIn(where) === null ? null : { ...edits, scale: numberIn(where) };
  if (name === "causal") return where === "true" || where === "false" ? { ...edits, causal: where === "true" } : null;
  if (name === "mask") {
    const pairs = list.map((one) => places(one, 2));
    return pairs.includes(null) ? null : { ...edits, mask: /** @type {[number, number][]} */ (pairs) };
  }
  const add = numberIn(added);
  if (add === null) return null;
  const at = places(where, name === "input" ? 2 : 3);
  if (at === null) return null;
  if (name === "input") return { ...edits, inputs: [...edits.inputs, { token: at[0], dimension: at[1], add }] };
  if (!MATRICES.includes(name)) return null;
  const [head, row, column] = at;
  return { ...edits, weights: [...edits.weights, { matrix: /** @type {EditedMatrix} */ (name), head, row, column, add }] };
}

/** A slider moves through many values: they are one step of undo. */
export const editsChoice = choice("anatomy_edits", { link: "edits", usual: NO_EDITS, write, read, undo: "slide", compared: (edits) => write(edits) });

/** What of the edits there is something for: another text has other tokens, another model other heads. @param {Edits} edits @param {Sizes} sizes @returns {Edits} */
export function fittingEdits(edits, { n_layers, n_heads, d_model, d_head, n_tokens }) {
  if (edits.layer >= n_layers) return NO_EDITS;
  const shapeOf = (/** @type {EditedMatrix} */ matrix) => (matrix === "w_o" ? [d_head, d_model] : [d_model, d_head]);
  return {
    ...edits,
    heads_off: edits.heads_off.filter((head) => head < n_heads),
    mask: edits.mask.filter((pair) => pair.every((token) => token < n_tokens)),
    weights: edits.weights.filter(({ matrix, head, row, column }) => head < n_heads && row < shapeOf(matrix)[0] && column < shapeOf(matrix)[1]),
    inputs: edits.inputs.filter(({ token, dimension }) => token < n_tokens && dimension < d_model),
  };
}

/** The edits of a layer to which one is added: those of another layer give way. @param {Edits} edits @param {number} layer @returns {Edits} */
export function ofLayer(edits, layer) {
  return edits.layer === layer ? edits : { ...NO_EDITS, layer };
}

/** @template Item @param {Item[]} list @param {(item: Item) => boolean} isIt @param {Item} item @returns {Item[]} without it if it is there, else with it */
function toggled(list, isIt, item) {
  return list.some(isIt) ? list.filter((one) => !isIt(one)) : [...list, item];
}

/** @param {Edits} edits @param {number} head @returns {Edits} */
export function withHead(edits, head) {
  return { ...edits, heads_off: toggled(edits.heads_off, (one) => one === head, head).sort((one, other) => one - other) };
}

/** @param {Edits} edits @param {number} query @param {number} key @returns {Edits} */
export function withMask(edits, query, key) {
  return { ...edits, mask: toggled(edits.mask, ([one, other]) => one === query && other === key, [query, key]) };
}

/** @param {Edits} edits @param {WeightEdit} edit an addition of 0 takes it away @returns {Edits} */
export function withWeight(edits, edit) {
  const others = edits.weights.filter(({ matrix, head, row, column }) => matrix !== edit.matrix || head !== edit.head || row !== edit.row || column !== edit.column);
  return { ...edits, weights: edit.add === 0 ? others : [...others, edit] };
}

/** @param {Edits} edits @param {InputEdit} edit an addition of 0 takes it away @returns {Edits} */
export function withInput(edits, edit) {
  const others = edits.inputs.filter(({ token, dimension }) => token !== edit.token || dimension !== edit.dimension);
  return { ...edits, inputs: edit.add === 0 ? others : [...others, edit] };
}

/** @param {number} add */
const signed = (add) => `${add < 0 ? "−" : "+"}${Math.abs(add)}`;

/**
 * Each edit in words, with the edits without it.
 * @param {Edits} edits
 * @param {string[]} tokens
 * @returns {{words: string, without: Edits}[]}
 */
export function editsInWords(edits, tokens) {
  const { layer, heads_off, scale, mask, causal, weights, inputs } = edits;
  const token = (/** @type {number} */ at) => tokens[at] ?? String(at);
  return [
    ...heads_off.map((head) => ({ words: `${headName(layer, head)} off`, without: withHead(edits, head) })),
    ...(scale === null ? [] : [{ words: scale === 1 ? "no scaling" : `scale ${Number(scale.toPrecision(3))}`, without: { ...edits, scale: null } }]),
    ...(causal === null ? [] : [{ words: causal ? "causal mask" : "no causal mask", without: { ...edits, causal: null } }]),
    ...mask.map(([query, key]) => ({ words: `mask ${token(query)} → ${token(key)}`, without: withMask(edits, query, key) })),
    ...weights.map((edit) => ({
      words: `${WEIGHT_SYMBOLS[edit.matrix]} of ${headName(layer, edit.head)} [${edit.row}, ${edit.column}] ${signed(edit.add)}`,
      without: withWeight(edits, { ...edit, add: 0 }),
    })),
    ...inputs.map((edit) => ({ words: `input of ${token(edit.token)}, dimension ${edit.dimension} ${signed(edit.add)}`, without: withInput(edits, { ...edit, add: 0 }) })),
  ];
}
