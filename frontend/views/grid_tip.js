// The words beside the head under the pointer or the cursor: its name, its value, its roles, a larger map.
// It must not know how the grid is painted.

import { byId, element, setText, sizeCanvas } from "../dom.js";
import { headName, unbroken } from "../labels.js";
import { paintMap } from "../maps.js";
import { chosenQuantity, numberText, valueText } from "../measures.js";
import { UNASSIGNED, atlasOnScreen, rolesOf } from "../roles.js";
import { headValues } from "../wire.js";

/** @typedef {import("../state.js").Cell} Cell */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("./paper.js").Paper} Paper */

const PREVIEW = 168;
const MOST_ROLES = 3;

/**
 * What is to be said of a head: its value where cells are coloured by one, then its roles with their evidence.
 * @param {State} state
 * @param {Cell} cell
 * @returns {{text: string, evidence: string}[]}
 */
export function headFacts(state, cell) {
  const facts = [];
  const quantity = chosenQuantity(state);
  if (quantity !== null && state.analysis !== null) {
    const value = quantity.values[cell.layer * state.analysis.n_heads + cell.head] ?? null;
    const n = quantity.n === null ? "" : `n = ${quantity.n.toLocaleString("en")}`;
    const baseline = quantity.baseline === null ? "" : `${quantity.against} ${numberText(quantity.baseline)}`;
    const evidence = [quantity.where, n, baseline].filter(Boolean).join(", ");
    facts.push({ text: `${quantity.label}: ${valueText(quantity, value)}`, evidence });
  }
  if (atlasOnScreen(state) === null) return facts;
  const roles = rolesOf(state, cell);
  if (roles.length === 0) facts.push({ text: UNASSIGNED, evidence: "" });
  for (const { group, role, holder } of roles.slice(0, MOST_ROLES)) {
    // The label has said what is claimed: the numbers alone follow.
    const isClaimFirst = holder.evidence.startsWith(`${role.claim}: `);
    const evidence = isClaimFirst ? holder.evidence.slice(role.claim.length + 2) : holder.evidence;
    facts.push({ text: `${group.label}: ${role.label}`, evidence });
  }
  const more = roles.length - MOST_ROLES;
  if (more > 0) facts.push({ text: `and ${more} more`, evidence: "" });
  return facts;
}

/**
 * @param {HTMLCanvasElement} canvas the grid
 * @param {HTMLElement} card around it
 */
export function createGridTip(canvas, card) {
  const tip = byId("grid-tip", HTMLElement);
  const name = byId("grid-tip-name", HTMLElement);
  const said = byId("grid-tip-facts", HTMLElement);
  const map = byId("grid-tip-map", HTMLCanvasElement);

  /** @param {State} state @param {Cell} cell @param {Paper} paper */
  function drawMap({ analysis }, { layer, head }, paper) {
    const frame = analysis?.layers.get(layer);
    map.hidden = !frame;
    if (!frame) return;
    const context = sizeCanvas(map, PREVIEW, PREVIEW);
    const { width, height } = map;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const codes = /** @type {Uint8Array} */ (headValues(frame, head));
    paintMap({ pixels, stride: width, x: 0, y: 0, width, height }, codes, frame.rows, frame.cols, paper.scale.table);
    context.putImageData(image, 0, 0);
  }

  return {
    /**
     * @param {State} state
     * @param {{x: number, y: number, size: number} | null} cellBox where the head lies in the grid
     * @param {boolean} byPointer whether a mouse points at it, so that a larger map is of use
     * @param {Paper} paper
     */
    render(state, cellBox, byPointer, paper) {
      const { cursor } = state;
      tip.hidden = cursor === null || cellBox === null;
      if (cursor === null || cellBox === null) return;
      setText(name, headName(cursor.layer, cursor.head));
      const facts = headFacts(state, cursor).map(({ text, evidence }) =>
        element("p", {}, text, ...(evidence ? [element("span", { class: "quiet" }, unbroken(evidence))] : [])),
      );
      said.replaceChildren(...facts);
      map.hidden = !byPointer;
      if (byPointer) drawMap(state, cursor, paper);
      const { x, y, size } = cellBox;
      const box = canvas.getBoundingClientRect();
      const { right } = card.getBoundingClientRect();
      const [cellLeft, cellTop] = [box.left + x, box.top + y];
      const lowest = window.innerHeight - tip.offsetHeight - 8;
      // Words alone stand under their cell and within the card: the pointer may be on a chart or a table beside it.
      // The larger map stands beside the grid, so that it hides no other cell.
      const isRight = byPointer && right + tip.offsetWidth + 20 < document.documentElement.clientWidth;
      const within = byPointer ? cellLeft - tip.offsetWidth - 10 : Math.min(cellLeft, right - tip.offsetWidth - 8);
      const under = cellTop + size + 6 < lowest ? cellTop + size + 6 : cellTop - tip.offsetHeight - 6;
      tip.style.left = `${isRight ? right + 10 : Math.max(4, within)}px`;
      tip.style.top = `${Math.max(4, byPointer ? Math.min(cellTop, lowest) : under)}px`;
    },
  };
}
