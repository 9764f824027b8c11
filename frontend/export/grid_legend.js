// The legend of a figure of all heads: a bar with its ticks, and lists of letters on their colours.

import { LEGEND_HEIGHT, paintLegend, paintText } from "./figure_legend.js";
import { textFont } from "./figure_page.js";

/** @typedef {{colour: string, letter: string, label: string}} Sign */
/** @typedef {{title: string, signs: Sign[], rest: string}} SignList title and rest may be "" */
/** @typedef {{bar: import("./figure_legend.js").Legend | null, lists: SignList[]}} GridLegend */
/** @typedef {{x: number, y: number, text: string, sign: Sign | null, box: number}} PlacedEntry within a list; box: the sign's width */

const TITLE = 18;
const LINE = 20;
const SIGN = 14;
const BETWEEN = 16;
const BELOW = 8;

/** @param {Surface} context @param {GridLegend} legend @param {number} width @param {Palette} palette */
export function placeLegend(context, { bar, lists }, width, palette) {
  let top = bar ? LEGEND_HEIGHT : 0;
  const placed = lists.map((list) => {
    const entries = entriesOf(context, list, width, palette);
    const at = { title: list.title, top, entries };
    top += (list.title === "" ? 0 : TITLE) + (entries.at(-1)?.y ?? 0) + LINE + BELOW;
    return at;
  });
  return { bar, lists: placed, height: top };
}

/** @param {Surface} context @param {SignList} list @param {number} width @param {Palette} palette @returns {PlacedEntry[]} */
function entriesOf(context, { signs, rest }, width, palette) {
  let [x, y] = [0, 0];
  const parts = [...signs.map((sign) => ({ sign, text: sign.label })), ...(rest === "" ? [] : [{ sign: null, text: rest }])];
  return parts.map(({ sign, text }) => {
    context.font = letterFont(palette);
    const box = sign ? Math.max(SIGN, Math.ceil(context.measureText(sign.letter).width) + 6) : 0;
    context.font = textFont(palette);
    const length = box + (sign ? 5 : 0) + Math.ceil(context.measureText(text).width);
    if (x > 0 && x + length > width) [x, y] = [0, y + LINE];
    const entry = { x, y, text, sign, box };
    x += length + BETWEEN;
    return entry;
  });
}

/** @param {Surface} context at the legend's upper left corner @param {ReturnType<typeof placeLegend>} legend @param {Palette} palette */
export function paintGridLegend(context, { bar, lists }, palette) {
  if (bar) paintLegend(context, bar, palette);
  for (const { title, top, entries } of lists) {
    paintText(context, palette, () => {
      if (title !== "") context.fillText(title, 0, top + 4);
      const first = top + (title === "" ? 0 : TITLE);
      for (const entry of entries) paintEntry(context, entry, first, palette);
    });
  }
}

/** @param {Surface} context @param {PlacedEntry} entry @param {number} top @param {Palette} palette */
function paintEntry(context, { x, y, text, sign, box }, top, palette) {
  const middle = top + y + SIGN / 2;
  if (sign) {
    context.beginPath();
    context.roundRect(x, top + y, box, SIGN, 3);
    context.fillStyle = sign.colour;
    context.fill();
    context.textAlign = "center";
    context.font = letterFont(palette);
    context.fillStyle = palette.on_tone;
    context.fillText(sign.letter, x + box / 2, middle + 0.5);
  }
  context.textAlign = "left";
  context.font = textFont(palette);
  context.fillStyle = sign ? palette.ink : palette.muted;
  context.fillText(text, sign ? x + box + 5 : x, middle);
}

/** @param {Palette} palette */
const letterFont = ({ font }) => `700 9px ${font}`;
