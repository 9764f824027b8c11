// The numbers of the chosen tokens, written above a map.

import { allowedBy } from "../../maps/drawn_links.js";
import { MASKED, readout } from "../../maps/readout.js";
import { element, setText } from "../../page/dom.js";
import { roughText, weightText } from "../../page/labels.js";
import { perObject } from "../../page/memo.js";

/** The elements of a readout: made once and written again, since it is written at every move of the pointer. */
const partsOf = perObject((/** @type {HTMLElement} */ _) => ({
  invitation: element("span", { class: "quiet" }, "Point at a token for its weights."),
  lock: element("span", { class: "lock", title: "Click it again or press Escape to release it" }, "chosen"),
  lead: element("bdi", { class: "lead" }),
  nothing: element("span", { class: "quiet" }, "nothing shown"),
  entries: /** @type {{root: HTMLElement, label: HTMLElement, number: HTMLElement}[]} */ ([]),
}));

/** @param {HTMLElement} root @param {Drawing} drawing @param {boolean} isOffered whether tokens can be pointed at */
export function writeReadout(root, drawing, isOffered) {
  const { sheet, focus, locked } = drawing;
  const parts = partsOf(root);
  if (focus === null) {
    for (const name of ["value", "query", "key"]) delete root.dataset[name];
    return place(root, isOffered ? [parts.invitation] : []);
  }
  const { lead, entries, exact } = readout(sheet, focus, allowedBy(drawing));
  const tokens = (/** @type {number[][]} */ groups, /** @type {number[]} */ chosen) => chosen.flatMap((at) => groups[at]).join(",");
  Object.assign(root.dataset, {
    query: tokens(sheet.queries.groups, focus.rows),
    key: tokens(sheet.keys.groups, focus.cols),
    value: entries[0]?.weight ?? 0,
  });
  setText(parts.lead, lead);
  const written = entries.map(({ label, weight, isMasked }, at) => {
    const entry = (parts.entries[at] ??= newEntry());
    setText(entry.label, label);
    setText(entry.number, isMasked ? MASKED : exact ? weightText(weight) : roughText(weight));
    return entry.root;
  });
  place(root, [...(locked ? [parts.lock] : []), parts.lead, ...(written.length > 0 ? written : [parts.nothing])]);
}

function newEntry() {
  const [label, number] = [element("bdi"), element("b")];
  return { root: element("span", { class: "entry" }, label, " ", number), label, number };
}

/** @param {HTMLElement} root @param {HTMLElement[]} parts put in place, with a blank between them, unless they are */
function place(root, parts) {
  const isThere = root.childElementCount === parts.length && parts.every((part, at) => part === root.children[at]);
  if (!isThere) root.replaceChildren(...parts.flatMap((part, at) => (at === 0 ? [part] : [" ", part])));
}
