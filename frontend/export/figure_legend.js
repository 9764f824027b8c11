// The legend of colours or lines in a figure: a bar with its ticks, or sample lines with their weights.

import { lineOf } from "../drawing/lines.js";
import { textFont } from "./figure_page.js";

/**
 * @typedef {object} Legend
 * @property {"heatmap" | "lines"} mode
 * @property {string} words
 * @property {Tick[]} ticks
 * @property {{css: string[], sheet: {top: number, signed: boolean}}} drawing
 */

export const LEGEND_HEIGHT = 50;
const BAR = { top: 14, width: 256, height: 10, strips: 64 };
const SAMPLE = 28;

/** Legends with the same key are alike. @param {Legend} legend */
export function legendKey({ mode, words, ticks, drawing: { css, sheet } }) {
  return JSON.stringify([mode, css[0], mode === "lines" ? [sheet.top, sheet.signed] : [words, ticks]]);
}

/** @param {Surface} context whose origin is the legend's upper left corner @param {Legend} legend @param {Palette} palette */
export function paintLegend(context, legend, palette) {
  paintText(context, palette, () => {
    context.fillText(wordsOf(legend), 0, 4);
    if (legend.mode === "heatmap") paintBar(context, legend, palette);
    else paintSamples(context, legend, palette);
  });
}

/** Paint with the font and colour of legends. @param {Surface} context @param {Palette} palette @param {() => void} paint */
export function paintText(context, palette, paint) {
  context.save();
  context.direction = "ltr";
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.font = textFont(palette);
  context.fillStyle = palette.ink;
  paint();
  context.restore();
}

/** @param {Surface} context @param {Legend} legend @param {Palette} palette */
export function legendWidth(context, legend, palette) {
  context.font = textFont(palette);
  return Math.max(BAR.width, Math.ceil(context.measureText(wordsOf(legend)).width));
}

/** @param {Legend} legend */
function wordsOf({ mode, words, drawing: { sheet } }) {
  if (mode === "heatmap") return words;
  return sheet.signed ? "difference by width of line, dashed below zero" : "attention weight by width of line";
}

/** @param {Surface} context @param {Legend} legend @param {Palette} palette */
function paintBar(context, { ticks, drawing: { css } }, palette) {
  const { top, width, height, strips } = BAR;
  const strip = width / strips;
  for (let at = 0; at < strips; at += 1) {
    context.fillStyle = css[Math.round((at * (css.length - 1)) / (strips - 1))];
    context.fillRect(at * strip, top, strip, height);
  }
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.strokeRect(-0.5, top - 0.5, width + 1, height + 1);
  context.font = `10px ${palette.font}`;
  context.fillStyle = palette.muted;
  for (const { part, text } of ticks) {
    context.textAlign = part === 0 ? "left" : part === 1 ? "right" : "center";
    context.fillText(text, part * width, top + height + 10);
  }
}

/** @param {Surface} context @param {Legend} legend @param {Palette} palette */
function paintSamples(context, { drawing: { css, sheet } }, palette) {
  context.font = `10px ${palette.font}`;
  const parts = sheet.signed ? [-1, -0.25, 0.25, 1] : [0.05, 0.25, 1];
  let x = 0;
  for (const part of parts) {
    const weight = part * sheet.top;
    const { width, strength, step, dashes } = lineOf(weight, sheet);
    context.save();
    context.lineWidth = width;
    context.globalAlpha = 0.2 + 0.8 * strength;
    context.strokeStyle = css[step];
    context.setLineDash(dashes);
    context.beginPath();
    context.moveTo(x, BAR.top + 9);
    context.lineTo(x + SAMPLE, BAR.top + 9);
    context.stroke();
    context.restore();
    const sign = part < 0 ? "−" : sheet.signed ? "+" : "";
    const text = `${sign}${Number(Math.abs(weight).toPrecision(2))}`;
    context.fillStyle = palette.muted;
    context.fillText(text, x + SAMPLE + 5, BAR.top + 9);
    x += SAMPLE + 5 + Math.ceil(context.measureText(text).width) + 14;
  }
}
