// Where on the corpus one head is strongest, role by role.

import { notAboveOf } from "../../heads/evidence.js";
import { capital, rolesByHead } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { LinkExample } from "./link_example.js";

/** @typedef {import("../../heads/atlas.js").Example} Example */
/** @typedef {{label: string, examples: Example[]}} ExampleGroup */

const MOST_OF_A_ROLE = 2;
const FIRST_ROLES = 3;
const OF_NO_ROLE = "Strongest links";

/**
 * A head's examples under the role they show, the role of the largest lift first, those of no role last. A claim that
 * fell to a simple rule keeps its examples.
 * @param {Atlas} record
 * @param {Cell} cell
 * @returns {ExampleGroup[]}
 */
export function exampleGroups(record, { layer, head }) {
  const found = record.examples[`${layer}.${head}`] ?? [];
  const held = rolesByHead(record).get(`${layer}.${head}`) ?? [];
  const lift = (/** @type {string | null} */ id) => held.find(({ role }) => role.id === id)?.holder.lift ?? -Infinity;
  const ids = [...new Set(found.map(({ role }) => role))].sort((one, other) => {
    const [first, second] = [lift(one), lift(other)];
    return first === second ? Number(one === null) - Number(other === null) : second > first ? 1 : -1;
  });
  return ids.map((id) => {
    const named = [...record.roles, ...notAboveOf(record, { layer, head })];
    const label = id === null ? OF_NO_ROLE : (named.find((one) => one.id === id)?.label ?? id);
    const examples = found.filter(({ role }) => role === id).slice(0, MOST_OF_A_ROLE);
    return { label: capital(label), examples };
  });
}

/** @param {Atlas} record @param {Cell} cell @returns {HTMLElement[]} nothing of a head without examples */
export function corpusExamples(record, cell) {
  const groups = exampleGroups(record, cell);
  if (groups.length === 0) return [];
  const made = groups.map(({ label, examples }) => {
    const links = examples.map((example) => new LinkExample(example));
    return { links, root: element("div", {}, element("h5", {}, label), ...links.map(({ root }) => root)) };
  });
  const rest = made.slice(FIRST_ROLES).map(({ root }) => root);
  const more = element("button", { type: "button", class: "chip small", hidden: rest.length === 0 });
  const open = (/** @type {boolean} */ isOpen) => {
    more.setAttribute("aria-expanded", String(isOpen));
    setText(more, isOpen ? "Fewer examples" : `Examples of ${rest.length} more ${rest.length === 1 ? "role" : "roles"}`);
    for (const group of rest) group.hidden = !isOpen;
  };
  more.addEventListener("click", () => open(more.getAttribute("aria-expanded") === "false"));
  open(false);
  const root = element(
    "section",
    { class: "corpus-examples", "aria-label": `Examples of ${headName(cell.layer, cell.head)} from the corpus` },
    element("h4", {}, "Strongest on the corpus"),
    ...made.map((group) => group.root),
    more,
    element("p", { class: "hint" }, record.examples_source),
  );
  // Words wrap as the width wants, and their arrows with them.
  new ResizeObserver(() => made.forEach(({ links }) => links.forEach((link) => link.draw()))).observe(root);
  return [root];
}
