// What can be done with the link that is asked for.

import { isStaleOn } from "../../state/selectors.js";
import { NOTHING_ASKED, askChoice } from "./choice.js";

/** @typedef {import("./choice.js").Ask} Ask */
/** @typedef {ReturnType<typeof askActions>} AskActions */

/** @param {Pick<Store, "actions" | "state">} store */
export function askActions(store) {
  const { actions } = store;
  const choose = (/** @type {Ask} */ ask) => actions.choose(askChoice, ask);
  // The strip still shows the tokens of the last text; the text being typed has others.
  const isOld = () => isStaleOn(store.state, "a");

  return {
    /** @param {Ask["end"]} end gets the next token */
    chooseEnd(end) {
      const ask = askChoice.of(store.state);
      if (end !== ask.end) choose({ ...ask, end });
    },
    /** @param {number} token goes to the active end; one that is chosen already is taken out */
    chooseToken(token) {
      if (isOld()) return;
      const ask = askChoice.of(store.state);
      const { end } = ask;
      if (ask.queries.includes(token) || ask.keys.includes(token)) {
        const [queries, keys] = [ask.queries, ask.keys].map((chosen) => chosen.filter((one) => one !== token));
        choose({ queries, keys, end: queries.length === 0 ? "queries" : keys.length === 0 ? "keys" : end });
      } else {
        const isFirst = ask.queries.length + ask.keys.length === 0; // the first query is followed by the first key
        choose({ ...ask, [end]: [...ask[end], token].sort((one, other) => one - other), end: isFirst ? "keys" : end });
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
    clear: () => choose(NOTHING_ASKED),
    /** The asked link becomes what the pinned heads are read at. */
    lockLink() {
      const { queries, keys } = askChoice.of(store.state);
      if (!isOld()) actions.setView({ lock: { side: "a", queries, keys } });
    },
  };
}
