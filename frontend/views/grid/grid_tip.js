// The words beside the head under the pointer or the cursor: its name, its value, its roles, a larger map.

import { drawSmallMap } from "../../drawing/small_map.js";
import { behaviourOf, behaviourParts, evidenceParts, percentText } from "../../heads/evidence.js";
import { paintingOf } from "../../heads/grid_side.js";
import { chosenQuantity, numberText, valueText } from "../../heads/measures.js";
import { ONLY_USUAL, UNASSIGNED, atlasOnScreen, rolesOf } from "../../heads/roles.js";
import { byId, element, setText } from "../../page/dom.js";
import { headName, tokenInWords, unbroken } from "../../page/labels.js";
import { atPlace } from "../../state/sides.js";
import { noteOn } from "../../storage/notes.js";

const PREVIEW = 168;
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

/** Whether some of a cell is in the window. @param {number} top @param {number} size @param {number} height of the window */
export function isWithin(top, size, height) {
  return top + size > 0 && top < height;
}

/** @param {HTMLElement} card around the grids */
export function createGridTip(card) {
  const tip = byId("grid-tip", HTMLElement);
  const name = byId("grid-tip-name", HTMLElement);
  const said = byId("grid-tip-facts", HTMLElement);
  const map = byId("grid-tip-map", HTMLCanvasElement);

  /** @param {State} state @param {import("./grid.js").Grid | undefined} grid the one with the cursor @param {Theme} theme */
  return (state, grid, theme) => {
    const { cursor } = state;
    const cellBox = grid?.leads ? grid.cursorBox(state) : null;
    const box = grid?.canvas.getBoundingClientRect();
    tip.hidden = !cellBox || !box || !isWithin(box.top + cellBox.y, cellBox.size, window.innerHeight);
    if (!cursor || !grid || !cellBox || !box || tip.hidden) return;
    const { byPointer } = grid;
    const seen = atPlace(state, cursor);
    setText(name, headName(cursor.layer, cursor.head));
    const facts = headFacts(seen, cursor).map(({ text, evidence }) =>
      element("p", {}, text, ...(evidence ? [element("span", { class: "quiet" }, unbroken(evidence))] : [])),
    );
    said.replaceChildren(...facts);
    const frame = byPointer ? seen.analysis?.layers.get(cursor.layer) : undefined;
    const painting = frame ? paintingOf(state, cursor, theme) : null;
    const shown = frame && painting ? painting.mapOf(frame, cursor.head) : null;
    map.hidden = shown === null;
    if (painting && shown) drawSmallMap(map, PREVIEW, shown, painting);
    const { right } = card.getBoundingClientRect();
    const [cellLeft, cellTop] = [box.left + cellBox.x, box.top + cellBox.y];
    const below = cellTop + cellBox.size + 6;
    const lowest = window.innerHeight - tip.offsetHeight - 8;
    // Words alone, for keys and fingers, are under their cell and within the card.
    // The larger map is beside the grid, so that it hides no other cell.
    const isRight = byPointer && right + tip.offsetWidth + 20 < document.documentElement.clientWidth;
    const within = byPointer ? cellLeft - tip.offsetWidth - 10 : Math.min(cellLeft, right - tip.offsetWidth - 8);
    const top = byPointer ? Math.min(cellTop, lowest) : below < lowest ? below : cellTop - tip.offsetHeight - 6;
    tip.style.left = `${isRight ? right + 10 : Math.max(4, within)}px`;
    tip.style.top = `${Math.max(4, top)}px`;
  };
}
