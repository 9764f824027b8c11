// The table of all heads: its columns, its rows and their order.

import { CORPUS, chosenQuantity } from "../../heads/measures.js";
import { atlasOnScreen, rolesOf } from "../../heads/roles.js";
import { shownChart } from "./chart_choice.js";
import { FIRST_ORDER } from "./choices.js";

/** @typedef {import("./choices.js").TableOrder} TableOrder */
/** @typedef {{layer: number, head: number, roles: HeadRole[], values: (number | null)[]}} HeadRow */
/** @typedef {{name: string, quantity: Quantity}} Column */

/** One column for each number that the chart is made of; roles and layers are no numbers. @param {SideView} state @returns {Column[]} */
export function columnsOf(state) {
  const { kind, x, y, color, source } = shownChart(state);
  const names = new Set(kind === "scatter" ? [x, y, color] : [color, x, y]);
  return [...names].flatMap((name) => {
    const quantity = chosenQuantity({ ...state, color_by: source === "corpus" ? `${CORPUS}${name}` : name });
    return quantity ? [{ name, quantity }] : [];
  });
}

/** Every head with its roles and values, in the model's order. @param {SideView} state @param {Column[]} columns @returns {HeadRow[]} */
export function headRows(state, columns) {
  const { n_layers, n_heads } = state.analysis ?? atlasOnScreen(state)?.model ?? { n_layers: 0, n_heads: 0 };
  return Array.from({ length: n_layers * n_heads }, (_, place) => {
    const cell = { layer: Math.floor(place / n_heads), head: place % n_heads };
    const values = columns.map(({ quantity }) => quantity.values[place] ?? null);
    return { ...cell, roles: rolesOf(state, cell), values };
  });
}

/** The order of a table, by the heads' names when its column is not there. @param {Column[]} columns @param {TableOrder} table */
export function orderAmong(columns, table) {
  const isThere = ["head", "roles"].includes(table.by) || columns.some(({ name }) => name === table.by);
  return isThere ? table : FIRST_ORDER;
}

/**
 * Rows in order; those without a value come last in both directions, equal ones in the model's order.
 * @param {HeadRow[]} rows in the model's order
 * @param {Column[]} columns
 * @param {TableOrder} table
 */
export function orderedRows(rows, columns, table) {
  const { by, falling } = orderAmong(columns, table);
  const at = columns.findIndex(({ name }) => name === by);
  const keyOf = (/** @type {HeadRow} */ { roles, values }, /** @type {number} */ place) =>
    by === "head" ? place : by === "roles" ? roleKey(roles) : values[at];
  const sign = falling ? -1 : 1;
  return rows
    .map((row, place) => ({ row, key: keyOf(row, place) }))
    .sort((one, other) => {
      if (one.key === null || other.key === null) return Number(one.key === null) - Number(other.key === null);
      return sign * (one.key - other.key);
    })
    .map(({ row }) => row);
}

/** @param {HeadRole[]} roles groups in their own order, the largest lift first; null: no role is proven */
function roleKey(roles) {
  return roles.length === 0 ? null : roles[0].tone * 10 - (roles[0].holder.lift ?? 0);
}
