// The legend of a chart of lines, in as few lines as it needs.

import { colourOf } from "../../drawing/line_chart.js";
import { element } from "../../page/dom.js";

/** How the style sheet draws a line's dashes. @type {Record<string, string>} */
const STYLES = { solid: "solid", dash: "dashed", longdash: "dashed", dot: "dotted", dashdot: "dashed", longdashdot: "dashed" };

/** @param {HTMLElement} root @param {LineChart} chart @param {Palette} palette */
export function renderLegend(root, { series }, palette) {
  const named = series.filter(({ isUnnamed }) => !isUnnamed);
  root.hidden = named.length < 2;
  const items = named.map(({ name, tone, dash = "solid", width, isFaint }) => {
    const line = element("i", { class: "legend-line" });
    line.style.borderTop = `${Math.max(2, Math.round(width))}px ${STYLES[dash]} ${colourOf(palette, tone)}`;
    return element("li", { class: isFaint ? "faint" : "" }, line, name);
  });
  root.replaceChildren(...items);
}
