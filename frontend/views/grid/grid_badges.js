// The small signs on the cells of the grid: the letter of a head's role, and its name where order hides it.

import { chosenQuantity } from "../../heads/measures.js";
import { atlasOnScreen, rolesByHead } from "../../heads/roles.js";
import { shownHeads } from "../../heads/showing.js";
import { cellBox } from "../../drawing/grid_geometry.js";

/** @typedef {import("../../drawing/grid_geometry.js").Geometry} Geometry */

/** Side of the smallest cell with a letter; a smaller one has a dot. */
export const ROOM_FOR_A_LETTER = 22;
const ROOM_FOR_A_NAME = 34;
const ROOM_FOR_A_LARGE_BADGE = 32;

/**
 * Whether badges stand in the upper corner: the lower one is where the maps of a causal model end, and where names
 * stand in cells that are not in the model's order.
 * @param {Geometry} geometry
 * @param {State} state
 */
function isAbove({ order }, state) {
  const [first] = state.analysis?.layers.values() ?? [];
  return order !== null || (first?.causal === true && chosenQuantity(state) === null);
}

/**
 * Badges of roles; not where the cells themselves are coloured by role, nor on cells that wait for their maps.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {State} state
 * @param {Palette} palette
 */
export function drawBadges(context, geometry, state, palette) {
  const record = atlasOnScreen(state);
  if (record === null || state.analysis === null || state.color_by === "role") return;
  const isTop = isAbove(geometry, state);
  context.font = `700 9px ${palette.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const shown = shownHeads(state);
  for (const roles of rolesByHead(record).values()) {
    // Of a head that stands out, the letter is that of the role it stands out by.
    const main = roles.find(({ role }) => shown?.roles.has(role.id)) ?? roles[0];
    const { layer, head } = main.holder;
    if (layer >= geometry.layers || head >= geometry.heads) continue;
    const { x, y, size } = cellBox(geometry, { layer, head });
    const side = size >= ROOM_FOR_A_LARGE_BADGE ? 12 : size >= ROOM_FOR_A_LETTER ? 10 : 5;
    const [left, top] = [x + size - side - 1, isTop ? y + 1 : y + size - side - 1];
    context.beginPath();
    context.roundRect(left - 1, top - 1, side + 2, side + 2, 3.5);
    context.fillStyle = palette.surface;
    context.fill();
    context.beginPath();
    context.roundRect(left, top, side, side, 3);
    context.fillStyle = palette.tones[main.tone % palette.tones.length];
    context.fill();
    if (size < ROOM_FOR_A_LETTER) continue;
    context.fillStyle = palette.on_tone;
    context.fillText(main.group.letter, left + side / 2, top + side / 2 + 0.5);
  }
}

/**
 * Lay a veil over the heads that the chosen entry does not show.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {State} state
 * @param {Palette} palette
 */
export function drawVeil(context, geometry, state, palette) {
  const shown = shownHeads(state);
  if (shown === null) return;
  context.save();
  context.fillStyle = palette.surface;
  context.globalAlpha = 0.8;
  for (let layer = 0; layer < geometry.layers; layer += 1) {
    for (let head = 0; head < geometry.heads; head += 1) {
      if (shown.strengths.has(`${layer}.${head}`)) continue;
      const { x, y, size } = cellBox(geometry, { layer, head });
      context.fillRect(x, y, size, size);
    }
  }
  context.restore();
}

/**
 * The heads' names in their cells, where the grid is not in the model's order and there is room.
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Palette} palette
 */
export function drawCellNames(context, geometry, palette) {
  if (geometry.order === null || geometry.cell < ROOM_FOR_A_NAME) return;
  context.font = `500 10px ${palette.font}`;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (let layer = 0; layer < geometry.layers; layer += 1) {
    for (let head = 0; head < geometry.heads; head += 1) {
      const { x, y, size } = cellBox(geometry, { layer, head });
      const name = `L${layer}H${head}`;
      const width = Math.min(size, context.measureText(name).width + 4);
      context.fillStyle = palette.surface;
      context.fillRect(x, y + size - 11, width, 11);
      context.fillStyle = palette.ink;
      context.fillText(name, x + 2, y + size - 5, size - 3);
    }
  }
}
