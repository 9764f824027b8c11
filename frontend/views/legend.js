// The legend of the one colour scale. It must not know what is drawn with it.

import { byId, drawingContext, element } from "../dom.js";

const TICKS = [0, 0.01, 0.1, 0.25, 0.5, 1];

/** @param {import("./paper.js").Paper} paper */
export function drawLegend(paper) {
  const canvas = byId("legend-scale", HTMLCanvasElement);
  const { css } = paper.scale;
  canvas.width = css.length;
  canvas.height = 1;
  const context = drawingContext(canvas);
  css.forEach((colour, step) => {
    context.fillStyle = colour;
    context.fillRect(step, 0, 1, 1);
  });
  const ticks = TICKS.map((weight) => {
    const tick = element("span", {}, String(weight));
    tick.style.left = `${100 * Math.sqrt(weight)}%`;
    return tick;
  });
  byId("legend-ticks", HTMLElement).replaceChildren(...ticks);
}
