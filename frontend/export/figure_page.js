// A figure as a picture, whatever it shows: its font, edge, headings and caption, as SVG or on a canvas.

import { SvgContext } from "../drawing/svg_context.js";
import { drawingContext } from "../page/dom.js";
import { directionOf } from "../page/labels.js";
import { wrapped } from "./paragraph.js";

/** @typedef {SvgContext | CanvasRenderingContext2D} FigureContext */
/**
 * @typedef {object} Figure
 * @property {string} title for readers who do not see the picture
 * @property {string[]} caption a paragraph each
 * @property {Palette} palette
 */
/**
 * @typedef {object} Body what is above the caption, laid out
 * @property {number} width of the whole figure
 * @property {number} foot where it ends
 * @property {string[]} titles of its parts
 * @property {(context: FigureContext, scale: number) => void} paint scale: pixels of an image per pixel of the figure
 */
/**
 * @typedef {object} Picture
 * @property {string} title
 * @property {{width: number, height: number}} size in pixels at scale 1
 * @property {() => string} svg
 * @property {(canvas: HTMLCanvasElement, scale: number) => void} draw throws a RangeError if it is too large
 */

/** Families of nearly the same width; every program has one of them. */
const FONT = 'Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif';
export const EDGE = 24;
export const NARROWEST = 420;
const CAPTION_LINE = 16;
const MOST_CAPTION_LINES = 4;
/** Pixels of an image inside an SVG document per pixel of the figure. */
const SVG_SCALE = 3;
/** The most that all browsers can draw, in pixels. */
const LONGEST_EDGE = 16_384;
const MOST_PIXELS = 120_000_000;

/**
 * @template {Figure} Kind
 * @param {Kind} figure
 * @param {(context: Surface, figure: Kind) => Body} layOut
 * @param {MeasureText} [measure]
 * @returns {Picture}
 */
export function pictureOf(figure, layOut, measure = textMeasurer()) {
  const palette = { ...figure.palette, font: FONT };
  const { title, caption } = figure;

  /** @param {Surface} context */
  function layOutPage(context) {
    const body = layOut(context, { ...figure, palette });
    context.font = textFont(palette);
    const lines = caption.flatMap((text) =>
      wrapped(context, text, body.width - 2 * EDGE, MOST_CAPTION_LINES).map((line) => ({ text: line, direction: directionOf(text) })),
    );
    return { ...body, lines, height: body.foot + lines.length * CAPTION_LINE + EDGE };
  }

  /** @param {FigureContext} context @param {ReturnType<typeof layOutPage>} page @param {number} scale */
  function paint(context, { width, height, foot, lines, paint: paintBody }, scale) {
    context.fillStyle = palette.surface;
    context.fillRect(0, 0, width, height);
    paintBody(context, scale);
    lines.forEach(({ text, direction }, line) => {
      write(context, text, EDGE, foot + 12 + line * CAPTION_LINE, textFont(palette), palette.muted, direction);
    });
  }

  return {
    title,
    size: layOutPage(new SvgContext(measure)),
    svg() {
      const context = new SvgContext(measure);
      const page = layOutPage(context);
      paint(context, page, SVG_SCALE);
      return context.document({ ...page, title, description: [...page.titles, ...caption].join("\n") });
    },
    draw(canvas, scale) {
      const context = drawingContext(canvas);
      const page = layOutPage(context);
      const [width, height] = [page.width, page.height].map((size) => Math.ceil(size * scale));
      if (!isDrawable(page, scale)) {
        throw new RangeError(
          `This picture would have ${width} x ${height} pixels, more than browsers draw: choose a smaller size, or SVG.`,
        );
      }
      Object.assign(canvas, { width, height });
      context.scale(scale, scale);
      paint(context, page, scale);
    },
  };
}

/** @returns {MeasureText} */
function textMeasurer() {
  const context = drawingContext(document.createElement("canvas"));
  return (text, font) => {
    context.font = font;
    return context.measureText(text).width;
  };
}

/** Whether browsers can draw it. @param {{width: number, height: number}} figure @param {number} scale canvas pixels per figure pixel */
export function isDrawable(figure, scale) {
  const [width, height] = [figure.width, figure.height].map((size) => Math.ceil(size * scale));
  return Math.max(width, height) <= LONGEST_EDGE && width * height <= MOST_PIXELS;
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

/** Paint with the origin at a point. @param {Surface} context @param {number} x @param {number} y @param {() => void} paint */
export function paintAt(context, x, y, paint) {
  context.save();
  context.translate(x, y);
  paint();
  context.restore();
}

/** @param {Palette} palette */
export const headingFont = ({ font }) => `600 14px ${font}`;

/** @param {Palette} palette of captions and legends */
export const textFont = ({ font }) => `11px ${font}`;
