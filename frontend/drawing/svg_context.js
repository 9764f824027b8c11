// A drawing surface that writes SVG: the part of CanvasRenderingContext2D which the drawings use, with text kept as text.

import { escaped, paintOf, short } from "./svg_values.js";

/**
 * What a drawing may use, on a canvas as in a document.
 * @typedef {Pick<CanvasRenderingContext2D, "save" | "restore" | "translate" | "rotate" | "beginPath" | "moveTo" | "lineTo"
 *   | "bezierCurveTo" | "rect" | "roundRect" | "fill" | "stroke" | "fillRect" | "strokeRect" | "setLineDash" | "fillStyle"
 *   | "strokeStyle" | "globalAlpha" | "lineWidth" | "font" | "textAlign" | "textBaseline" | "direction" | "fillText">
 *   & {measureText(text: string): {width: number}}} Surface
 */
/** @typedef {(text: string, font: string) => number} MeasureText how wide a text is in a font, in pixels */
/** @typedef {[number, number, number, number, number, number]} Matrix as canvases have it: a, b, c, d, e, f */

const NAMESPACE = "http://www.w3.org/2000/svg";
/** How far below a place its text's baseline lies, in em. Written as numbers: not every program knows SVG's names for them. */
const BASELINES = { top: 0.8, hanging: 0.8, middle: 0.35, alphabetic: 0, ideographic: -0.2, bottom: -0.2 };

/** @implements {Surface} */
export class SvgContext {
  fillStyle = "#000000";
  strokeStyle = "#000000";
  globalAlpha = 1;
  lineWidth = 1;
  font = "10px sans-serif";
  /** @type {CanvasTextAlign} */
  textAlign = "start";
  /** @type {CanvasTextBaseline} */
  textBaseline = "alphabetic";
  /** @type {CanvasDirection} */
  direction = "inherit";
  /** @type {Matrix} */
  matrix = [1, 0, 0, 1, 0, 0];
  /** @type {number[]} */
  dashes = [];
  /** The public fields, as `save` found them. @type {object[]} */
  #saved = [];
  /** @type {string[]} */
  #written = [];
  /** @type {string[]} */
  #path = [];
  #isRectangles = true;

  /** @param {MeasureText} measure */
  constructor(measure) {
    this.measure = measure;
  }

