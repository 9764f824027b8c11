// What a head does in one plain sentence, with a bar for its number and one for what it is compared with.

import { behaviourOf, percentText } from "../../heads/evidence.js";
import { plainClaim } from "../../heads/plain_claim.js";
import { ONLY_USUAL, UNASSIGNED, rolesByHead } from "../../heads/roles.js";
import { element } from "../../page/dom.js";
import { bar } from "../parts/bar.js";
import { groupBadge } from "../parts/badges.js";
import { term } from "../parts/term.js";

/** @param {Atlas} record @param {Cell} cell @returns {HTMLElement[]} */
export function headClaim(record, cell) {
  const roles = rolesByHead(record).get(`${cell.layer}.${cell.head}`) ?? [];
  const claim = plainClaim(record, cell);
  const parts = [];
  if (claim) {
    const badges = roles.slice(0, 1).map((role) => groupBadge(role, role.group.label));
    parts.push(element("p", { class: "head-claim" }, ...badges, claim.text), comparedBars(claim.numbers));
  }
  if (roles.length > 1) {
    const others = roles.slice(1).map((one) => element("span", { class: "sign" }, groupBadge(one, one.group.label), one.role.label));
    parts.push(element("p", { class: "head-others signs" }, element("span", { class: "quiet" }, "Also"), ...others));
  }
  if (roles.length === 0) {
    parts.push(element("p", { class: "role-line" }, behaviourOf(record, cell) ? ONLY_USUAL : UNASSIGNED));
  }
  return parts;
}

/** @param {import("../../heads/plain_claim.js").ComparedNumber[]} numbers */
function comparedBars(numbers) {
  const rows = numbers.flatMap(({ label, part, term: id }) => [element("span", {}, id ? term(id, label) : label), bar(part), element("b", {}, percentText(part))]);
  return element("div", { class: "claim-bars" }, ...rows);
}
