// What the models really read, side by side, and what can be done with it.

import { suggestedLink, tokenNamed } from "../heads/ranking.js";
import { byId } from "../page/dom.js";
import { chosenExample, isStale } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { button } from "./parts/button.js";
import { openTab } from "./tabs.js";
import { createTokenStrip } from "./token_strip.js";

const USUAL = "Point at a token to follow it through the heads; click to lock it, with Shift to add more.";

/** @param {Store} store @param {Tab[]} tabs @returns {PageView[]} */
export function createTokens(store, tabs) {
  const hint = byId("tokens-hint", HTMLElement);
  const useOf = (/** @type {State} */ state) => openTab(tabs, state)?.tokens ?? null;
  const canAsk = tabs.some(({ id }) => id === "ask");

  /** @param {Token[]} tokens @param {import("../requests/api.js").Example | null} example */
  function whatToDo(tokens, example) {
    const link = canAsk ? suggestedLink(tokens, example) : null;
    if (link === null) return [USUAL];
    const [from, to] = [tokenNamed(tokens, link.queries[0]), tokenNamed(tokens, link.keys[0])];
    const rest = `, click ${from}, then ${to}. Or point at a token to follow it through the heads; a click locks it.`;
    return [button("inline", "Open Ask", () => store.actions.chooseTab("ask")), rest];
  }

  return [
    ...createTokenStrip(store, "a", byId("tokens", HTMLElement), useOf),
    // Only the tokens of side a can be chosen: what tabs say is about its heads.
    ...createTokenStrip(store, "b", byId("tokens-b", HTMLElement), () => null),
    pageView(
      (state) => {
        const a = onSide(state, "a");
        const use = useOf(state);
        return [a.analysis?.tokens, isStale(a), chosenExample(a), use, use?.marked(state)];
      },
      (tokens = [], isOld, example, use, _marked) => {
        hint.hidden = tokens.length === 0;
        // A link between tokens of an older text would be between others in this one.
        const parts = use ? use.hint(store) : whatToDo(isOld ? [] : tokens, example);
        hint.replaceChildren(...(example ? [`${example.hint} `] : []), ...parts);
      },
    ),
  ];
}
