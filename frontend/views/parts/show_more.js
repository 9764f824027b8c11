// The first rows of a list, and a button that shows all of them.

import { element, setText } from "../../page/dom.js";

/**
 * @param {number} first how many rows are shown before the click
 * @param {object} [button]
 * @param {string} [button.kind] its class
 * @param {(n: number) => string} [button.label]
 */
export function showMore(first, { kind = "chip more", label = (n) => `Show all ${n} heads` } = {}) {
  let showAll = () => {};
  let isWhole = false;
  /** What the rows belong to. @type {unknown} */
  let shownOf = null;
  const button = element("button", { type: "button", class: kind, hidden: true, onclick: () => showAll() });
  return {
    button,
    /**
     * @template Row
     * @param {Row[]} rows
     * @param {unknown} of what they belong to: of something else only the first rows are shown again
     * @param {(rows: Row[]) => void} write those that are shown
     */
    show(rows, of, write) {
      if (of !== shownOf) isWhole = false;
      shownOf = of;
      showAll = () => {
        isWhole = true;
        button.hidden = true;
        write(rows);
      };
      button.hidden = isWhole || rows.length <= first;
      setText(button, label(rows.length));
      write(isWhole ? rows : rows.slice(0, first));
    },
  };
}
