// Where a pinned number comes from: its largest terms as bars, each factor a button that goes further back, and the way
// from the number to the sentence.

import { shortNumber } from "../../anatomy/figures.js";
import { filled, inSymbols } from "../../anatomy/formula.js";
import { placeName, spotKey, spotName, spotOf, tokensOf, traceOf, trailChoice, withSpot } from "../../anatomy/trail.js";
import { catalogue } from "../../anatomy/walk.js";
import { element, setHidden } from "../../page/dom.js";
import { headName, tokenLabel } from "../../page/labels.js";
import { bar } from "../../views/parts/bar.js";
import { button } from "../../views/parts/button.js";
import { valueText } from "./readout.js";

/** @typedef {import("../../anatomy/trail.js").Trace} Trace */
/** @typedef {import("../../anatomy/trail.js").Spot} Spot */

const SHOWN = 8;
/** @type {Record<string, string>} */
const COMBINED = {
  sum: "The sum of these terms:",
  root: "The square root of the sum of these terms:",
  softmax: "The share of one exponential in all of the row:",
};

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[], leave: () => boolean, pin: (spot: Spot) => void}} */
export function createTraceCard(store) {
  const { actions } = store;
  const root = element("section", { class: "card trace-card", "aria-label": "Where a number comes from", hidden: true });
  const go = (/** @type {Spot[]} */ trail) => actions.choose(trailChoice, trail);
  const leave = () => {
    if (trailChoice.of(store.state).length === 0) return false;
    go([]);
    return true;
  };
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !leave()) return;
    event.preventDefault();
    event.stopPropagation();
  });

  /** @param {State} state */
  function render(state) {
    const trail = trailChoice.of(state);
    const spot = trail.at(-1);
    setHidden(root, !spot);
    if (!spot) return root.replaceChildren();
    const known = traceOf(state, spot);
    const trace = known?.answer;
    const kinds = catalogue.of(state)?.answer?.matrices ?? [];
    const tokens = (state.sides.a.analysis?.tokens ?? []).map(tokenLabel);
    const kindOf = (/** @type {Spot} */ { matrix }) => kinds.find(({ name }) => name === matrix);
    const name = (/** @type {Spot} */ one) => spotName(kindOf(one), one, tokens);
    const close = button("icon", "×", leave, { "aria-label": "Back to the lesson", title: "Back to the lesson (Escape)" });
    const crumbs = trail.map((one, at) =>
      at === trail.length - 1 ? element("b", { "aria-current": "true" }, name(one)) : button("inline", name(one), () => go(trail.slice(0, at + 1))),
    );
    const path = element("nav", { class: "trace-path", "aria-label": "The way back" }, ...crumbs.flatMap((crumb, at) => (at === 0 ? [crumb] : [" ‹ ", crumb])));
    const focused = root.contains(document.activeElement);
    root.classList.toggle("stale", known === null);
    root.replaceChildren(
      element("header", { class: "trace-head" }, element("h3", {}, "Where it comes from"), close),
      path,
      ...(trace ? partsOf(trace, spot) : [element("p", { class: "quiet" }, known?.problem?.message ?? "Looking it up…")]),
    );
    if (focused) close.focus();

    /** @param {Trace} found @param {Spot} from */
    function partsOf(found, from) {
      const where = found.layer === null ? "" : found.head === null ? `layer ${found.layer}` : headName(found.layer, found.head);
      const value = element("p", { class: "trace-value" }, element("output", {}, valueText(found.value ?? found.sum)), where === "" ? "" : element("span", { class: "quiet" }, ` ${where}`));
      const formula = element("p", { class: "formula" }, inSymbols(filled(found.formula, found.row, found.column), kinds));
      if (found.leaf) return [value, formula, leafOf(found.leaf)];
      const words = found.combine === "function" ? `${found.function} of one number:` : COMBINED[found.combine];
      const most = Math.max(...found.terms.map((term) => Math.abs(term.value)), 1e-30);
      const shown = found.terms.slice(0, SHOWN);
      const hidden = found.terms.slice(SHOWN);
      const n_rest = hidden.length + found.rest.n_terms;
      const rest = hidden.reduce((sum, term) => sum + term.value, found.rest.sum);
      return [
        value,
        formula,
        element("p", { class: "quiet" }, words),
        element("ul", { class: "trace-terms" }, ...shown.map((term) => termRow(term, most, from))),
        ...(n_rest > 0 ? [element("p", { class: "quiet trace-rest" }, `and ${n_rest.toLocaleString("en")} more, together ${shortNumber(rest)}`)] : []),
      ];
    }

    /** @param {import("../../anatomy/trail.js").Term} term @param {number} most @param {Spot} from */
    function termRow({ value, factors }, most, from) {
      const drawn = bar(Math.abs(value) / most);
      drawn.classList.toggle("negative", value < 0);
      const parts = factors.flatMap((factor, at) => {
        const goal = spotOf(factor, from);
        const sign = at === 0 ? (factor.power === -1 ? ["1 ÷ "] : []) : [factor.power === -1 ? " ÷ " : " × "];
        const kind = goal && kindOf(goal);
        const inside = goal ? spotName(kind ?? undefined, goal, tokens) : factor.symbol;
        const ofHead = goal && goal.head !== from.head && kind?.scope === "head" ? ` H${goal.head}` : "";
        const words = goal ? `${inside}${ofHead}` : inside;
        return [...sign, goal ? button("factor", words, () => go(withSpot(trail, goal)), { title: `${words} = ${valueText(factor.value)}: where does it come from?` }) : element("span", { class: "quiet" }, words), element("span", { class: "factor-value" }, ` ${shortNumber(factor.value)}`)];
      });
      return element("li", { "data-value": value }, element("span", { class: "term-value" }, shortNumber(value)), drawn, element("span", { class: "factors" }, ...parts));
    }

    /** @param {NonNullable<Trace["leaf"]>} found */
    function leafOf({ note, token }) {
      const at = token?.index;
      const focus = at === undefined ? [] : [button("chip small", `${tokenLabel(/** @type {Token} */ (token))} ·${at}`, () => actions.toggleLock({ side: "a", queries: [at], keys: [] }), { title: "Show it in the sentence" })];
      return element("p", { class: "trace-leaf" }, note, " ", ...focus);
    }
  }

  return {
    root,
    leave,
    pin: (spot) => go(trailChoice.of(store.state).at(-1) && spotKey(/** @type {Spot} */ (trailChoice.of(store.state).at(-1))) === spotKey(spot) ? [] : [spot]),
    views: [
      {
        reads: (state) => [trailChoice.of(state), traceOf(state, trailChoice.of(state).at(-1)), catalogue.of(state)?.answer, state.sides.a.analysis],
        render,
      },
      {
        // The tokens that a pinned number is about are marked in the sentence.
        reads: (state) => [trailChoice.of(state), traceOf(state, trailChoice.of(state).at(-1)), catalogue.of(state)?.answer],
        render(state) {
          const spot = trailChoice.of(state).at(-1);
          const found = traceOf(state, spot)?.answer;
          const leaf = found?.leaf?.token?.index;
          const kind = catalogue.of(state)?.answer?.matrices.find(({ name }) => name === spot?.matrix);
          const about = spot ? (leaf === undefined ? tokensOf(kind, spot) : [leaf]) : [];
          root.dataset.tokens = about.map((at) => placeName("token", at, [])).join(",");
          if (about.length > 0) actions.hover({ side: "a", queries: about.slice(0, 1), keys: about.slice(1) });
          else if (store.state.hover !== null) actions.hover(null);
        },
      },
    ],
  };
}
