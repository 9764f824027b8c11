// The formula of a matrix, filled in: with the indices of one number, and with the symbols that the picture shows.

import { perObject } from "../page/memo.js";

/** @typedef {import("./walk.js").MatrixKind} MatrixKind */

/** Symbols by the names of matrices. */
const symbolsOf = perObject((/** @type {MatrixKind[]} */ kinds) => new Map(kinds.map(({ name, symbol }) => [name, symbol])));

/** The right side of a formula for one number. @param {string} formula such as `scores_raw[i,c] = Σ_m q[i,m] · k[c,m]` @param {number} row @param {number} column */
export function filled(formula, row, column) {
  const right = formula.slice(formula.indexOf(" = ") + 3);
  return right.replace(/(?<![\w·])i(?![\w])/g, String(row)).replace(/(?<![\w·])c(?![\w])/g, String(column));
}

/** A formula with the symbols of matrices in place of their names. @param {string} formula @param {MatrixKind[]} kinds */
export function inSymbols(formula, kinds) {
  const symbols = symbolsOf(kinds);
  return formula.replace(/\b[a-z][a-z0-9_]*(?=\[)/g, (name) => {
    const [symbol] = (symbols.get(name) ?? name).split(" = ");
    return /[ ,]/.test(symbol) ? `(${symbol})` : symbol;
  });
}

/** The matrices that a formula reads. @param {string} formula @returns {string[]} */
export function sourcesOf(formula) {
  const right = formula.slice(formula.indexOf(" = ") + 3);
  return [...new Set(right.match(/\b[a-z][a-z0-9_]*(?=\[)/g) ?? [])];
}
