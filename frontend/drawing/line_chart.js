// Lines over the steps of a training as Plotly draws them, in the page's colours.

/**
 * @typedef {object} Series one line
 * @property {string} name
 * @property {number[]} x
 * @property {(number | null)[]} y
 * @property {(number | null)[]} [low] lower ends of intervals, drawn as a band
 * @property {(number | null)[]} [high]
 * @property {"ink" | "muted" | "accent" | number} tone a number: of a group
 * @property {number} width 0: points without a line
 * @property {"band" | "bars"} [ends] how intervals are drawn; by default as a band
 * @property {string} [dash]
 * @property {boolean} [markers]
 * @property {boolean} [isFaint] another line stands out
 * @property {boolean} [isUnnamed] it is not in the legend
 */
/** @typedef {{y: number, text: string, title?: string}} Level a dashed line across the chart */
/**
 * @typedef {object} LineChart
 * @property {Series[]} series the last one is on top
 * @property {Level[]} lines
 * @property {string} xTitle
 * @property {[number, number]} xRange
 * @property {{at: number, text: string}[]} [xTicks] what is written along the horizontal axis; by default numbers
 * @property {string} yTitle
 */
/** @typedef {Record<string, any>} Plain a part of Plotly's JSON */

const FAINT = 0.3;
const BAND = 0.16;
const SAME = 1e-6;
/** Pixels between the names of two lines that lie closer. */
const NAME_HEIGHT = 13;

/** @param {Palette} palette @param {Series["tone"]} tone */
export function colourOf(palette, tone) {
  return typeof tone === "number" ? palette.tones[tone % palette.tones.length] : palette[tone];
}

/** @param {LineChart} chart @param {{palette: Palette, width: number, height: number, isTouch: boolean}} style */
export function plotted({ series, lines, xTitle, xRange, xTicks, yTitle }, { palette, width, height, isTouch }) {
  const font = { family: palette.font, size: 11.5, color: palette.ink };
  const axis = { gridcolor: palette.line, zeroline: false, linecolor: palette.line, tickcolor: palette.line, automargin: true };
  const range = rangeOf(series, lines);
  const ticks = xTicks ? { tickvals: xTicks.map(({ at }) => at), ticktext: xTicks.map(({ text }) => text) } : { nticks: 6 };
  return {
    data: series.flatMap((one) => [...bandOf(one, palette), traceOf(one, palette)]),
    layout: {
      ...{ width, height, font, margin: { l: 10, r: 10, t: 8, b: 8 } },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      xaxis: { ...axis, range: xRange, title: { text: xTitle, standoff: 4, font: { size: 11.5 } }, ...ticks },
      yaxis: { ...axis, range, title: { text: yTitle, standoff: 6, font: { size: 11.5 } }, nticks: 6 },
      annotations: namesOf(lines, range, height, palette),
      hoverlabel: { bgcolor: palette.surface, bordercolor: palette.muted, font, align: "left" },
      hovermode: "closest",
      showlegend: false, // the page writes a legend of less height
      dragmode: isTouch ? false : "zoom",
      modebar: { bgcolor: "rgba(0,0,0,0)", color: palette.muted, activecolor: palette.ink },
    },
  };
}

/** The shapes over the lines: the levels, and the step on screen. @param {LineChart} chart @param {number | null} step @param {Palette} palette @returns {Plain[]} */
export function marksOf({ lines }, step, palette) {
  const levels = lines.map(({ y }) => ({ type: "line", xref: "paper", x0: 0, x1: 1, y0: y, y1: y, line: { color: palette.muted, width: 1.3, dash: "dash" } }));
  const here = { type: "line", yref: "paper", y0: 0, y1: 1, x0: step, x1: step, line: { color: palette.accent, width: 2 } };
  return step === null ? levels : [...levels, here];
}

/** @param {Series} series @param {Palette} palette @returns {Plain} */
function traceOf({ name, x, y, low, high, ends = "band", tone, width, dash = "solid", markers = false, isFaint = false }, palette) {
  const color = colourOf(palette, tone);
  if (width === 0) return { type: "scatter", name, x, y, mode: "markers", marker: { color, size: 7, symbol: "circle-open" }, hovertemplate: `${name}: %{y:.3f}<extra></extra>` };
  if (ends === "bars" && low && high) {
    const beyond = (/** @type {(number | null)[]} */ end) => end.map((value, at) => Math.abs((value ?? 0) - (y[at] ?? 0)));
    const error_y = { type: "data", symmetric: false, array: beyond(high), arrayminus: beyond(low), color, thickness: 1.5, width: 4 };
    return { type: "scatter", name, x, y, mode: "lines+markers", line: { color, width }, marker: { color, size: 6 }, error_y, hovertemplate: `${name}: %{y:.3f}<extra></extra>` };
  }
  return {
    ...{ type: "scatter", name, x, y, mode: markers ? "lines+markers" : "lines" },
    line: { color, width, dash, shape: "linear" },
    marker: { color, size: 5 },
    opacity: isFaint ? FAINT : 1,
    hovertemplate: `${name}: %{y:.3f}<br>step %{x:,}<extra></extra>`,
  };
}

/** @param {Series} series @param {Palette} palette @returns {Plain[]} */
function bandOf({ name, x, low, high, ends, tone, isFaint }, palette) {
  if (!low || !high || ends === "bars") return [];
  const common = { type: "scatter", mode: "lines", x, line: { width: 0 }, hoverinfo: "skip", name };
  const [red, green, blue] = colourOf(palette, tone).match(/[\d.]+/g) ?? [0, 0, 0];
  const fillcolor = `rgba(${red},${green},${blue},${isFaint ? BAND * FAINT : BAND})`;
  return [{ ...common, y: low }, { ...common, y: high, fill: "tonexty", fillcolor }];
}

/** From the lowest number to the highest, with some air. @param {Series[]} series @param {Level[]} lines @returns {[number, number]} */
export function rangeOf(series, lines) {
  const numbers = [...series.flatMap(({ y, low = [], high = [] }) => [...y, ...low, ...high]), ...lines.map(({ y }) => y)].filter((value) => value !== null);
  if (numbers.length === 0) return [0, 1];
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  // Numbers that differ by rounding alone are one number.
  const air = most - least < SAME ? 0.5 : 0.05 * (most - least);
  return [least - air, most + air];
}

/** The names of the levels at the right end, above their lines, none on another. @param {Level[]} lines @param {[number, number]} range @param {number} height @param {Palette} palette @returns {Plain[]} */
function namesOf(lines, range, height, palette) {
  const perPixel = (range[1] - range[0]) / Math.max(1, height - 70);
  let below = -Infinity;
  return [...lines].sort((one, other) => one.y - other.y).map(({ y, text, title }) => {
    const place = Math.max(y, below + NAME_HEIGHT * perPixel);
    below = place;
    return {
      ...{ xref: "paper", x: 1, xanchor: "right", y: place, yanchor: "bottom", text, hovertext: title, showarrow: false, borderpad: 0 },
      font: { size: 11, color: palette.muted },
      bgcolor: withAlpha(palette.surface, 0.75),
    };
  });
}

/** @param {string} colour as browsers write it @param {number} alpha */
function withAlpha(colour, alpha) {
  const [red, green, blue] = colour.match(/[\d.]+/g) ?? [0, 0, 0];
  return `rgba(${red},${green},${blue},${alpha})`;
}
