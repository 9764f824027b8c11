// The colour scale: lightness orders it, steps look equal, themes start at their own page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { STEPS, packed, ramp, scaleOf } from "../../frontend/color.js";

/** OKLab of an sRGB colour, in which equal distances look equal. */
function oklabFromRgb(...rgb) {
  const [r, g, b] = rgb.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

for (const theme of ["light", "dark"]) {
  const labs = ramp(theme).map((rgb) => oklabFromRgb(...rgb));

  test(`in the ${theme} scale lightness goes one way only`, () => {
    const sign = theme === "light" ? -1 : 1;
    for (let step = 1; step < STEPS; step += 1) {
      assert.ok(sign * (labs[step][0] - labs[step - 1][0]) >= -1e-4, `step ${step}`);
    }
    assert.ok(Math.abs(labs[STEPS - 1][0] - labs[0][0]) > 0.6, "it spans most of the lightness there is");
  });

  test(`in the ${theme} scale equal steps look equal`, () => {
    const stride = 15;
    const distances = [];
    for (let step = stride; step < STEPS; step += stride) {
      distances.push(Math.hypot(...labs[step].map((value, axis) => value - labs[step - stride][axis])));
    }
    const mean = distances.reduce((sum, value) => sum + value, 0) / distances.length;
    for (const distance of distances) assert.ok(Math.abs(distance / mean - 1) < 0.08, `${distance} against ${mean}`);
  });

  test(`in the ${theme} scale neighbours differ but never jump`, () => {
    for (let step = 1; step < STEPS; step += 1) {
      const distance = Math.hypot(...labs[step].map((value, axis) => value - labs[step - 1][axis]));
      assert.ok(distance < 0.012, `step ${step}: ${distance}`);
    }
  });
}

test("the table packs colours as ImageData keeps them", () => {
  assert.equal(packed([1, 2, 3]), 0xff030201);
  const bytes = new Uint8Array(scaleOf("light").table.buffer);
  assert.deepEqual([...bytes.slice(0, 3)], ramp("light")[0]);
  assert.equal(bytes[3], 255);
  assert.equal(scaleOf("dark"), scaleOf("dark"), "made once");
});
