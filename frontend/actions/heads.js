// The actions of the tabs beside the grid: asking for a link between tokens, the chart and the table of heads.

import { isStale } from "../state/selectors.js";
import { NOTHING_ASKED } from "../state/view.js";

/** @typedef {import("../state/view.js").Tab} Tab */
/** @typedef {import("../state/state.js").KnownEdges} KnownEdges */
/** @typedef {import("../state/state.js").KnownFigure} KnownFigure */

/** @param {Holder} holder */
export function headsActions(holder) {
  const rise = (/** @type {number} */ one, /** @type {number} */ other) => one - other;

  return {
    /** @param {Tab} tab */
    chooseTab(tab) {
      holder.update({ tab });
    },

    /** @param {Ask["side"]} side gets the next token */
    chooseSlot(side) {
      const { ask } = holder.state;
      // The same tokens are the same question: its answer stays.
      const { edges } = holder.state;
      const chosen = { ...ask, side };
      if (side !== ask.side)
        holder.update({ ask: chosen, edges: edges?.ask === ask ? { ...edges, ask: chosen } : null });
    },
    /** @param {number} token goes into the active slot; one that is chosen already is taken out */
    chooseToken(token) {
      // The strip still shows the tokens of the text before; in the one that is typed they are others.
      if (isStale(holder.state)) return;
      const { queries, keys, side } = holder.state.ask;
      const without = (/** @type {number[]} */ chosen) => chosen.filter((one) => one !== token);
      if (queries.includes(token) || keys.includes(token)) {
        const rest = { queries: without(queries), keys: without(keys) };
        const emptied = rest.queries.length === 0 ? "queries" : rest.keys.length === 0 ? "keys" : side;
        holder.update({ ask: { ...rest, side: emptied }, edges: null });
      } else if (side === "queries") {
        // The first token that looks is followed by the first one looked at.
        const next = queries.length === 0 && keys.length === 0 ? "keys" : side;
        holder.update({ ask: { queries: [...queries, token].sort(rise), keys, side: next }, edges: null });
      } else {
        holder.update({ ask: { queries, keys: [...keys, token].sort(rise), side }, edges: null });
      }
    },
    /** @param {number[]} queries @param {number[]} keys */
    askFor(queries, keys) {
      if (!isStale(holder.state)) holder.update({ ask: { queries, keys, side: "keys" }, edges: null });
    },
    swapAsked() {
      const { queries, keys, side } = holder.state.ask;
      holder.update({ ask: { queries: keys, keys: queries, side }, edges: null });
    },
    clearAsked() {
      holder.update({ ask: NOTHING_ASKED, edges: null });
    },
    /** The asked link becomes what the pinned heads are read at. */
    lockAsked() {
      const { queries, keys } = holder.state.ask;
      if (!isStale(holder.state)) holder.update({ lock: { side: "a", queries, keys } });
    },
    /** @param {KnownEdges} edges an answer to what is no longer asked is dropped */
    receiveEdges(edges) {
      if (edges.ask === holder.state.ask) holder.update({ edges });
    },

    /** @param {Partial<Chart>} choice */
    chooseChart(choice) {
      holder.update({ chart: { ...holder.state.chart, ...choice } });
    },
    /** @param {KnownFigure} figure */
    receiveFigure(figure) {
      holder.update({ figure });
    },
    /** @param {string} by the same column again turns the order round; numbers begin with the largest */
    sortTable(by) {
      const { table } = holder.state;
      const isName = by === "head" || by === "roles";
      holder.update({ table: { by, falling: table.by === by ? !table.falling : !isName } });
    },
  };
}
