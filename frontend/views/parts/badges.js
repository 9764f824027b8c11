// Letters as page elements: those of a head's roles, and those of the sides A and B.

import { groupsOf } from "../../heads/roles.js";
import { element } from "../../page/dom.js";

const TONES = 7;

/** A letter on its colour. @param {number} tone from 0 @param {string} letter @param {string} [title] */
export function badge(tone, letter, title) {
  const made = element("i", { class: "badge", title, "aria-label": title }, letter);
  made.style.background = `var(--tone-${(tone % TONES) + 1})`;
  return made;
}

/** One letter for each group of a head's roles. @param {HeadRole[]} roles */
export function badges(roles) {
  return groupsOf(roles).map(({ group, tone }) => {
    const labels = roles.filter((one) => one.tone === tone).map(({ role }) => role.label);
    return badge(tone, group.letter, `${group.label}: ${labels.join(", ")}`);
  });
}

/** The letter of a side. @param {Side} side */
export function sideBadge(side) {
  return element("b", { class: "side-badge", "data-side": side }, side.toUpperCase());
}
