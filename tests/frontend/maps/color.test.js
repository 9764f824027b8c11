// The colour scales: lightness orders them, steps look equal, themes start at their own page.

import assert from "node:assert/strict";
import { test } from "node:test";

import { STEPS, divergingOf, divergingRamp, faded, packed, ramp, scaleOf } from "../../../frontend/maps/color.js";
import { BLINDNESS, contrastWith, distance, oklabFromRgb, seenWith } from "../eyes.js";

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

for (const theme of ["light", "dark"]) {
  for (const blindness of Object.keys(BLINDNESS)) {
    test(`with ${blindness} the ${theme} scale still goes one way, and no stretch of it looks the same`, () => {
      const sign = theme === "light" ? -1 : 1;
      const light = ramp(theme).map((rgb) => sign * seenWith(blindness, rgb)[0]);
      for (let step = 1; step < STEPS; step += 1) assert.ok(light[step] - light[step - 1] > -5e-4, `step ${step}`);
      for (let step = 16; step < STEPS; step += 1) assert.ok(light[step] - light[step - 16] > 0.03, `step ${step}`);
      assert.ok(light[STEPS - 1] - light[0] > 0.6);
    });
  }
}

test("the table packs colours as ImageData keeps them", () => {
  assert.equal(packed([1, 2, 3]), 0xff030201);
  const bytes = new Uint8Array(scaleOf("light").table.buffer);
  assert.deepEqual([...bytes.slice(0, 3)], ramp("light")[0]);
  assert.equal(bytes[3], 255);
  assert.equal(scaleOf("dark"), scaleOf("dark"), "made once");
});

for (const theme of ["light", "dark"]) {
  const colours = divergingRamp(theme);
  const labs = colours.map((rgb) => oklabFromRgb(...rgb));

  test(`in the ${theme} scale of differences opposites are equally light, and size orders lightness`, () => {
    const sign = theme === "light" ? -1 : 1;
    for (let code = 128; code < STEPS; code += 1) {
      assert.ok(Math.abs(labs[code][0] - labs[255 - code][0]) < 0.005, `code ${code}`);
      if (code > 128) assert.ok(sign * (labs[code][0] - labs[code - 1][0]) > -0.002, `code ${code}`);
    }
    assert.ok(Math.abs(labs[255][0] - labs[128][0]) > 0.5, "an arm spans half of the lightness there is");
  });

  test(`in the ${theme} scale of differences all 256 colours differ, and steps look equal`, () => {
    assert.equal(new Set(divergingOf(theme).table).size, STEPS);
    const stride = 15;
    const found = [];
    for (let code = 128 + stride; code < STEPS; code += stride) {
      found.push(distance(labs[code], labs[code - stride]), distance(labs[255 - code], labs[255 - code + stride]));
    }
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    for (const value of found) assert.ok(Math.abs(value / mean - 1) < 0.12, `${value} against ${mean}`);
  });

  test(`the middle of the ${theme} scale of differences is grey and near the lightness of no weight at all`, () => {
    for (const code of [127, 128]) {
      assert.ok(Math.hypot(labs[code][1], labs[code][2]) < 0.01);
      assert.ok(Math.abs(labs[code][0] - oklabFromRgb(...ramp(theme)[0])[0]) < 0.08);
    }
  });

  for (const blindness of Object.keys(BLINDNESS)) {
    // Who has no blue cones tells orange from blue as red from green: OKLab's first axis instead of its second.
    const axis = blindness === "tritanopia" ? 1 : 2;

    test(`with ${blindness} a difference of .04 stands out from none in the ${theme} scale`, () => {
      // WCAG's ratio knows that little is seen near black; distances in OKLab do not.
      for (const sign of [1, -1]) {
        const small = colours[Math.round(127.5 + sign * 127.5 * Math.sqrt(0.04))];
        const contrast = contrastWith(blindness, colours[128], small);
        assert.ok(contrast > 1.29, `${sign}: ${contrast}`);
      }
    });

    test(`with ${blindness} more and less stay apart in the ${theme} scale of differences`, () => {
      for (let code = 144; code < STEPS; code += 1) {
        const [more, less] = [code, 255 - code].map((at) => seenWith(blindness, colours[at]));
        const apart = distance(more, less);
        assert.ok(apart > 0.03, `${code}: ${apart}`);
        assert.ok(more[axis] > 0 && less[axis] < 0, "one arm looks warm, the other cold");
      }
      const ends = [0, 255].map((at) => seenWith(blindness, colours[at]));
      assert.ok(distance(...ends) > 0.12, `${distance(...ends)}`);
    });
  }
}

test("a faded colour is near the ground it is on, in either theme", () => {
  assert.equal(faded("rgb(100, 0, 200)", "rgb(255, 255, 255)"), "rgb(209, 179, 239)");
  assert.equal(faded("rgb(200, 220, 240)", "rgb(0, 0, 0)"), "rgb(60, 66, 72)");
  assert.equal(faded("rgb(9, 9, 9)", "rgb(9, 9, 9)"), "rgb(9, 9, 9)");
});
