// A bar of colours with numbers along it: what the colours of maps stand for.

import { drawingContext, element, setText } from "../../page/dom.js";

/**
 * One pixel a colour; the style sheet stretches them.
 * @param {HTMLCanvasElement} canvas
 * @param {string[]} colours
 */
export function drawColours(canvas, colours) {
  canvas.width = colours.length;
  canvas.height = 1;
  const context = drawingContext(canvas);
  colours.forEach((colour, step) => {
    context.fillStyle = colour;
    context.fillRect(step, 0, 1, 1);
  });
}

/**
 * @param {HTMLElement} line below the bar and as wide
 * @param {Tick[]} places
 */
export function writeTicks(line, places) {
  const made = places.map(({ part, text }) => {
    const tick = element("span", {}, text);
    tick.style.left = `${100 * part}%`;
    return tick;
  });
  line.replaceChildren(...made);
}

/** What the two ends of the bar of differences mean. */
export function armWords() {
  return element("div", { class: "legend-arms" }, element("span", {}, "← blue: B gives more"), element("span", {}, "orange: A gives more →"));
}

/** A small bar with its numbers below it and what they are above it. */
export class ColorBar {
  /** The colours on the bar. @type {string[] | null} */
  #drawn = null;

  /** @param {...Node} below the numbers */
  constructor(...below) {
    this.title = element("figcaption");
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.ticks = element("div", { class: "legend-ticks" });
    this.root = element("figure", { class: "color-bar" }, this.title, element("div", { class: "legend-bar" }, this.canvas), this.ticks, ...below);
  }

  /** @param {string} title @param {string[]} colours @param {Tick[]} places */
  render(title, colours, places) {
    setText(this.title, title);
    writeTicks(this.ticks, places);
    if (colours === this.#drawn) return;
    this.#drawn = colours;
    drawColours(this.canvas, colours);
  }
}
