// The number under the pointer, or the pinned one: its name with the real tokens, its value, its formula.

import { valueAt, shortNumber } from "../../anatomy/figures.js";
import { filled, inSymbols } from "../../anatomy/formula.js";
import { shownSpot, spotName, traceOf, trailChoice } from "../../anatomy/trail.js";
import { catalogue, shownAnswer } from "../../anatomy/walk.js";
import { element } from "../../page/dom.js";
import { tokenLabel } from "../../page/labels.js";

const HINT = "Point at a number to see where it comes from; click it to follow it back to the sentence.";

/** A number with the digits of a float that are worth reading. @param {number | null | undefined} value */
export function valueText(value) {
  if (value === null || value === undefined) return "not defined";
  if (value === -Infinity) return "−∞";
  if (!Number.isFinite(value)) return "not defined";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 0.001 || size >= 100_000) ? size.toExponential(3) : String(Number(size.toPrecision(5)));
  return `${value < 0 ? "−" : ""}${text}`;
}

/** The value on screen of a spot of the layer that is shown; undefined: it is not on screen. @param {import("../../anatomy/walk.js").Answer} answer @param {import("../../anatomy/trail.js").Spot} spot */
export function valueOnScreen({ about, tensors }, { matrix, head, row, column }) {
  const { n_heads, d_head } = about.sizes;
  const at = (/** @type {string} */ name, /** @type {number} */ place) => /** @type {number | undefined} */ (tensors[name]?.values[place]);
  const n = about.n_tokens;
  if (matrix === "pattern" && tensors.patterns) return at("patterns", (head * n + row) * n + column);
  if (matrix === "z" && tensors.concat) return at("concat", row * n_heads * d_head + head * d_head + column);
  const tensor = tensors[matrix];
  return tensor && valueAt({ transposed: false, rows: tensor.shape[0], columns: tensor.shape[1], values: /** @type {ArrayLike<number>} */ (tensor.values) }, row, column);
}

/** @param {Store} _store @returns {{root: HTMLElement, views: PageView[]}} */
export function createReadout(_store) {
  const root = element("div", { class: "number-readout", role: "status" });
  return {
    root,
    views: [
      {
        reads: (state) => [shownSpot(state), shownAnswer(state).answer, traceOf(state, shownSpot(state)), catalogue.of(state)?.answer],
        render(state) {
          const { answer } = shownAnswer(state);
          const spot = shownSpot(state);
          if (answer === null) return root.replaceChildren();
          if (spot === null) return root.replaceChildren(element("p", { class: "quiet" }, HINT));
          const known = traceOf(state, spot)?.answer;
          const kinds = catalogue.of(state)?.answer?.matrices ?? answer.about.matrices;
          const kind = answer.about.matrices.find(({ name }) => name === spot.matrix) ?? kinds.find(({ name }) => name === spot.matrix);
          const tokens = answer.about.tokens.map(tokenLabel);
          const isHere = spot.layer === answer.about.layer || kind?.scope === "model";
          const value = known ? (known.value ?? (isHere ? valueOnScreen(answer, spot) : null)) : isHere ? valueOnScreen(answer, spot) : undefined;
          const formula = known ? filled(known.formula, spot.row, spot.column) : kind ? filled(kind.formula, spot.row, spot.column) : "";
          const isPinned = state.anatomy.pointed === null && trailChoice.of(state).length > 0;
          const others = known ? fromWords(known) : "";
          root.dataset.value = value === undefined ? "" : String(value);
          root.replaceChildren(
            element("p", { class: "number-line" }, element("b", {}, spotName(kind, spot, tokens)), ` = `, element("output", {}, value === undefined ? "…" : valueText(value)), isPinned ? element("span", { class: "quiet" }, " pinned") : ""),
            element("p", { class: "number-formula quiet" }, [inSymbols(formula, kinds), others].filter(Boolean).join(" — ")),
          );
        },
      },
    ],
  };
}

/** How many terms, and the largest of them. @param {import("../../anatomy/trail.js").Trace} trace */
function fromWords({ terms, rest, combine, leaf }) {
  if (leaf) return leaf.note;
  const n = terms.length + rest.n_terms;
  const [largest] = terms;
  const share = combine === "softmax" ? "the largest share" : "the largest";
  return n > 1 && largest ? `${n.toLocaleString("en")} terms, ${share} ${shortNumber(largest.value)}` : "";
}
