// The figure of all heads as the page shows them now: the same colours, letters, order and veil, and their legend.

import { flatFill, groupColour, hasSigns, isByRole, signsOf } from "../heads/cells.js";
import { headsSide, paintingOf, shownScale, shownSide } from "../heads/grid_side.js";
import { OTHER_WEIGHTS, chosenWords, foundGroups, markedWords, quantityTicks, quantityWords, ticksOf, unassignedWords } from "../heads/legend_words.js";
import { chosenQuantity, shortNames } from "../heads/measures.js";
import { orderOf, orderedBy } from "../heads/ordering.js";
import { atlasOnScreen, capital, roleCountWords } from "../heads/roles.js";
import { shownHeads } from "../heads/showing.js";
import { blockSize } from "../maps/maps.js";
import { scaleWords } from "../maps/scales.js";
import { isWeighted } from "../state/selectors.js";
import { analysisOf, onSide } from "../state/sides.js";
import { captionOf, treatmentOf } from "./caption.js";

/** @typedef {import("./grid_figure.js").FigureGrid} FigureGrid */

/** Null while there is nothing to draw. @param {State} state @param {Theme} theme @param {Date} now */
export function gridFigure(state, theme, now) {
  const side = headsSide(state);
  const signed = shownSide(state).side === "difference";
  const stacks = (analysisOf(state, side)?.stacks ?? []).slice(0, signed ? 1 : undefined);
  const grids = stacks.flatMap(({ stack, n_layers, n_heads }, at) => {
    const seen = onSide(state, side, at);
    const cells = cellsOf(seen, paintingOf(state, { side, stack: at }, theme), theme);
    const title = stacks.length === 1 ? "" : capital(stack);
    return cells ? [{ title, layers: n_layers, heads: n_heads, order: orderOf(seen), cells, signs: signsOf(seen) }] : [];
  });
  if (grids.length === 0) return null;
  const seen = onSide(state, side);
  const chosen = chosenQuantity(seen) !== null || isByRole(seen) ? "" : chosenWords(seen);
  const title = titleOf(state, seen, chosen);
  const treated = grids.map(({ title: name, cells }, at) => ({ name, treatment: treatmentOfCells(onSide(state, side, at), cells) }));
  return {
    title,
    caption: [...(state.sides.b === null && chosen === "" ? [] : [`${title}.`]), ...arrangement(seen), ...captionOf(state, treated, now)],
    palette: theme.palette,
    grids,
    legend: legendOf(seen, shownScale(state), signed, theme),
  };
}

/** @param {SideView} seen @param {Painting | null} painting of its maps @param {Theme} theme @returns {FigureGrid["cells"] | null} */
function cellsOf(seen, painting, theme) {
  const fillOf = flatFill(seen, theme);
  if (fillOf) return { fillOf, hasSigns: hasSigns(seen) };
  return painting && { painting, frames: [...(seen.analysis?.layers.values() ?? [])], ground: theme.scale.css[0] };
}

/** Colours of whole cells show numbers of untreated maps. @param {SideView} seen @param {FigureGrid["cells"]} cells */
function treatmentOfCells(seen, cells) {
  if (!("painting" in cells)) return [];
  const [frame] = cells.frames;
  const block = frame ? blockSize(frame) : 1;
  const merged = seen.words && block === 1;
  const renormalised = seen.hide !== "none" && seen.renormalise && block === 1;
  const dimmed = cells.painting.dimmed != null && cells.painting.dimmed.cols.includes(1);
  return treatmentOf(seen, { merged, renormalised, block, dimmed }, cells.painting.visible !== null);
}

/** @param {State} state @param {SideView} seen from the side whose heads they are @param {string} chosen */
function titleOf(state, seen, chosen) {
  const whose = { a: "all heads of A", b: "all heads of B", difference: "A − B, head by head" }[shownSide(state).side];
  const what = chosen !== "" ? `Attention ${chosen}` : (chosenQuantity(seen)?.label ?? (isByRole(seen) ? "Roles" : "Attention"));
  if (state.sides.b !== null) return `${what}: ${whose}`;
  return `${what} ${chosen === "" ? "of" : "in"} all heads`;
}

/** Sentences on the order of the heads, which of them stand out, how many have a role, and whose. @param {SideView} seen */
function arrangement(seen) {
  const by = orderOf(seen) && orderedBy(seen);
  const isByClass = chosenQuantity(seen)?.classes != null || isByRole(seen);
  const order = by ? `Heads in order of ${by[0].toLowerCase()}${by.slice(1)}${isByClass ? "" : ", strongest first"}, row by row.` : "";
  const shown = shownHeads(seen);
  const record = atlasOnScreen(seen);
  const counted = record ? `${roleCountWords(record)}.` : "";
  const others = record?.revision_matches === false ? OTHER_WEIGHTS : "";
  return [order, shown ? `Not veiled: ${shown.text}` : "", counted, others].filter(Boolean);
}

/** @param {SideView} seen @param {ReturnType<typeof shownScale>} shown @param {boolean} signed @param {Theme} theme @returns {import("./grid_legend.js").GridLegend} */
function legendOf(seen, shown, signed, { palette, scale, diverging }) {
  const signOf = (/** @type {number} */ tone, /** @type {string} */ letter, /** @type {string} */ label) =>
    ({ colour: palette.tones[tone % palette.tones.length], letter, label });
  const barOf = (/** @type {string} */ words, /** @type {Tick[]} */ ticks, /** @type {string[]} */ css) =>
    ({ mode: /** @type {const} */ ("heatmap"), words, ticks, drawing: { css, sheet: { top: 1, signed } } });
  const quantity = chosenQuantity(seen);
  const record = atlasOnScreen(seen);
  const lists = record ? [roleSigns(record, isByRole(seen), palette)] : [];
  if (quantity?.classes) {
    const short = shortNames(quantity.classes);
    const classes = quantity.classes.map((label, at) => signOf(at, short[at], label));
    return { bar: null, lists: [{ title: quantityWords(seen, quantity), signs: classes, rest: "" }, ...lists] };
  }
  if (quantity) return { bar: barOf(quantityWords(seen, quantity), quantityTicks(quantity), scale.css), lists };
  if (isByRole(seen)) return { bar: null, lists };
  const words = `${isWeighted(seen) ? "value-weighted " : ""}${scaleWords(shown, signed, shown)}`;
  return { bar: barOf(words, ticksOf(shown, signed), (signed ? diverging : scale).css), lists };
}

/**
 * The letters of roles. Heads that only rest have none: where cells are coloured by role they have a pale colour.
 * @param {Atlas} record
 * @param {boolean} isColour whether cells are coloured by role
 * @param {Palette} palette
 * @returns {import("./grid_legend.js").SignList}
 */
function roleSigns(record, isColour, palette) {
  const groups = foundGroups(record).filter(({ group }) => isColour || !group.idle);
  const signs = groups.map(({ group, tone }) => {
    return { colour: groupColour({ group, tone }, palette), letter: group.idle ? "" : group.letter, label: group.label };
  });
  return { title: "", signs, rest: isColour ? unassignedWords(record, "hatched") : markedWords(record, "letter") };
}
