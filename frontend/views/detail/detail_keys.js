// The last step of a weight: softmax over the scores of all keys, the chosen key marked among them.

import { sharesOfKeys } from "../../maps/query_key.js";
import { element, setText, sizeCanvas } from "../../page/dom.js";
import { tokenInWords, weightText } from "../../page/labels.js";
import { codeOfWeight } from "../../requests/wire.js";
import { bar } from "../parts/bar.js";

const ROW = 22;
const MOST = 8;

/** @param {(key: number) => void} choose another key */
export function createSoftmaxRow(choose) {
  const canvas = element("canvas", { role: "img" });
  const list = element("ol", { class: "detail-keys" });
  const notListed = element("p", { class: "quiet" });

  /** @param {Token} token @param {number} weight @param {boolean} isChosen */
  function item(token, weight, isChosen) {
    const name = tokenInWords(token);
    const attributes = {
      type: "button",
      "aria-pressed": String(isChosen),
      "aria-label": `Key ${token.index}, ${name}: ${weightText(weight)}`,
      "data-key": token.index,
      "data-weight": weight,
      onclick: () => choose(token.index),
    };
    const parts = [element("span", { class: "detail-key", dir: "auto" }, name), " ", bar(weight), element("b", {}, weightText(weight))];
    return element("li", {}, element("button", attributes, ...parts));
  }

  return {
    root: element("div", { class: "detail-softmax" }, canvas, list, notListed),
    /** @param {QueryKey} steps @param {Token[]} tokens of the whole answer */
    write(steps, tokens) {
      const { shown, others, rest, hidden } = sharesOfKeys(steps, MOST);
      list.replaceChildren(...shown.map(({ key, weight }) => item(tokens[key], weight, key === steps.key)));
      const keys = (/** @type {number} */ count, /** @type {string} */ lead) => `${count} ${lead}${count === 1 ? "key" : "keys"}`;
      const together = others > 0 ? `${keys(others, "other ")}: ${weightText(rest)} together.` : "";
      const unseen = hidden > 0 ? `${keys(hidden, "more ")} ${hidden === 1 ? "is" : "are"} not visible to this query.` : "";
      setText(notListed, [together, unseen].filter(Boolean).join(" "));
      const place = `${steps.key - steps.keys[0] + 1} of ${steps.weights.length}`;
      canvas.setAttribute("aria-label", `The weights of all keys in order, the chosen one is key ${place}.`);
    },
    /** @param {QueryKey} steps @param {number} width @param {Theme} theme */
    draw({ weights, key, keys: [first] }, width, { palette, scale }) {
      const context = sizeCanvas(canvas, width, ROW + 8);
      const edge = (/** @type {number} */ at) => 1 + Math.round(((width - 2) * at) / weights.length);
      weights.forEach((weight, at) => {
        context.fillStyle = scale.css[codeOfWeight(weight)];
        context.fillRect(edge(at), 0, Math.max(1, edge(at + 1) - edge(at)), ROW);
      });
      context.strokeStyle = palette.line;
      context.strokeRect(1.5, 0.5, width - 3, ROW - 1);
      const [from, to] = [edge(key - first), edge(key - first + 1)];
      context.strokeStyle = context.fillStyle = palette.accent;
      context.lineWidth = 2;
      context.strokeRect(from, 1, Math.max(2, to - from), ROW - 2);
      context.beginPath();
      context.moveTo((from + to) / 2, ROW + 1);
      context.lineTo((from + to) / 2 + 4, ROW + 8);
      context.lineTo((from + to) / 2 - 4, ROW + 8);
      context.fill();
    },
  };
}
