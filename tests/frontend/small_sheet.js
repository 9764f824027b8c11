// Made-up sheets and all a drawing needs besides, with letters of one width.

import { divergingOf, scaleOf } from "../../frontend/maps/color.js";
import { scaledCodes } from "../../frontend/maps/scales.js";
import { SvgContext } from "../../frontend/drawing/svg_context.js";
import { generator } from "./random.js";
import { readXml } from "./xml.js";

export const LETTER = 0.5;
export const measure = (text, font) => [...text].length * LETTER * Number(/([\d.]+)px/.exec(font)[1]);
export const surface = () => new SvgContext(measure);

const palette = {
  ink: "rgb(27, 31, 42)",
  muted: "rgb(93, 100, 115)",
  line: "rgb(223, 226, 233)",
  surface: "rgb(255, 255, 255)",
  accent: "rgb(184, 67, 10)",
  on_accent: "rgb(255, 255, 254)",
  outside: "rgb(231, 232, 236)",
  tones: ["rgb(21, 89, 192)", "rgb(122, 63, 208)", "rgb(20, 113, 58)"],
  on_tone: "rgb(255, 255, 255)",
  font: "sans-serif",
};

const names = (n, letter) => Array.from({ length: n }, (_, at) => `${letter}${at}`);
const axisOf = (labels) => ({ labels, groups: labels.map((_, at) => [at]) });

export function sheetOf(queries, keys, weights, signed = false) {
  const numbers = Float32Array.from(weights);
  return {
    queries: axisOf(queries),
    keys: axisOf(keys),
    weights: numbers,
    codes: scaledCodes(numbers, "sqrt", 1, signed),
    signed,
    exact: true,
    block: 1,
    dropped: 0,
    renormalised: false,
    top: 1,
    on_first: 0,
    limits: [],
    unaligned: null,
  };
}

export function randomSheet(rows, cols, { seed = 1, signed = false } = {}) {
  const random = generator(seed);
  const weights = Array.from({ length: rows * cols }, () => random.next() * (signed && random.next() < 0.5 ? -1 : 1));
  return sheetOf(names(rows, "q"), names(cols, "k"), weights, signed);
}

/** Two heads or more over each other, with sheets of the same tokens. */
export function overlayOf(...sheets) {
  return { ...sheets[0], overlaid: sheets.map((sheet, at) => ({ name: `L${at} H0`, sheet })) };
}

export function drawingOf(sheet, more = {}) {
  const { table, css } = (sheet.signed ? divergingOf : scaleOf)("light");
  const usual = { focus: null, locked: false, width: 400, palette, table, css, visible: null, layout: "vertical" };
  return { sheet, ...usual, ...more };
}

/** What was drawn, as elements, without the document's own. */
export function drawn(context) {
  const page = { width: 100, height: 100, title: "", description: "" };
  return readXml(context.document(page)).slice(3);
}

export const textsOf = (elements) => elements.filter(({ name }) => name === "text").map(({ text }) => text);
