// The link that is asked for, as a part of the view.

import { choice } from "../../state/choice.js";
import { numbersIn } from "../../state/view.js";

/** @typedef {{queries: number[], keys: number[], end: "queries" | "keys"}} Ask the tokens of a link; its `end` gets the next one */

/** @type {Ask} */
export const NOTHING_ASKED = { queries: [], keys: [], end: "queries" };

export const askChoice = choice("ask", {
  usual: NOTHING_ASKED,
  write: ({ queries, keys }) => (queries.length + keys.length === 0 ? null : `${queries.join(",")}/${keys.join(",")}`),
  read(word) {
    const match = /^([\d,]*)\/([\d,]*)$/.exec(word);
    if (!match) return null;
    const [queries, keys] = [match[1], match[2]].map((list) => [...new Set(numbersIn(list, ","))]);
    return /** @type {Ask} */ ({ queries, keys, end: "queries" });
  },
  compared: ({ queries, keys }) => `${queries.join()}/${keys.join()}`, // not where the next token would go
  mapTokens(ask, map) {
    const [queries, keys] = [map(ask.queries), map(ask.keys)];
    if (queries === null || keys === null) return null;
    return queries === ask.queries && keys === ask.keys ? ask : { ...ask, queries, keys };
  },
});
