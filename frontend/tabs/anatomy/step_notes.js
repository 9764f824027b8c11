// What a step shows beside its picture in numbers: variances, entropies, lengths and directions, the prediction.

import { shortNumber } from "../../anatomy/figures.js";
import { element } from "../../page/dom.js";
import { tokenLabel } from "../../page/labels.js";
import { headBars, predictionBars } from "./moved.js";

/** @typedef {import("../../anatomy/walk.js").Answer} Answer */

/** A row of numbers with their names. @param {[string, string][]} pairs */
function facts(pairs) {
  return element("dl", { class: "step-facts" }, ...pairs.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

/** @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/** Entropy of each row of a map. @param {ArrayLike<number>} weights @param {number} n */
function rowEntropies(weights, n) {
  return Array.from({ length: n }, (_, row) => {
    let sum = 0;
    for (let key = 0; key < n; key += 1) {
      const weight = weights[row * n + key];
      if (weight > 0) sum -= weight * Math.log(weight);
    }
    return sum;
  });
}

/** A row of a matrix of tokens by heads. @param {Answer} answer @param {string} name @returns {number[] | null} */
function ofHeads({ about, tensors }, name) {
  const tensor = tensors[name];
  if (!tensor) return null;
  const [, n] = tensor.shape;
  return Array.from({ length: n }, (_, head) => Number(tensor.values[about.token * n + head]));
}

/** @param {number} difference between the output and the sum of its parts */
function sumWords(difference) {
  if (difference === 0) return "All parts added up are the output, to the last digit.";
  return `All parts added up differ from the output by at most ${shortNumber(difference)}, which is rounding.`;
}

/** By step. @type {Record<string, (answer: Answer) => HTMLElement[]>} */
export const NOTES = {
  one_or_many({ about: { numbers, token, tokens } }) {
    const at = (/** @type {{entropy: number[], strongest: (number | null)[]}} */ { entropy, strongest }) => {
      const key = strongest[token];
      return `${key === null ? "nothing" : tokenLabel(tokens[key])}, ${shortNumber(entropy[token])} nats`;
    };
    /** @type {[string, string][]} */
    const heads = numbers.heads.map((head, number) => [`H${number}`, at(head)]);
    const title = element("p", { class: "quiet" }, `Row “${tokenLabel(tokens[token])}”: where it looks most, and the entropy of its weights.`);
    return [title, facts([...heads, ["mean of the heads", at(numbers.mean)], ["one large head", at(numbers.one_head)]])];
  },
  scale({ about: { numbers, n_tokens, token, tokens, sizes }, tensors }) {
    const [before, after] = ["pattern_unscaled", "pattern"].map((name) => tensors[name] && rowEntropies(/** @type {ArrayLike<number>} */ (tensors[name].values), n_tokens));
    const row = tokenLabel(tokens[token]);
    return [
      facts([
        ["factor", shortNumber(numbers.scale)],
        ["variance of the scores, not scaled", shortNumber(numbers.variance_raw)],
        [`scaled (${Number((numbers.variance_raw / Math.max(numbers.variance_scaled, 1e-30)).toPrecision(3))} times less; d_head is ${sizes.d_head})`, shortNumber(numbers.variance_scaled)],
        ...(before && after
          ? /** @type {[string, string][]} */ ([
              [`entropy of row “${row}”, not scaled`, `${shortNumber(before[token])} nats`],
              ["scaled", `${shortNumber(after[token])} nats`],
              ["mean over rows", `${shortNumber(mean(before))} and ${shortNumber(mean(after))} nats`],
            ])
          : []),
      ]),
    ];
  },
  softmax({ about: { numbers, tokens } }) {
    const empty = numbers.empty_queries.map((query) => tokenLabel(tokens[query]));
    return empty.length === 0 ? [] : [element("p", {}, `${empty.join(", ")}: no key is visible, so the row is zeros.`)];
  },
  output(answer) {
    const { about } = answer;
    const [norms, cosines] = [ofHeads(answer, "result_norms"), ofHeads(answer, "result_cosines")];
    const row = tokenLabel(about.tokens[about.token]);
    return [
      ...(norms ? [headBars(`Length of what each head writes at “${row}”`, norms, { chosen: about.head, kind: "norms" })] : []),
      ...(cosines ? [headBars("Direction: cosine with the whole output", cosines.map((value) => (Number.isFinite(value) ? value : 0)), { top: 1, chosen: about.head, kind: "cosines" })] : []),
      element("p", { class: "parts-sum" }, sumWords(about.numbers.parts_difference)),
    ];
  },
  stack({ about }) {
    return [predictionBars(about.prediction, null, tokenLabel(about.tokens[about.token]))];
  },
};
