// The one colour scale: 256 steps, even to the eye, one ramp for light and one for dark pages.
// It must not know canvases or the page; it is numbers in, numbers out.

/** @typedef {"light" | "dark"} Theme */
/** @typedef {[number, number, number]} Triple OKLab (L, a, b) or linear RGB */

export const STEPS = 256;

// Lightness, chroma, hue (degrees) of the stops. Lightness only falls (light) or rises (dark), so order
// survives grey print and any colour blindness; the hues stay on the blue side, clear of the warm accent.
/** @type {Record<Theme, [number, number, number][]>} */
const STOPS = {
  light: [
    [0.972, 0.004, 250],
    [0.86, 0.06, 215],
    [0.68, 0.11, 230],
    [0.48, 0.15, 265],
    [0.27, 0.13, 285],
  ],
  dark: [
    [0.185, 0.012, 260],
    [0.36, 0.12, 280],
    [0.54, 0.13, 255],
    [0.74, 0.11, 205],
    [0.97, 0.07, 110],
  ],
};

/**
 * @param {Triple} lab
 * @returns {Triple}
 */
function linearFromOklab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/**
 * The nearest colour of the same lightness and hue that a screen can show.
 * @param {Triple} lab
 * @returns {Triple}
 */
function intoGamut([lightness, a, b]) {
  let scale = 1;
  while (scale > 0) {
    const rgb = linearFromOklab([lightness, a * scale, b * scale]);
    if (rgb.every((channel) => channel >= -1e-4 && channel <= 1 + 1e-4)) break;
    scale -= 0.01;
  }
  return [lightness, a * scale, b * scale];
}

/**
 * Points along the stops, in OKLab, before they are spaced evenly.
 * @param {[number, number, number][]} stops
 * @returns {Triple[]}
 */
function curve(stops) {
  const perStop = 200;
  /** @type {Triple[]} */
  const points = [];
  for (let index = 0; index < stops.length - 1; index += 1) {
    const [from, to] = [stops[index], stops[index + 1]].map(([lightness, chroma, hue]) => {
      const angle = (hue * Math.PI) / 180;
      return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
    });
    const last = index === stops.length - 2 ? perStop : perStop - 1;
    for (let step = 0; step <= last; step += 1) {
      const part = step / perStop;
      const [l, a, b] = from.map((value, axis) => value + part * (to[axis] - value));
      points.push(intoGamut([l, a, b]));
    }
  }
  return points;
}

/**
 * Spread steps at equal distances along a curve, so that equal steps look equal.
 * @param {Triple[]} points
 * @returns {Triple[]}
 */
function spacedEvenly(points) {
  const reached = [0];
  for (let index = 1; index < points.length; index += 1) {
    reached.push(
      reached[index - 1] + Math.hypot(...points[index].map((value, axis) => value - points[index - 1][axis])),
    );
  }
  const length = reached[reached.length - 1];
  let at = 0;
  return Array.from({ length: STEPS }, (_, step) => {
    const goal = (length * step) / (STEPS - 1);
    while (at < points.length - 2 && reached[at + 1] < goal) at += 1;
    const part = (goal - reached[at]) / (reached[at + 1] - reached[at]);
    const [l, a, b] = points[at].map((value, axis) => value + part * (points[at + 1][axis] - value));
    return [l, a, b];
  });
}

/**
 * The 256 colours of a theme as red, green, blue bytes.
 * @param {Theme} theme
 * @returns {Triple[]}
 */
export function ramp(theme) {
  return spacedEvenly(curve(STOPS[theme])).map((lab) => {
    const [r, g, b] = linearFromOklab(lab).map((channel) => {
      const part = Math.min(1, Math.max(0, channel));
      const coded = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
      return Math.round(255 * coded);
    });
    return [r, g, b];
  });
}

/**
 * A colour as ImageData keeps it on little-endian machines, which is every machine a browser runs on.
 * @param {Triple} rgb
 */
export function packed([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/**
 * @typedef {object} Scale
 * @property {Uint32Array} table the packed colour of each code
 * @property {string[]} css the same as CSS colours
 */

/** @type {Map<Theme, Scale>} */
const scales = new Map();

/**
 * The scale of a theme, made once.
 * @param {Theme} theme
 * @returns {Scale}
 */
export function scaleOf(theme) {
  let scale = scales.get(theme);
  if (!scale) {
    const colours = ramp(theme);
    scale = {
      table: Uint32Array.from(colours, packed),
      css: colours.map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`),
    };
    scales.set(theme, scale);
  }
  return scale;
}
