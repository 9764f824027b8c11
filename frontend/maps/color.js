// The colour scales: 256 steps, even to the eye, for light and for dark pages; one ramp for weights, one with two arms
// for differences.

/** @typedef {"light" | "dark"} ThemeName */
/** @typedef {[number, number, number]} Triple OKLab (L, a, b) or linear RGB */

export const STEPS = 256;

// Lightness, chroma, hue (degrees) of the stops. Lightness only falls (light) or rises (dark), so order
// survives grey print and any colour blindness; the hues stay on the blue side, clear of the warm accent.
/** @type {Record<ThemeName, [number, number, number][]>} */
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

/** Hues that stay apart for every kind of colour blindness: less is blue, more is orange. */
const ARM_HUES = { less: 255, more: 55 };
// Lightness and chroma from the neutral middle, near the page's own colour, to the end of an arm. Both arms share
// them, so a difference looks as strong as its opposite; no chroma here is beyond what a screen shows in either hue.
// In the dark the middle is lighter than the page: most differences are small, and near black nobody tells them apart.
/** @type {Record<ThemeName, [number, number][]>} */
const ARM_STOPS = {
  light: [
    [0.972, 0],
    [0.8, 0.1],
    [0.62, 0.13],
    [0.42, 0.1],
  ],
  dark: [
    [0.25, 0],
    [0.48, 0.11],
    [0.66, 0.12],
    [0.84, 0.08],
  ],
};

/** @param {Triple} lab @returns {Triple} */
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

/** The nearest colour of the same lightness and hue that a screen can show. @param {Triple} lab @returns {Triple} */
function intoGamut([lightness, a, b]) {
  for (let scale = 1; scale > 0; scale -= 0.01) {
    const rgb = linearFromOklab([lightness, a * scale, b * scale]);
    if (rgb.every((channel) => channel >= -1e-4 && channel <= 1 + 1e-4)) return [lightness, a * scale, b * scale];
  }
  return [lightness, 0, 0];
}

/** @param {Triple} from @param {Triple} to @param {number} part of the way @returns {Triple} */
function between([l, a, b], to, part) {
  return [l + part * (to[0] - l), a + part * (to[1] - a), b + part * (to[2] - b)];
}

/** Points along the stops, in OKLab, before they are spaced evenly. @param {[number, number, number][]} stops */
function curve(stops) {
  const perStop = 200;
  const labs = stops.map(([lightness, chroma, hue]) => {
    const angle = (hue * Math.PI) / 180;
    return /** @type {Triple} */ ([lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
  });
  return Array.from({ length: (stops.length - 1) * perStop + 1 }, (_, at) => {
    const stop = Math.min(Math.floor(at / perStop), stops.length - 2);
    return intoGamut(between(labs[stop], labs[stop + 1], (at - stop * perStop) / perStop));
  });
}

/**
 * Colours along a curve by the distance gone, so that equal steps look equal.
 * @param {Triple[]} points
 * @param {number[]} parts of the whole way, rising from 0 to 1
 */
function along(points, parts) {
  const reached = [0];
  for (let index = 1; index < points.length; index += 1) {
    reached.push(
      reached[index - 1] + Math.hypot(...points[index].map((value, axis) => value - points[index - 1][axis])),
    );
  }
  const length = reached[reached.length - 1];
  let at = 0;
  return parts.map((wanted) => {
    const goal = length * wanted;
    while (at < points.length - 2 && reached[at + 1] < goal) at += 1;
    const part = (goal - reached[at]) / (reached[at + 1] - reached[at]);
    return between(points[at], points[at + 1], part);
  });
}

/** The 256 colours of a theme as red, green, blue bytes. @param {ThemeName} theme @returns {Triple[]} */
export function ramp(theme) {
  const parts = Array.from({ length: STEPS }, (_, step) => step / (STEPS - 1));
  return along(curve(STOPS[theme]), parts).map(bytesOf);
}

/**
 * The 256 colours of differences: code 0 is the end of the blue arm, 255 that of the orange one, and the neutral
 * middle lies between 127 and 128.
 * @param {ThemeName} theme
 * @returns {Triple[]}
 */
export function divergingRamp(theme) {
  const half = STEPS / 2;
  const parts = Array.from({ length: half }, (_, step) => (step + 0.5) / (half - 0.5));
  const [less, more] = [ARM_HUES.less, ARM_HUES.more].map((hue) => {
    const points = curve(ARM_STOPS[theme].map(([lightness, chroma]) => [lightness, chroma, hue]));
    return along(points, parts).map(bytesOf);
  });
  return [...less.reverse(), ...more];
}

/** @param {Triple} lab @returns {Triple} */
function bytesOf(lab) {
  const [r, g, b] = linearFromOklab(lab).map((channel) => {
    const part = Math.min(1, Math.max(0, channel));
    const coded = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(255 * coded);
  });
  return [r, g, b];
}

/** A colour as ImageData keeps it on little-endian machines, which is every machine a browser runs on. @param {Triple} rgb */
export function packed([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** @typedef {{table: Uint32Array, css: string[]}} Colours the colour of each code, packed and as CSS */
/** @typedef {Colours & {dimmed: Colours}} ColorTable dimmed: the colours of what is set aside */

/** @param {Triple[]} colours @returns {Colours} */
function coloursOf(colours) {
  return { table: Uint32Array.from(colours, packed), css: colours.map((rgb) => `rgb(${rgb.join(" ")})`) };
}

/**
 * Each theme's scale is made once.
 * @type {(make: (theme: ThemeName) => Triple[], ground: number) => (theme: ThemeName) => ColorTable} ground: the code of no weight
 */
const madeOnce = (make, ground) => {
  /** @type {Partial<Record<ThemeName, ColorTable>>} */
  const scales = {};
  const tableOf = (/** @type {Triple[]} */ colours) => ({ ...coloursOf(colours), dimmed: coloursOf(colours.map((rgb) => setAside(rgb, colours[ground]))) });
  return (theme) => (scales[theme] ??= tableOf(make(theme)));
};

/** How much of a colour is left of what is set aside. */
const LEFT = 0.3;

/** A colour as a grey near the ground: no weight has such a colour, so what is set aside is not taken for a weak one. @param {Triple} rgb @param {Triple} ground @returns {Triple} */
function setAside(rgb, ground) {
  const grey = Math.round(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]);
  const [red, green, blue] = ground.map((channel) => Math.round(channel + LEFT * (grey - channel)));
  return [red, green, blue];
}

/** The scale of weights. */
export const scaleOf = madeOnce(ramp, 0);
/** The scale of differences, with the neutral middle at 127.5. */
export const divergingOf = madeOnce(divergingRamp, STEPS / 2);

const FADED = 0.3;

/**
 * A colour close to the ground it is on, for what must not stand out.
 * @param {string} colour as browsers write it, such as rgb(21, 89, 192)
 * @param {string} ground likewise
 */
export function faded(colour, ground) {
  const [from, to] = [ground, colour].map((written) => (written.match(/\d+/g) ?? []).map(Number));
  return `rgb(${from.map((channel, at) => Math.round(channel + FADED * (to[at] - channel))).join(", ")})`;
}
