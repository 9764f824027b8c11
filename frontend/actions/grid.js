// The actions of the grid: what its cells show, in which order, which heads stand out, and the cursor on it.

import { cellIn, slotOf } from "../heads/arrangement.js";
import { orderOf } from "../heads/ordering.js";
import { ABOVE, comparedQuantity } from "../heads/showing.js";
import { isStaleOn } from "../state/selectors.js";
import { atPlace, onSide } from "../state/sides.js";

/** @param {Holder} holder */
export function gridActions(holder) {
  return {
    /** @param {string} color_by */
    chooseColor(color_by) {
      const next = { ...holder.state, color_by };
      // Heads above a baseline were above that of the old colour, and the new one may have none.
      const isBaseless = next.show === ABOVE && comparedQuantity(onSide(next, "a")) === null;
      holder.update({ color_by, ...(isBaseless ? { show: "all" } : {}) });
    },
    /** @param {boolean} weighted */
    setWeighted: (weighted) => holder.update({ values: weighted ? "weighted" : "raw" }),
    /** @param {number} rows how far to move over what is seen @param {number} columns @param {Place} [place] in which grid */
    moveCursor(rows, columns, place = { side: "a", stack: 0 }) {
      const seen = atPlace(holder.state, place);
      const { analysis, cursor } = seen;
      if (analysis === null || isStaleOn(holder.state, place.side)) return;
      const { n_layers, n_heads } = analysis;
      const order = orderOf(seen);
      const start = { row: rows < 0 ? n_layers : -rows, column: columns < 0 ? n_heads : -columns };
      const from = cursor ? slotOf(order, cursor, n_heads) : start;
      const row = Math.min(n_layers - 1, Math.max(0, from.row + rows));
      const column = Math.min(n_heads - 1, Math.max(0, from.column + columns));
      const next = { ...place, ...cellIn(order, { row, column }, n_heads) };
      holder.update({ cursor: next, seen: next });
    },
  };
}
