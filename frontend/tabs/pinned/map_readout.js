// The numbers of the chosen tokens, written above a map.

import { allowedBy } from "../../maps/drawn_links.js";
import { readout } from "../../maps/readout.js";
import { element } from "../../page/dom.js";
import { weightText } from "../../page/labels.js";

/**
 * @param {HTMLElement} root
 * @param {Drawing} drawing
 * @param {boolean} isOffered whether tokens can be pointed at
 */
export function writeReadout(root, drawing, isOffered) {
  const { sheet, focus, locked } = drawing;
  if (focus === null) {
    for (const name of ["value", "query", "key"]) delete root.dataset[name];
    const invitation = element("span", { class: "quiet" }, "Point at a token for its weights.");
    root.replaceChildren(...(isOffered ? [invitation] : []));
    return;
  }
  const { lead, entries, exact } = readout(sheet, focus, allowedBy(drawing));
  const tokens = (/** @type {number[][]} */ groups, /** @type {number[]} */ chosen) => chosen.flatMap((at) => groups[at]).join(",");
  Object.assign(root.dataset, {
    query: tokens(sheet.queries.groups, focus.rows),
    key: tokens(sheet.keys.groups, focus.cols),
    value: entries[0]?.weight ?? 0,
  });
  const written = entries.map(({ label, weight }) => {
    const number = element("b", {}, `${exact ? "" : "≈ "}${weightText(weight)}`);
    return element("span", { class: "entry" }, element("bdi", {}, label), " ", number);
  });
  root.replaceChildren(
    ...(locked ? [element("span", { class: "lock", title: "Locked; Escape releases" }, "locked")] : []),
    element("bdi", { class: "lead" }, lead),
    " ",
    ...(written.length > 0 ? written : [element("span", { class: "quiet" }, "nothing shown")]),
  );
}
