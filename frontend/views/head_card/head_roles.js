// The evidence for what one head does: its usual choice, its roles, and quietly the claims that fell to a simple rule.

import { behaviourOf, behaviourParts, evidenceParts, notAboveOf, notAboveParts } from "../../heads/evidence.js";
import { capital, rolesByHead } from "../../heads/roles.js";
import { element } from "../../page/dom.js";
import { badges, groupBadge } from "../parts/badges.js";

const NOT_ABOVE_MEANS =
  "Better than fixed offsets and uniform attention, but not clearly better than the best rule that does not read: no role.";

/** @param {Cell} cell */
export function createHeadRoles(cell) {
  /** Whether the claims that fell are shown, also after the card was written again. */
  let isOpen = false;

  /** @param {Atlas} record @returns the strongest role first, what a head does before where it rests */
  const known = (record) => ({
    roles: rolesByHead(record).get(`${cell.layer}.${cell.head}`) ?? [],
    behaviour: behaviourOf(record, cell),
    fallen: notAboveOf(record, cell),
  });

  return {
    /** @param {Atlas} record in one line, for the closed card */
    short(record) {
      const { roles, behaviour, fallen } = known(record);
      if (roles.length > 0) return [...badges(roles), roles.map(({ role }) => role.label).join(", ")];
      if (behaviour) return [`Usual choice: ${behaviourParts(behaviour).claim}`];
      return fallen.length > 0 ? [fallenWords(fallen)] : [];
    },
    /** @param {Atlas} record @returns {HTMLElement[]} */
    parts(record) {
      const { roles, behaviour, fallen } = known(record);
      const parts = [];
      if (behaviour) {
        const { claim, ...evidence } = behaviourParts(behaviour);
        const label = element("span", { class: "quiet" }, "Usual choice");
        parts.push(element("div", { class: "usual-choice" }, label, evidenceLines({ claim: capital(claim), ...evidence })));
      }
      if (roles.length > 0) {
        const items = roles.map(({ group, tone, role, holder }) => {
          const letter = groupBadge({ group, tone }, `${group.label}: ${role.label}`);
          return element("li", { class: "role-line" }, letter, evidenceLines(evidenceParts(role.claim, holder.evidence, role.label)));
        });
        parts.push(element("ul", { class: "role-lines" }, ...items));
      }
      if (fallen.length > 0) {
        const items = fallen.map((claim) => element("li", { class: "role-line" }, evidenceLines(notAboveParts(claim))));
        const claims = element(
          "details",
          { class: "not-above", open: isOpen, ontoggle: () => (isOpen = claims.open) },
          element("summary", {}, fallenWords(fallen)),
          element("p", { class: "hint" }, NOT_ABOVE_MEANS),
          element("ul", { class: "role-lines" }, ...items),
        );
        parts.push(claims);
      }
      return parts;
    },
  };
}

/** @param {NotAbove[]} fallen the nearest to a role by name, so that it is seen at once */
function fallenWords(fallen) {
  const more = fallen.length > 1 ? `, and ${fallen.length - 1} more` : "";
  return `Not above the best simple rule: ${fallen[0].claim}${more}`;
}

/** @param {import("../../heads/evidence.js").EvidenceParts} parts the claim with its number, and below it how sure that is */
function evidenceLines({ claim, number, rest }) {
  const details = rest === "" ? [] : [element("span", { class: "evidence-rest quiet" }, rest)];
  return element("div", {}, element("b", {}, claim), `: ${number}`, ...details);
}
