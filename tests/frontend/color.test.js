// The colour scale: lightness orders it, steps look equal, themes start at their own page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { STEPS, oklabFromRgb, packed, ramp, scaleOf } from "../../frontend/color.js";

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
