// The actions of the grid: what its cells show, in which order, which heads stand out, and the cursor on it.
// It must not know the page's elements or the network.

import { cellIn, slotOf } from "./arrangement.js";
import { orderOf } from "./ordering.js";
import { ABOVE, comparedQuantity } from "./showing.js";

/** @typedef {import("./permalink.js").Sort} Sort */
/** @typedef {import("./state.js").Holder} Holder */
/** @typedef {import("./state.js").KnownAtlas} KnownAtlas */
/** @typedef {import("./state.js").Measures} Measures */

/** @param {Holder} holder */
export function gridActions(holder) {
  return {
    /** @param {string} color_by */
    chooseColor(color_by) {
      // Heads above a baseline were above that of the old colour, and the new one may have none.
      const show = holder.state.show === ABOVE && comparedQuantity({ ...holder.state, color_by }) === null ? "all" : holder.state.show;
      holder.update({ color_by, show });
    },
    /** @param {boolean} weighted */
    setWeighted(weighted) {
      holder.update({ weighted });
    },
    /** @param {Sort} sort */
    chooseSort(sort) {
      holder.update({ sort });
    },
    /** @param {string} show */
    chooseShow(show) {
      holder.update({ show });
    },
    /** @param {number} rows how far to move over what is seen @param {number} columns */
    moveCursor(rows, columns) {
      const { analysis, cursor } = holder.state;
      if (analysis === null) return;
      const { n_layers, n_heads } = analysis;
      const order = orderOf(holder.state);
      const start = { row: rows < 0 ? n_layers : -rows, column: columns < 0 ? n_heads : -columns };
      const from = cursor ? slotOf(order, cursor, n_heads) : start;
      const row = Math.min(n_layers - 1, Math.max(0, from.row + rows));
      const column = Math.min(n_heads - 1, Math.max(0, from.column + columns));
      holder.update({ cursor: cellIn(order, { row, column }, n_heads) });
    },

    /** @param {KnownAtlas} atlas */
    receiveAtlas(atlas) {
      holder.update({ atlas });
    },
    /** @param {{layer: number} & Measures} message */
    receiveMeasures({ layer, raw, weighted, labels }) {
      const { analysis, measured } = holder.state;
      if (analysis === null) return;
      analysis.measures.set(layer, { raw, weighted, labels });
      holder.update({ measured: measured + 1 });
    },
  };
}
