// What can be done with the link that is asked for.

import { isStaleOn } from "../../state/selectors.js";
import { NOTHING_ASKED, askChoice } from "./choice.js";

/** @typedef {import("./choice.js").Ask} Ask */

/** @param {Pick<Store, "actions" | "state">} store */
export function askActions(store) {
  const { actions } = store;
  const choose = (/** @type {Ask} */ ask) => actions.choose(askChoice, ask);
  // The strip still shows the tokens of the text before; in the one that is typed they are others.
  const isOld = () => isStaleOn(store.state, "a");
  const rise = (/** @type {number} */ one, /** @type {number} */ other) => one - other;

  return {
    /** @param {Ask["end"]} end gets the next token */
    chooseEnd(end) {
      const ask = askChoice.of(store.state);
      if (end !== ask.end) choose({ ...ask, end });
    },
    /** @param {number} token goes to the active end; one that is chosen already is taken out */
    chooseToken(token) {
      if (isOld()) return;
      const { queries, keys, end } = askChoice.of(store.state);
      const without = (/** @type {number[]} */ chosen) => chosen.filter((one) => one !== token);
      if (queries.includes(token) || keys.includes(token)) {
        const rest = { queries: without(queries), keys: without(keys) };
        const emptied = rest.queries.length === 0 ? "queries" : rest.keys.length === 0 ? "keys" : end;
        choose({ ...rest, end: emptied });
      } else if (end === "queries") {
        // The first query is followed by the first key.
        const next = queries.length === 0 && keys.length === 0 ? "keys" : end;
        choose({ queries: [...queries, token].sort(rise), keys, end: next });
      } else {
        choose({ queries, keys: [...keys, token].sort(rise), end });
      }
    },
    /** @param {number[]} queries @param {number[]} keys */
    askFor(queries, keys) {
      if (!isOld()) choose({ queries, keys, end: "keys" });
    },
    swapEnds() {
      const { queries, keys, end } = askChoice.of(store.state);
      choose({ queries: keys, keys: queries, end });
    },
    clear() {
      choose(NOTHING_ASKED);
    },
    /** The asked link becomes what the pinned heads are read at. */
    lockLink() {
      const { queries, keys } = askChoice.of(store.state);
      if (!isOld()) actions.look({ lock: { side: "a", queries, keys } });
    },
  };
}

/** @typedef {ReturnType<typeof askActions>} AskActions */
