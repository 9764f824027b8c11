// What the models really read, side by side, and what can be done with it.

import { suggestedLink, tokenNamed } from "../heads/ranking.js";
import { byId, element } from "../page/dom.js";
import { chosenExample, isStale } from "../state/selectors.js";
import { TokenStrip } from "./token_strip.js";

/** @param {Actions} actions */
export function createTokens(actions) {
  const hint = byId("tokens-hint", HTMLElement);
  const strips = [new TokenStrip("a", byId("tokens", HTMLElement), actions), new TokenStrip("b", byId("tokens-b", HTMLElement), actions)];

  /** @param {State} state */
  function renderHint(state) {
    const example = chosenExample(state);
    // A link between tokens of an older text would be between others in this one.
    const tokens = isStale(state) ? [] : (state.analysis?.tokens ?? []);
    const link = suggestedLink(tokens, example);
    const isAsking = state.tab === "ask";
    const usual = "Point at a token to follow it through the heads; click to lock it, with Shift to add more.";
    /** @type {(Node | string)[]} */
    let parts = isAsking ? [nextStep(state)] : [usual];
    if (link && !isAsking) {
      const [from, to] = [tokenNamed(tokens, link.queries[0]), tokenNamed(tokens, link.keys[0])];
      const open = element("button", { type: "button", class: "inline", onclick: () => actions.chooseTab("ask") }, "Open Ask");
      parts = [open, `, click ${from}, then ${to}. Or point at a token to follow it through the heads; a click locks it.`];
    }
    hint.replaceChildren(...(example ? [`${example.hint} `] : []), ...parts);
  }

  /** @param {State} state what the next click on a token does */
  function nextStep({ ask }) {
    const isFrom = ask.side === "queries";
    if (ask[ask.side].length > 0) return `More tokens go to “${isFrom ? "From" : "To"}”; click a chosen one to take it out.`;
    return isFrom ? "Click the token that looks." : "Now click the token it looks at.";
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      for (const strip of strips) strip.render(state, changed);
      if (!["analysis", "tab", "ask", "config", "lock"].some((key) => changed.has(key))) return;
      hint.hidden = (state.analysis?.tokens.length ?? 0) === 0;
      renderHint(state);
    },
  };
}
