// The first thing that is said of a head: one plain sentence, and the two numbers it compares.

import { headName, unbroken } from "../page/labels.js";
import { behaviourOf, notAboveOf, percentText } from "./evidence.js";
import { rolesByHead } from "./roles.js";

/** @typedef {{label: string, part: number, term?: import("../page/glossary.js").TermId}} ComparedNumber term: explains the label */
/** @typedef {{text: string, numbers: ComparedNumber[]}} PlainClaim numbers: of this head, then of what it is compared with */

const UNIFORM = "uniform attention";
const RULE = "the best rule that does not read";
/** @type {Partial<Record<string, import("../page/glossary.js").TermId>>} */
const TERMS = { [UNIFORM]: "baseline", [RULE]: "rule" };

/**
 * The strongest role of a head; of one without a role its usual choice, else the claim that is nearest to a role.
 * @param {Atlas} record
 * @param {Cell} cell
 * @returns {PlainClaim | null} null: there is nothing to say
 */
export function plainClaim(record, cell) {
  const name = headName(cell.layer, cell.head);
  const [first] = rolesByHead(record).get(`${cell.layer}.${cell.head}`) ?? [];
  if (first) return roleClaim(name, first);
  const behaviour = behaviourOf(record, cell);
  if (behaviour) {
    const { words, rule, n, agreement, uniform } = behaviour;
    const found = `${percentText(agreement)} of ${countText(n)} choices`;
    const text = `${name} usually attends from ${words} to ${rule}: ${found}; ${UNIFORM} gets ${percentText(uniform)}.`;
    return claimOf(text, agreement, UNIFORM, uniform);
  }
  const [fallen] = notAboveOf(record, cell);
  if (!fallen) return null;
  const { n, accuracy, rule_accuracy } = fallen.leads[1];
  const found = `${percentText(accuracy)} of ${countText(n)} cases`;
  const text = `${inWords(name, "connects", fallen.claim)}: ${found}; ${RULE} gets ${percentText(rule_accuracy)}, so this proves no role.`;
  return claimOf(text, accuracy, RULE, rule_accuracy);
}

/** @param {string} name @param {HeadRole} role */
function roleClaim(name, { role, group: { against }, holder: { value, baseline, n } }) {
  const isShare = against === UNIFORM; // of attention; else it is the share of right answers
  const claim = inWords(name, isShare ? "attends from" : "connects", role.claim);
  const found = `${percentText(value)} of ${isShare ? "its attention in " : ""}${countText(n)} cases`;
  const compared = baseline === null ? "" : `; ${against} gets ${percentText(baseline)}`;
  return claimOf(`${claim}: ${found}${compared}.`, value, against, baseline);
}

/** @param {string} name @param {string} verb @param {string} claim such as "objects → their verb" */
function inWords(name, verb, claim) {
  const [from, to] = claim.split(" → ");
  return to === undefined ? `${name}, ${claim}` : `${name} ${verb} ${from} to ${to}`;
}

/** @param {string} text @param {number} value @param {string} against @param {number | null} baseline @returns {PlainClaim} */
function claimOf(text, value, against, baseline) {
  const compared = baseline === null ? [] : [{ label: against, part: baseline, term: TERMS[against] }];
  return { text: unbroken(text), numbers: [{ label: "this head", part: value }, ...compared] };
}

/** @param {number} n */
function countText(n) {
  return n.toLocaleString("en");
}
