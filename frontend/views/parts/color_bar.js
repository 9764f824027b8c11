// A bar of colours with numbers along it: what the colours of maps mean.

import { drawingContext, element, setText } from "../../page/dom.js";

/** One pixel a colour; the style sheet stretches them. @param {HTMLCanvasElement} canvas @param {string[]} colours */
export function drawColours(canvas, colours) {
  canvas.width = colours.length;
  canvas.height = 1;
  const context = drawingContext(canvas);
  colours.forEach((colour, step) => {
    context.fillStyle = colour;
    context.fillRect(step, 0, 1, 1);
  });
}

/** What the two ends of the bar of differences mean. */
export function armWords() {
  const ends = ["← blue: B gives more", "orange: A gives more →"].map((text) => element("span", {}, text));
  return element("div", { class: "legend-arms" }, ...ends);
}

/** A bar whose parts are in the page already. */
export class ColorScale {
  /** The colours on the bar. @type {string[] | null} */
  #drawn = null;
  /** Numbers are changed in place: the scale may follow the pointer. @type {HTMLElement[]} */
  #known = [];
  #shown = 0;

  /** @param {HTMLElement} title @param {HTMLCanvasElement} canvas @param {HTMLElement} ticks as wide as the canvas */
  constructor(title, canvas, ticks) {
    this.title = title;
    this.canvas = canvas;
    this.ticks = ticks;
  }

  /** @param {string} title @param {string[]} colours @param {Tick[]} places */
  render(title, colours, places) {
    setText(this.title, title);
    const shown = places.map(({ part, text }, at) => {
      const tick = (this.#known[at] ??= element("span"));
      setText(tick, text);
      tick.style.left = `${100 * part}%`;
      return tick;
    });
    if (shown.length !== this.#shown) this.ticks.replaceChildren(...shown);
    this.#shown = shown.length;
    if (colours === this.#drawn) return;
    this.#drawn = colours;
    drawColours(this.canvas, colours);
  }
}

/** A small bar of its own, with its title above and its numbers below. */
export class ColorBar extends ColorScale {
  /** @param {...Node} below the numbers */
  constructor(...below) {
    super(element("figcaption"), element("canvas", { "aria-hidden": "true" }), element("div", { class: "legend-ticks" }));
    const bar = element("div", { class: "legend-bar" }, this.canvas);
    this.root = element("figure", { class: "color-bar" }, this.title, bar, this.ticks, ...below);
  }
}
