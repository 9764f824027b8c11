// What is said of a head in a few lines: its value, its usual choice, its roles.

import { behaviourOf, behaviourParts, evidenceParts, percentText } from "../heads/evidence.js";
import { chosenQuantity, numberText, valueText } from "../heads/measures.js";
import { ONLY_USUAL, UNASSIGNED, atlasOnScreen, rolesOf } from "../heads/roles.js";
import { tokenInWords } from "../page/labels.js";
import { noteOn } from "../storage/notes.js";

const MOST_ROLES = 3;

/**
 * What is to be said of a head: whether somebody wrote about it, its value where cells are coloured by one, then its
 * usual choice and its roles, each with its number; the card has the rest of the evidence.
 * @param {SideView} state
 * @param {Cell & {stack?: number}} cell
 * @returns {{text: string, evidence: string}[]}
 */
export function headFacts(state, cell) {
  const note = tokenInWords({ text: noteOn(state, cell) });
  const facts = note === "" ? [] : [{ text: `✎ ${note}`, evidence: "" }];
  const quantity = chosenQuantity(state);
  if (quantity !== null && state.analysis !== null) {
    const value = quantity.values[cell.layer * state.analysis.n_heads + cell.head] ?? null;
    const n = quantity.n === null ? "" : `n = ${quantity.n.toLocaleString("en")}`;
    const baseline = quantity.baseline === null ? "" : `${quantity.against} ${numberText(quantity.baseline)}`;
    const evidence = [quantity.where, n, baseline].filter(Boolean).join(", ");
    facts.push({ text: `${quantity.label}: ${valueText(quantity, value)}`, evidence });
  }
  const record = atlasOnScreen(state);
  if (record === null) return facts;
  const behaviour = behaviourOf(record, cell);
  if (behaviour !== null) {
    const { claim, number } = behaviourParts(behaviour);
    facts.push({ text: `Usual choice: ${claim}`, evidence: number });
  }
  const roles = rolesOf(state, cell);
  if (roles.length === 0) facts.push({ text: behaviour ? ONLY_USUAL : UNASSIGNED, evidence: "" });
  for (const { group, role, holder } of roles.slice(0, MOST_ROLES)) {
    // The label has said what is claimed: its number alone follows, and what it is compared with.
    const { number } = evidenceParts(role.claim, holder.evidence);
    const against = holder.baseline === null ? "" : `, baseline ${percentText(holder.baseline)}`;
    facts.push({ text: `${group.label}: ${role.label}`, evidence: `${number.replace(/\.$/, "")}${against}` });
  }
  const more = roles.length - MOST_ROLES;
  if (more > 0) facts.push({ text: `and ${more} more`, evidence: "" });
  return facts;
}
