// What a corpus proved of one head: its usual choice, its roles, and quietly the claims that fell to a simple rule.

import { behaviourOf, behaviourParts, evidenceParts, notAboveOf, notAboveParts } from "../../heads/evidence.js";
import { ONLY_USUAL, UNASSIGNED, capital, rolesByHead } from "../../heads/roles.js";
import { element } from "../../page/dom.js";
import { badge, badges } from "../parts/badges.js";

/** @typedef {import("../../heads/evidence.js").EvidenceParts} EvidenceParts */

const NOT_ABOVE_MEANS =
  "Better than fixed offsets and uniform attention, but not clearly better than the best rule that does not read: no role.";

export class HeadRoles {
  /** Whether the claims that fell are shown, also after the card was written anew. */
  #isOpen = false;

  /** @param {Cell} cell */
  constructor(cell) {
    this.cell = cell;
  }

  /** @param {Atlas} record @returns {HeadRole[]} group by group: what a head does comes before where it rests */
  #held(record) {
    const { layer, head } = this.cell;
    return rolesByHead(record).get(`${layer}.${head}`) ?? [];
  }

  /** @param {Atlas} record in one line, for the closed card */
  short(record) {
    const roles = this.#held(record);
    if (roles.length > 0) return [...badges(roles), roles.map(({ role }) => role.label).join(", ")];
    const behaviour = behaviourOf(record, this.cell);
    if (behaviour) return [`Usual choice: ${behaviourParts(behaviour).claim}`];
    const fallen = notAboveOf(record, this.cell);
    return fallen.length > 0 ? [fallenWords(fallen)] : [];
  }

  /** @param {Atlas} record @returns {HTMLElement[]} */
  parts(record) {
    const behaviour = behaviourOf(record, this.cell);
    const fallen = notAboveOf(record, this.cell);
    return [
      ...(behaviour ? [usualChoice(behaviour)] : []),
      this.#roles(record, behaviour !== null),
      ...(fallen.length > 0 ? [this.#notAbove(fallen)] : []),
    ];
  }

  /** @param {Atlas} record @param {boolean} hasUsual */
  #roles(record, hasUsual) {
    const roles = this.#held(record);
    if (roles.length === 0) return element("p", { class: "role-line" }, hasUsual ? ONLY_USUAL : UNASSIGNED);
    const items = roles.map(({ group, tone, role, holder }) =>
      element(
        "li",
        { class: "role-line" },
        badge(tone, group.letter, `${group.label}: ${role.label}`),
        told(evidenceParts(role.claim, holder.evidence, role.label)),
      ),
    );
    return element("ul", { class: "role-lines" }, ...items);
  }

  /** @param {NotAbove[]} fallen */
  #notAbove(fallen) {
    const items = fallen.map((claim) => element("li", { class: "role-line" }, told(notAboveParts(claim))));
    const root = element(
      "details",
      { class: "not-above", open: this.#isOpen },
      element("summary", {}, fallenWords(fallen)),
      element("p", { class: "hint" }, NOT_ABOVE_MEANS),
      element("ul", { class: "role-lines" }, ...items),
    );
    root.addEventListener("toggle", () => (this.#isOpen = root.open));
    return root;
  }
}

/** @param {NotAbove[]} fallen the nearest to a role by name, so that it is seen at once */
function fallenWords(fallen) {
  const more = fallen.length > 1 ? `, and ${fallen.length - 1} more` : "";
  return `Not above the best simple rule: ${fallen[0].claim}${more}`;
}

/** @param {import("../../heads/atlas.js").Behaviour} behaviour */
function usualChoice(behaviour) {
  const { claim, number, rest } = behaviourParts(behaviour);
  return element(
    "div",
    { class: "usual-choice" },
    element("span", { class: "quiet" }, "Usual choice"),
    told({ claim: capital(claim), number, rest }),
  );
}

/** @param {EvidenceParts} parts the claim with its number, and below it how sure that is */
function told({ claim, number, rest }) {
  const details = rest === "" ? [] : [element("span", { class: "evidence-rest quiet" }, rest)];
  return element("div", {}, element("b", {}, claim), `: ${number}`, ...details);
}
