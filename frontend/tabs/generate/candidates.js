// What may come next, as a list of bars: each with its probability, a click continues the text with it.

import { element } from "../../page/dom.js";
import { bar } from "../../views/parts/bar.js";
import { showMore } from "../../views/parts/show_more.js";

/** @typedef {{candidates: Candidate[], rest: number, chosen: number | null}} Offered rest: of all others; chosen: an id, once one is */

const FIRST_ROWS = 10;

/** @param {number} probability as a percentage with two decimals, a sign where those would all be zero */
export function percentText(probability) {
  if (probability > 0 && probability < 0.00005) return "<0.01 %";
  return `${(100 * probability).toFixed(2)} %`;
}

/** @param {(candidate: Candidate) => void} take */
export function createCandidates(take) {
  const list = element("ol", { class: "candidates" });
  const more = showMore(FIRST_ROWS, { kind: "plain", label: (n) => `Show ${n}` });
  const root = element("div", { class: "candidates-box" }, list, more.button);

  /** @param {Candidate} candidate @param {number | null} chosen */
  function item(candidate, chosen) {
    const { id, text, piece, probability } = candidate;
    const isChosen = id === chosen;
    const attributes = {
      type: "button",
      disabled: chosen !== null,
      "data-id": id,
      "data-probability": probability,
      "aria-label": `${chosen === null ? "Continue with" : isChosen ? "Chosen:" : ""} “${text}”, ${percentText(probability)}`,
      title: chosen === null ? `Click to continue with it · ${piece} · id ${id}` : `${piece} · id ${id}`,
      onclick: () => take(candidate),
    };
    const name = element("span", { class: "candidate", dir: "auto" }, text);
    const parts = [name, " ", bar(probability), element("b", {}, percentText(probability))];
    return element("li", { class: isChosen ? "chosen" : null }, element("button", attributes, ...parts));
  }

  return {
    root,
    /** @param {Offered | null} offered null: nothing is known */
    render(offered) {
      if (offered === null) {
        // Nothing old stays to be read, but its height does: the next answer will need as much.
        if (list.childNodes.length > 0) root.style.minHeight = `${root.offsetHeight}px`;
        list.replaceChildren();
        more.button.hidden = true;
        return;
      }
      const { candidates, rest, chosen } = offered;
      root.style.minHeight = "";
      more.show(candidates, null, (shown) => {
        const others = rest + candidates.slice(shown.length).reduce((sum, { probability }) => sum + probability, 0);
        const parts = ["All others", bar(others), element("b", {}, percentText(others))];
        const last = element("li", { class: "others", "data-probability": others }, ...parts);
        list.replaceChildren(...shown.map((one) => item(one, chosen)), last);
      });
    },
  };
}
