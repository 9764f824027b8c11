// Letters as page elements: those of a head's roles, and those of the sides A and B.

import { groupsOf } from "../../heads/roles.js";
import { element } from "../../page/dom.js";

const TONES = 7;

/** A letter on its colour. @param {number} tone from 0 @param {string} letter @param {string} [title] */
export function badge(tone, letter, title) {
  const made = element("i", { class: "badge", title, "aria-label": title }, letter);
  made.style.background = colourOf(tone);
  return made;
}

/** The letter of a group of roles: pale where its heads rest. @param {Pick<HeadRole, "group" | "tone">} role @param {string} [title] */
export function groupBadge({ group, tone }, title) {
  const made = badge(tone, group.letter, title);
  made.classList.toggle("idle", group.idle);
  if (group.idle) made.style.background = `color-mix(in srgb, ${colourOf(tone)} 30%, var(--surface))`;
  return made;
}

/** @param {number} tone */
function colourOf(tone) {
  return `var(--tone-${(tone % TONES) + 1})`;
}

/** One letter for each group of a head's roles. @param {HeadRole[]} roles */
export function badges(roles) {
  return groupsOf(roles).map((first) => {
    const labels = roles.filter(({ tone }) => tone === first.tone).map(({ role }) => role.label);
    return groupBadge(first, `${first.group.label}: ${labels.join(", ")}`);
  });
}

/** The letter of a side. @param {Side} side */
export function sideBadge(side) {
  return element("b", { class: "side-badge", "data-side": side }, side.toUpperCase());
}
