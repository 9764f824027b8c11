// One example from a corpus: its words, and an arrow from the word that attends to the word it attends to.

import { element } from "../../page/dom.js";
import { weightText } from "../../page/labels.js";

const SVG = "http://www.w3.org/2000/svg";
const RISE = 12; // CSS pixels above a line of words that belong to the arrow

/** @param {import("../../heads/atlas.js").Example} example */
export function createLinkExample({ words, query, key, weight, source }) {
  const parts = words.map((word, at) => element("span", { class: at === query ? "is-query" : at === key ? "is-key" : null }, word));
  const spaced = parts.flatMap((part, at) => (isApart(words, at) ? [" ", part] : [part]));
  const said = `${words[query]} attends to ${words[key]} with weight ${weightText(weight)}`;
  const arrow = document.createElementNS(SVG, "svg");
  arrow.setAttribute("aria-hidden", "true");
  const root = element(
    "p",
    { class: "link-example", dir: "auto", title: `${said}; ${source}`, "data-weight": weight },
    ...spaced,
    " ",
    element("b", { class: "weight" }, weight.toFixed(2)),
    element("span", { class: "unseen" }, said),
    arrow,
  );
  let drawn = "";

  /** Draw the arrow where the words are now; words wrap as the panel's width wants. */
  function draw() {
    if (root.offsetParent === null) return;
    const { path, tip } = arrowBetween(boxOf(parts[query]), boxOf(parts[key]));
    if (path === drawn) return;
    drawn = path;
    const lines = [path, tip].map((line) => {
      const part = document.createElementNS(SVG, "path");
      part.setAttribute("d", line);
      return part;
    });
    arrow.replaceChildren(...lines);
  }
  return { root, draw };
}

/** Whether there is a blank before a word: a treebank splits off signs, "n't" and "'s". @param {string[]} words @param {number} at */
export function isApart(words, at) {
  if (at === 0 || /^[([{“]$/.test(words[at - 1])) return false;
  return !/^(?:[,.;:!?%)\]}”…]+|n['’]t|['’](?:s|d|m|re|ve|ll))$/i.test(words[at]);
}

/** @typedef {{left: number, top: number, width: number, height: number}} Box */

/** @param {HTMLElement} word @returns {Box} */
function boxOf(word) {
  return { left: word.offsetLeft, top: word.offsetTop, width: word.offsetWidth, height: word.offsetHeight };
}

/** The lines of an arrow: over the words of one line, or from the edge of one line to that of another. @param {Box} from @param {Box} to */
export function arrowBetween(from, to) {
  const [x1, x2] = [from.left + from.width / 2, to.left + to.width / 2];
  const isBelow = to.top > from.top + from.height / 2;
  const isAbove = from.top > to.top + to.height / 2;
  const y1 = isBelow ? from.top + from.height : from.top;
  const y2 = isAbove ? to.top + to.height : to.top;
  const [bend1, bend2] = isBelow ? [y1 + RISE, y2 - RISE] : isAbove ? [y1 - RISE, y2 + RISE] : [y1 - RISE, y2 - RISE];
  const back = isAbove ? 5 : -5;
  return {
    path: `M${x1} ${y1} C${x1} ${bend1} ${x2} ${bend2} ${x2} ${y2}`,
    tip: `M${x2 - 4} ${y2 + back} L${x2} ${y2} L${x2 + 4} ${y2 + back}`,
  };
}