  /** Everything drawn so far as one document. @param {{width: number, height: number, title: string, description: string}} page */
  document({ width, height, title, description }) {
    const size = `width="${short(width)}" height="${short(height)}" viewBox="0 0 ${short(width)} ${short(height)}"`;
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<svg xmlns="${NAMESPACE}" ${size} role="img" xml:space="preserve">`,
      `<title>${escaped(title)}</title>`,
      `<desc>${escaped(description)}</desc>`,
      ...this.#written,
      "</svg>\n",
    ].join("\n");
  }

  save() {
    this.#saved.push({ ...this });
  }

  restore() {
    Object.assign(this, this.#saved.pop());
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.#turn([1, 0, 0, 1, x, y]);
  }

  /** @param {number} angle radians */
  rotate(angle) {
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    this.#turn([cosine, sine, -sine, cosine, 0, 0]);
  }

  /** @param {Matrix} by */
  #turn([a, b, c, d, e, f]) {
    const [ma, mb, mc, md, me, mf] = this.matrix;
    const linear = /** @type {const} */ ([ma * a + mc * b, mb * a + md * b, ma * c + mc * d, mb * c + md * d]);
    this.matrix = [...linear, ma * e + mc * f + me, mb * e + md * f + mf];
  }

  /** Places are turned when drawn, as on a canvas: the document holds no nested coordinates. @param {number} x @param {number} y */
  #at(x, y) {
    const [a, b, c, d, e, f] = this.matrix;
    return `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`;
  }

  beginPath() {
    this.#path = [];
    this.#isRectangles = true;
  }

  /** @param {string} step */
  #draw(step) {
    this.#path.push(step);
    this.#isRectangles = false;
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#draw(`M${this.#at(x, y)}`);
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.#draw(`L${this.#at(x, y)}`);
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} x @param {number} y */
  bezierCurveTo(x1, y1, x2, y2, x, y) {
    this.#draw(`C${this.#at(x1, y1)} ${this.#at(x2, y2)} ${this.#at(x, y)}`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.#path.push(this.#rectangle(x, y, width, height));
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  #rectangle(x, y, width, height) {
    const [a, b, c, d] = this.matrix;
    const [right, bottom] = [x + width, y + height];
    const isUpright = b === 0 && c === 0;
    const rest = isUpright
      ? `h${short(a * width)}v${short(d * height)}h${short(-a * width)}`
      : `L${this.#at(right, y)}L${this.#at(right, bottom)}L${this.#at(x, bottom)}`;
    return `M${this.#at(x, y)}${rest}z`;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {number} radius of its corners */
  roundRect(x, y, width, height, radius) {
    const r = Math.min(radius, width / 2, height / 2);
    const corner = (/** @type {[number, number, number, number]} */ ...[fromX, fromY, toX, toY]) => {
      this.lineTo(fromX, fromY);
      this.#draw(`A${short(r)} ${short(r)} 0 0 1 ${this.#at(toX, toY)}`);
    };
    const [right, bottom] = [x + width, y + height];
    this.moveTo(x + r, y);
    corner(right - r, y, right, y + r);
    corner(right, bottom - r, right - r, bottom);
    corner(x + r, bottom, x, bottom - r);
    corner(x, y + r, x + r, y);
    this.#draw("z");
  }

  fill() {
    this.#fill(this.#path, this.#isRectangles);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.#fill([this.#rectangle(x, y, width, height)], true);
  }

  /** @param {string[]} path @param {boolean} isRectangles */
  #fill(path, isRectangles) {
    if (path.length === 0) return;
    // Neighbouring cells must touch without a seam at any zoom, so what is all rectangles keeps hard edges.
    const edges = isRectangles ? { "shape-rendering": "crispEdges" } : {};
    this.#write("path", { d: path.join(""), ...this.#filled(), ...edges });
  }

  stroke() {
    this.#stroke(this.#path);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.#stroke([this.#rectangle(x, y, width, height)]);
  }

  /** @param {string[]} path */
  #stroke(path) {
    if (path.length === 0) return;
    const { colour, opacity } = paintOf(this.strokeStyle, this.globalAlpha);
    this.#write("path", {
      d: path.join(""),
      fill: "none",
      stroke: colour,
      "stroke-opacity": opacity === 1 ? null : short(opacity),
      "stroke-width": short(this.lineWidth),
      "stroke-dasharray": this.dashes.length > 0 ? this.dashes.map(short).join(" ") : null,
    });
  }

  /** @param {Iterable<number>} dashes */
  setLineDash(dashes) {
    this.dashes = [...dashes];
  }

  /** @param {string} text */
  measureText(text) {
    return { width: this.measure(text, this.font) };
  }

  /** @param {string} text @param {number} x @param {number} y @param {number} [widest] a longer text is squeezed, as on a canvas */
  fillText(text, x, y, widest = Infinity) {
    const [, weight, size, family] = /^(?:(\S+) )?([\d.]+)px (.+)$/.exec(this.font) ?? [];
    const place = this.#at(x, y + BASELINES[this.textBaseline] * Number(size));
    const [left, baseline] = place.split(" ");
    const degrees = short((Math.atan2(this.matrix[1], this.matrix[0]) * 180) / Math.PI);
    const isRightToLeft = this.direction === "rtl";
    // SVG aligns by the start and end of the text, so what is at the left depends on which way the text runs.
    const [atLeft, atRight] = isRightToLeft ? ["end", "start"] : ["start", "end"];
    const anchor = { start: "start", end: "end", left: atLeft, right: atRight, center: "middle" }[this.textAlign];
    this.#write(
      "text",
      {
        x: left,
        y: baseline,
        "font-family": family,
        "font-size": short(Number(size)),
        "font-weight": weight,
        ...this.#filled(),
        "text-anchor": anchor === "start" ? null : anchor,
        direction: isRightToLeft ? "rtl" : null,
        ...(this.measureText(text).width > widest ? { textLength: short(widest), lengthAdjust: "spacingAndGlyphs" } : {}),
        transform: degrees === 0 ? null : `rotate(${degrees} ${place})`,
      },
      text,
    );
  }

  /** @param {string} href @param {number} x @param {number} y @param {number} width @param {number} height */
  picture(href, x, y, width, height) {
    const [left, top] = this.#at(x, y).split(" ");
    this.#write("image", { x: left, y: top, width: short(width), height: short(height), href });
  }

  #filled() {
    const { colour, opacity } = paintOf(this.fillStyle, this.globalAlpha);
    return { fill: colour, "fill-opacity": opacity === 1 ? null : short(opacity) };
  }

  /**
   * @param {string} name
   * @param {Record<string, string | number | null | undefined>} attributes those without a value are left out
   * @param {string} [text]
   */
  #write(name, attributes, text) {
    const written = Object.entries(attributes)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
    this.#written.push(`<${name}${written.join("")}${text === undefined ? "/>" : `>${escaped(text)}</${name}>`}`);
  }
}
