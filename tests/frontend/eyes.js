// How colours look: to most people, to people without one kind of cones, and in grey.

/** @typedef {[number, number, number]} Rgb bytes */

const linear = (channel) => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

function oklabFromLinear([r, g, b]) {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** OKLab of an sRGB colour, in which equal distances look equal. */
export function oklabFromRgb(...rgb) {
  return oklabFromLinear(rgb.map(linear));
}

export const distance = (one, other) => Math.hypot(...one.map((value, axis) => value - other[axis]));

/** What somebody sees who has no red, green or blue cones (Machado, Oliveira and Fernandes 2009, severity 1). */
export const BLINDNESS = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function lightWith(blindness, rgb) {
  const light = rgb.map(linear);
  const seen = BLINDNESS[blindness].map((row) => row.reduce((sum, part, channel) => sum + part * light[channel], 0));
  return seen.map((channel) => Math.min(1, Math.max(0, channel)));
}

/** A colour in OKLab as somebody sees it. */
export function seenWith(blindness, rgb) {
  return oklabFromLinear(lightWith(blindness, rgb));
}

const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/** The contrast of WCAG between two colours as somebody sees them, 1 to 21. */
export function contrastWith(blindness, one, other) {
  const [low, high] = [one, other].map((rgb) => luminance(lightWith(blindness, rgb))).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
