// The colour scales: one entry each, from which the menu, links, legends and drawing follow.

/** How far below the top the log scale reaches, in powers of ten. */
const DECADES = 4;

/**
 * @typedef {object} ScaleEntry
 * @property {string} label in the menu
 * @property {string} name in a sentence
 * @property {(part: number) => number} curve what a part of the top, 0 to 1, is of the colours
 * @property {number[]} marked which parts of the top a legend marks
 * @property {number[]} marked_arm the same for each arm of a scale with two, which has room for fewer
 */

/** Scales that need one weight, not all of them. */
export const FORMULAS = /** @satisfies {Record<string, ScaleEntry>} */ ({
  linear: {
    label: "Linear",
    name: "linear scale",
    curve: (/** @type {number} */ part) => part,
    marked: [0, 0.25, 0.5, 0.75, 1],
    marked_arm: [0.5, 1],
  },
  sqrt: { label: "Square root", name: "square-root scale", curve: Math.sqrt, marked: [0, 0.05, 0.25, 0.5, 1], marked_arm: [0.25, 1] },
  log: {
    label: "Log",
    name: "log scale",
    curve: (/** @type {number} */ part) => Math.max(0, 1 + Math.log10(part) / DECADES),
    marked: [1e-4, 1e-3, 1e-2, 1e-1, 1],
    marked_arm: [1e-2, 1],
  },
});

/** All scales; a rank is among all weights of a map. */
export const SCALES = { ...FORMULAS, rank: { label: "Rank" } };
