// What every figure has, whatever is drawn on it: a font, an edge, headings, a caption, and a size browsers can draw.

import { directionOf } from "../maps/labels.js";
import { wrapped } from "./paragraph.js";

/** @typedef {{text: string, direction: "ltr" | "rtl"}[]} Lines */

/** Families of nearly the same widths, one of which every program has. */
export const FONT = 'Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif';
export const EDGE = 24;
export const NARROWEST = 420;
export const CAPTION_LINE = 16;
const MOST_CAPTION_LINES = 4;
/** What all browsers can still draw, in pixels. */
const LONGEST_EDGE = 16_384;
const MOST_PIXELS = 120_000_000;

/**
 * Whether browsers can draw a figure at a scale.
 * @param {{width: number, height: number}} figure
 * @param {number} scale pixels of the canvas for one of the figure
 */
export function isDrawable(figure, scale) {
  const [width, height] = [figure.width, figure.height].map((size) => Math.ceil(size * scale));
  return Math.max(width, height) <= LONGEST_EDGE && width * height <= MOST_PIXELS;
}

/**
 * Give a canvas the size of a figure; its context then draws in the figure's own pixels.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2D} context
 * @param {{width: number, height: number}} figure
 * @param {number} scale pixels of the canvas for one of the figure
 */
export function fitCanvas(canvas, context, figure, scale) {
  const [width, height] = [figure.width, figure.height].map((size) => Math.ceil(size * scale));
  if (!isDrawable(figure, scale)) {
    throw new RangeError(
      `This picture would have ${width} x ${height} pixels, more than browsers draw: choose a smaller size, or SVG.`,
    );
  }
  canvas.width = width;
  canvas.height = height;
  context.scale(scale, scale);
}

/**
 * The lines of a caption.
 * @param {Surface} context
 * @param {string[]} caption a paragraph each
 * @param {number} width of the whole figure
 * @param {Palette} palette
 * @returns {Lines}
 */
export function captionLines(context, caption, width, palette) {
  context.font = captionFont(palette);
  return caption.flatMap((text) =>
    wrapped(context, text, width - 2 * EDGE, MOST_CAPTION_LINES).map((line) => ({ text: line, direction: directionOf(text) })),
  );
}

/**
 * @param {Surface} context
 * @param {Lines} lines
 * @param {number} top
 * @param {Palette} palette
 */
export function paintCaption(context, lines, top, palette) {
  lines.forEach(({ text, direction }, line) => {
    write(context, text, EDGE, top + 12 + line * CAPTION_LINE, captionFont(palette), palette.muted, direction);
  });
}

/**
 * @param {Surface} context
 * @param {string} text
 * @param {number} x
 * @param {number} y of the baseline
 * @param {string} font
 * @param {string} colour
 * @param {"ltr" | "rtl"} [direction]
 */
export function write(context, text, x, y, font, colour, direction = "ltr") {
  context.save();
  context.font = font;
  context.fillStyle = colour;
  context.textBaseline = "alphabetic";
  if (context.textAlign !== "center") context.textAlign = "left";
  context.direction = direction;
  context.fillText(text, x, y);
  context.restore();
}

/** @param {Palette} palette */
export const headingFont = ({ font }) => `600 14px ${font}`;

/** @param {Palette} palette */
const captionFont = ({ font }) => `11px ${font}`;
