// Drawing figures that come as Plotly's JSON: the page's colours, and rings around heads.

/** @typedef {Record<string, any>} Plain a part of Plotly's JSON */
/**
 * @typedef {object} ChartStyle how a figure fits the page
 * @property {Palette} palette
 * @property {string[]} css the colours of the one scale
 * @property {(name: string) => number | null} toneOf the number of a class, by its name; null: it is none
 * @property {number} width
 * @property {number} height
 * @property {boolean} isTouch fingers scroll the page, they do not zoom the chart
 */

/** Classes and groups differ by shape as well as by colour. */
export const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "cross", "star", "hexagon"];
/** The faintest part of the scale would not stand out from the page as a point. */
const FIRST_COLOUR = 0.2;

/** In a narrower chart the buttons would lie on the legend. */
const ROOM_FOR_BOTH = 640;

/** @param {{isTouch: boolean, width: number}} style @param {boolean} hasLegend */
export function configOf({ isTouch, width }, hasLegend) {
  const isOnLegend = hasLegend && width < ROOM_FOR_BOTH;
  return {
    displaylogo: false,
    displayModeBar: isTouch || isOnLegend ? false : "hover",
    modeBarButtons: [["resetScale2d", "toImage"]],
    showTips: false,
  };
}

const ABOVE = { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" };

/** The figure in the page's colours and size; the page writes its title. @param {Figure} figure @param {ChartStyle} style */
export function themed({ data, layout }, style) {
  const { palette, width, height, isTouch } = style;
  const font = { family: palette.font, size: 12, color: palette.ink };
  const lines = { gridcolor: palette.line, zerolinecolor: palette.line, linecolor: palette.line, tickcolor: palette.line };
  const axis = (/** @type {unknown} */ given) => {
    const { title, ...rest } = /** @type {Plain} */ (given ?? {});
    // The text and the number of cases are written below the chart, where there is room for them.
    const text = title?.text?.replace(/, on (?:this|the) .*$/, "");
    return { ...rest, ...lines, automargin: true, title: { ...title, text, standoff: 10, font: { size: 12.5 } } };
  };
  const traces = data.map((trace) => themedTrace(trace, style));
  return {
    data: traces,
    layout: {
      ...layout,
      title: undefined,
      xaxis: axis(layout.xaxis),
      yaxis: axis(layout.yaxis),
      width,
      height,
      margin: { l: 12, r: 12, t: 16, b: 12 },
      font,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      hoverlabel: { bgcolor: palette.surface, bordercolor: palette.muted, font: { ...font, size: 12.5 }, align: "left" },
      legend: { ...ABOVE, traceorder: "normal", itemsizing: "constant", itemwidth: 30, font: { size: 12 } },
      showlegend: traces.some((trace) => trace.showlegend !== false) && traces.length > 1,
      modebar: { bgcolor: "rgba(0,0,0,0)", color: palette.muted, activecolor: palette.ink },
      dragmode: isTouch ? false : "zoom",
      bargap: 0.25,
    },
  };
}

/** @param {Plain} given @param {ChartStyle} style @returns {Plain} */
function themedTrace(given, { palette, css, toneOf }) {
  // All columns of the legend are as wide as the widest name: the reason after a colon is left to the hover text.
  /** @type {Plain} */
  const trace = { ...given, name: given.name?.split(": ")[0] };
  if (Array.isArray(given.hovertext)) trace.hovertext = given.hovertext.map(wrapped);
  const marker = trace.marker ?? {};
  const tone = toneOf(trace.name ?? "");
  const colour = tone === null ? palette.muted : palette.tones[tone % palette.tones.length];
  if (trace.type === "bar") {
    // What is no class is hollow, as its points are: on a dark page its faint fill would be hard to see.
    const fill = tone === null ? { color: palette.outside, line: { color: palette.muted, width: 1 } } : { color: colour };
    return { ...trace, marker: { ...marker, ...fill } };
  }
  if (Array.isArray(marker.color)) {
    const line = { color: palette.muted, width: 0.75 };
    // Plotly's own bar of colours would need inline styles; the page draws one.
    return { ...trace, showlegend: false, marker: { ...marker, colorscale: colorscale(css), showscale: false, line } };
  }
  if (trace.mode === "lines+markers") {
    const error_y = { ...trace.error_y, color: palette.ink, thickness: 1.2, width: 5 };
    return { ...trace, error_y, line: { color: palette.ink, width: 2 }, marker: { color: palette.ink, size: 6 } };
  }
  const symbol = tone === null ? "circle-open" : SYMBOLS[tone % SYMBOLS.length];
  return { ...trace, marker: { ...marker, color: colour, symbol, line: { color: colour, width: 1 } } };
}

const LONGEST_LINE = 40;

/** A hover text with its long lists broken into lines: Plotly would cut them off at the chart's edge. @param {string} text with <br> */
export function wrapped(text) {
  return text
    .split("<br>")
    .map((line) =>
      line.split(", ").reduce((said, part) => {
        const last = said.slice(said.lastIndexOf("<br>") + 1);
        return `${said},${last.length + part.length > LONGEST_LINE ? "<br>" : " "}${part}`;
      }),
    )
    .join("<br>");
}

/** The colours of points, faintest first. @param {string[]} css */
export function pointColours(css) {
  return css.slice(Math.round(FIRST_COLOUR * css.length));
}

/** @param {string[]} css @returns {[number, string][]} */
function colorscale(css) {
  const colours = pointColours(css);
  return [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const colour = colours[Math.round(part * (colours.length - 1))];
    return [part, colour.replace(/(\d+) (\d+) (\d+)/, "$1,$2,$3")]; // Plotly reads no spaces
  });
}

/** Which values the colours of the points mean; null when they show classes or nothing. @param {Figure} figure */
export function scaleOfFigure({ data }) {
  const marker = /** @type {Plain[]} */ (data).find((trace) => Array.isArray(trace.marker?.color))?.marker;
  if (!marker || marker.color.length === 0) return null;
  /** @type {string} */
  const title = marker.colorbar?.title?.text ?? "";
  return { title, low: Math.min(...marker.color), high: Math.max(...marker.color) };
}

/** Where each head of a figure is, by "layer.head". @param {Figure} figure @returns {Map<string, {x: number, y: number}>} */
export function pointsOf({ data }) {
  const points = new Map();
  for (const { customdata = [], x, y } of /** @type {Plain[]} */ (data)) {
    customdata.forEach((/** @type {[number, number]} */ [layer, head], /** @type {number} */ at) => {
      points.set(`${layer}.${head}`, { x: x[at], y: y[at] });
    });
  }
  return points;
}

/**
 * Circles around the pinned heads and around the one the cursor is on; of fixed size, however the axes are zoomed.
 * @param {ReturnType<typeof pointsOf>} points
 * @param {Cell[]} pins
 * @param {Cell | null} cursor
 * @param {Palette} palette
 */
export function rings(points, pins, cursor, palette) {
  const ring = (/** @type {Cell} */ { layer, head }, /** @type {number} */ radius, /** @type {string} */ color) => {
    const at = points.get(`${layer}.${head}`);
    if (!at) return [];
    const size = { x0: -radius, x1: radius, y0: -radius, y1: radius };
    const place = { xsizemode: "pixel", ysizemode: "pixel", xanchor: at.x, yanchor: at.y };
    return [{ type: "circle", ...size, ...place, line: { color, width: 2.5 } }];
  };
  return [...pins.flatMap((pin) => ring(pin, 9, palette.accent)), ...(cursor ? ring(cursor, 13, palette.ink) : [])];
}
