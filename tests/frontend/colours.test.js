// The palette of groups and classes: seven tones are too many for everybody to tell apart, so letters and shapes must.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { SYMBOLS } from "../../frontend/tabs/heads/charts.js";
import { BLINDNESS, contrastWith, distance, oklabFromRgb } from "./eyes.js";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const CSS = read("frontend/styles/colours.css");
const EVERY_EYE = Object.keys(BLINDNESS);
const THEMES = ["light", "dark"];

/** Both themes' values of a colour of the palette, as bytes. */
function colour(name) {
  const found = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(CSS);
  assert.ok(found, name);
  const bytes = (hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return { light: bytes(found[1]), dark: bytes(found[2]) };
}

const tones = Array.from({ length: CSS.match(/--tone-\d:/g).length }, (_, at) => colour(`tone-${at + 1}`));

for (const theme of THEMES) {
  test(`the ${theme} tones differ, and the letter on each is read with every kind of colour blindness`, () => {
    tones.forEach((tone, at) => {
      for (const other of tones.slice(at + 1)) {
        assert.ok(distance(oklabFromRgb(...tone[theme]), oklabFromRgb(...other[theme])) > 0.06);
      }
      for (const blindness of EVERY_EYE) {
        const contrast = contrastWith(blindness, tone[theme], colour("on-tone")[theme]);
        assert.ok(contrast >= 4.5, `tone ${at + 1}, ${blindness}: ${contrast}`);
      }
    });
  });

  test(`in the ${theme} theme words, the accent and the other end of a link are read by every eye`, () => {
    for (const blindness of EVERY_EYE) {
      for (const name of ["ink", "muted", "accent", "key", "danger"]) {
        for (const under of ["page", "surface"]) {
          const contrast = contrastWith(blindness, colour(name)[theme], colour(under)[theme]);
          assert.ok(contrast >= 4, `${name} on ${under}, ${blindness}: ${contrast}`);
        }
      }
    }
  });
}

test("in a chart every tone has a shape of its own", () => {
  assert.ok(SYMBOLS.length >= tones.length);
  assert.equal(new Set(SYMBOLS).size, SYMBOLS.length);
});
