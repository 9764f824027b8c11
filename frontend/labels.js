// How tokens, heads and weights are written on axes and in readouts. The server has already marked blanks
// and what leaves no ink. It must not know state or the page; measuring takes the context it is given.

/** @typedef {import("./api.js").Token} Token */

/** @type {WeakMap<Token[], string[]>} */
const labelsOfTokens = new WeakMap();

/**
 * The labels of all tokens, the same list for the same tokens.
 * @param {Token[]} tokens
 */
export function labelsOf(tokens) {
  const labels = labelsOfTokens.get(tokens) ?? tokens.map((token) => token.text);
  labelsOfTokens.set(tokens, labels);
  return labels;
}

const LONGEST_IN_WORDS = 28;

/**
 * A token for a sentence about it: all of it, unless it is an unknown word of very many letters.
 * @param {Token} token
 */
export function tokenInWords({ text }) {
  if (text.length <= LONGEST_IN_WORDS) return text;
  const characters = [...text];
  return characters.length <= LONGEST_IN_WORDS ? text : `${characters.slice(0, LONGEST_IN_WORDS - 1).join("")}…`;
}

/** @typedef {{font: string, measureText(text: string): {width: number}}} Measure */
/** Widths are measured once per list and font: hovering draws often. @type {WeakMap<string[], Map<string, number>>} */
const widths = new WeakMap();

/**
 * How wide the widest label is.
 * @param {Measure} context
 * @param {string[]} labels
 */
export function longestWidth(context, labels) {
  const byFont = widths.get(labels) ?? new Map();
  widths.set(labels, byFont);
  const width = byFont.get(context.font) ?? Math.max(24, ...labels.map((label) => context.measureText(label).width));
  byFont.set(context.font, width);
  return width;
}

/**
 * Words in which no line ends between a number and its percent sign, nor inside `n = 5`.
 * @param {string} text
 */
export function unbroken(text) {
  return text.replace(/(\d) %/g, "$1\u00a0%").replace(/\bn = (?=\d)/g, "n\u00a0=\u00a0");
}

/**
 * @param {number} layer
 * @param {number} head
 */
export function headName(layer, head) {
  return `L${layer} H${head}`;
}

/**
 * A weight for people: four decimals, with a sign for values which would read as zero.
 * @param {number} weight
 */
export function weightText(weight) {
  if (weight > 0 && weight < 0.00005) return "<0.0001";
  return weight.toFixed(4);
}

/**
 * The text, shortened with an ellipsis to fit a width.
 * @param {{measureText(text: string): {width: number}}} context
 * @param {string} text
 * @param {number} width
 */
export function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const characters = [...text];
  let [short, long] = [0, characters.length];
  while (short < long) {
    const middle = Math.ceil((short + long) / 2);
    if (context.measureText(`${characters.slice(0, middle).join("")}…`).width <= width) short = middle;
    else long = middle - 1;
  }
  return `${characters.slice(0, short).join("")}…`;
}

/**
 * Every how many-th label is written so that neighbours do not touch.
 * @param {number} pitch pixels between two neighbours
 * @param {number} needed pixels one label needs
 */
export function labelStep(pitch, needed) {
  return Math.max(1, Math.ceil(needed / pitch));
}
