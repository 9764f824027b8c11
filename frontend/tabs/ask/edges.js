// The ranking of heads by a link between tokens: asked for while the tab is open, never for an older text.

import { Memo } from "../../page/memo.js";
import { resource } from "../../requests/resource.js";
import { isAnswered, question } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { askChoice } from "./choice.js";

/** @typedef {Question & {queries: number[], keys: number[]}} EdgesQuestion */

/** @type {Memo<EdgesQuestion | null>} */
const asked = new Memo();

/** What to ask the server, the same object while nothing changes; null while an end of the link is empty. @param {State} state */
function edgesQuestion(state) {
  const { queries, keys } = askChoice.of(state);
  const text = question(onSide(state, "a"));
  return asked.get([text, queries, keys], () => (text && queries.length > 0 && keys.length > 0 ? { ...text, queries, keys } : null));
}

/** @type {import("../../requests/resource.js").Resource<EdgesQuestion, Edges>} */
export const edges = resource("/edges", edgesQuestion, {
  when: (state) => state.tab === "ask" && isAnswered(onSide(state, "a")),
});
