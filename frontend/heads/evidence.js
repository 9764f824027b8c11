// What the corpus says of one head beside its roles, and its evidence in parts: the number first, how certain it is after.

import { unbroken } from "../page/labels.js";

/** @typedef {import("./atlas.js").Behaviour} Behaviour */
/** @typedef {{claim: string, number: string, rest: string}} EvidenceParts */

/** The simple rule a head follows when it looks at words; null: none explains half its choices. @param {Atlas} atlas @param {Cell} cell */
export function behaviourOf(atlas, { layer, head }) {
  return atlas.behaviours.find((one) => one.layer === layer && one.head === head) ?? null;
}

/** The claims that a head does not make better than the best simple rule, largest lead first. @param {Atlas} atlas @param {Cell} cell */
export function notAboveOf(atlas, { layer, head }) {
  const found = atlas.not_above.filter((one) => one.layer === layer && one.head === head);
  return found.sort((one, other) => other.leads[1].difference - one.leads[1].difference);
}

/**
 * A sentence of evidence in parts: what is claimed, its number, and the rest from the interval on.
 * @param {string} claim
 * @param {string} evidence
 * @param {string} [otherwise] what replaces the claim where the sentence does not begin with it
 * @returns {EvidenceParts}
 */
export function evidenceParts(claim, evidence, otherwise = claim) {
  const isClaimFirst = evidence.startsWith(`${claim}: `);
  const text = isClaimFirst ? evidence.slice(claim.length + 2) : evidence;
  const at = text.indexOf(" (95 % interval");
  const [number, rest] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1).replace(/^\(([^)]*)\)/, "$1")];
  return { claim: isClaimFirst ? claim : otherwise, number: typeset(number), rest: typeset(rest) };
}

/** @param {Behaviour} behaviour @returns {EvidenceParts} its claim begins with a small letter, for use in a sentence */
export function behaviourParts({ words, rule, evidence }) {
  const { number, rest } = evidenceParts(`From ${words} to ${rule}`, evidence);
  return { claim: `from ${words} to ${rule}`, number, rest };
}

/** @param {NotAbove} fallen @returns {EvidenceParts} both numbers on the data that reports, and by how much they differ */
export function notAboveParts({ claim, rule, leads: [dev, test, ...others] }) {
  const number = `head\u00a0${percentText(test.accuracy)}, rule\u00a0${percentText(test.rule_accuracy)}`;
  const elsewhere = [dev, ...others].map((lead) => `${pointsText(lead)} on ${lead.split}`);
  const n = test.n.toLocaleString("en");
  const differences = [`${pointsText(test)} on ${test.split}, n = ${n}`, ...elsewhere].join("; ");
  return { claim, number, rest: typeset(`Rule: ${rule}. Head minus rule ${differences}.`) };
}

/** @param {import("./atlas.js").Lead} lead its difference in percent points, with the 95 % interval */
function pointsText({ difference, low, high }) {
  const tenths = (/** @type {number} */ share) => (100 * share).toFixed(1).replace("-0.0", "0.0");
  // A lead just below the ten points that a role needs must not read like ten points.
  const isJustBelow = difference < 0.1 && tenths(difference) === "10.0";
  const middle = isJustBelow ? (100 * difference).toFixed(2) : tenths(difference);
  return `${middle} points (${tenths(low)} to ${tenths(high)})`;
}

/** @param {string} text numbers with a true minus, and no line that ends inside them or inside an interval */
function typeset(text) {
  return unbroken(text.replace(/(^|[\s(])-(?=\d)/g, "$1−").replace(/(\d) to (?=[−\d])/g, "$1\u00a0to\u00a0"));
}

/** @param {number} share */
export function percentText(share) {
  return `${Math.round(100 * share)}\u00a0%`;
}
