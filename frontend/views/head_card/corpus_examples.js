// Where on the corpus one head is strongest, role by role.

import { notAboveOf } from "../../heads/evidence.js";
import { capital, rolesByHead } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { button } from "../parts/button.js";
import { createLinkExample } from "./link_example.js";

const MOST_OF_A_ROLE = 2;
const FIRST_ROLES = 3;
const OF_NO_ROLE = "Strongest links, first word left out"; // most heads of causal models rest on it

/**
 * A head's examples under the role they show, the strongest role first, those of no role last. A claim that
 * fell to a simple rule keeps its examples.
 * @param {Atlas} record
 * @param {Cell} cell
 */
export function exampleGroups(record, { layer, head }) {
  const found = record.examples[`${layer}.${head}`] ?? [];
  const roles = rolesByHead(record).get(`${layer}.${head}`) ?? [];
  const named = [...record.roles, ...notAboveOf(record, { layer, head })];
  const place = (/** @type {string | null} */ id) => {
    const at = roles.findIndex(({ role }) => role.id === id);
    return at >= 0 ? at : id === null ? roles.length + 1 : roles.length;
  };
  const ids = [...new Set(found.map(({ role }) => role))].sort((one, other) => place(one) - place(other));
  return ids.map((id) => {
    const label = id === null ? OF_NO_ROLE : (named.find((one) => one.id === id)?.label ?? id);
    return { label: capital(label), examples: found.filter(({ role }) => role === id).slice(0, MOST_OF_A_ROLE) };
  });
}

/** @param {Atlas} record @param {Cell} cell @returns {HTMLElement[]} nothing of a head without examples */
export function corpusExamples(record, cell) {
  const groups = exampleGroups(record, cell);
  if (groups.length === 0) return [];
  /** @type {ReturnType<typeof createLinkExample>[]} */
  const links = [];
  const lists = groups.map(({ label, examples }) => {
    const ofRole = examples.map(createLinkExample);
    links.push(...ofRole);
    return element("div", {}, element("h5", {}, label), ...ofRole.map(({ root }) => root));
  });
  const rest = lists.slice(FIRST_ROLES);
  const more = button("chip small", "", () => open(rest[0].hidden), { hidden: rest.length === 0 });
  function open(/** @type {boolean} */ isOpen) {
    more.setAttribute("aria-expanded", String(isOpen));
    setText(more, isOpen ? "Fewer examples" : `Examples of ${rest.length} more ${rest.length === 1 ? "role" : "roles"}`);
    for (const list of rest) list.hidden = !isOpen;
  }
  open(false);
  const root = element(
    "section",
    { class: "corpus-examples", "aria-label": `Examples of ${headName(cell.layer, cell.head)} from the corpus` },
    element("h4", {}, "Strongest on the corpus"),
    ...lists,
    more,
    element("p", { class: "hint" }, record.examples_source),
  );
  // Words wrap as the width wants, and their arrows with them.
  new ResizeObserver(() => links.forEach((link) => link.draw())).observe(root);
  return [root];
}
