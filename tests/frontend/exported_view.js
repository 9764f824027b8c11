// A store whose view can be exported: a made-up answer with exact values for what is pinned, and a theme to draw with.

import { divergingOf, scaleOf } from "../../frontend/maps/color.js";
import { exactMaps, mapQuestion } from "../../frontend/maps/exact.js";
import { partsOf, readPin } from "../../frontend/state/pins.js";
import { contentOf } from "../../frontend/export/content.js";
import { shownMaps } from "../../frontend/export/shown_maps.js";
import { answer, overview, ready, start, tell } from "./small_answer.js";
import { drawingOf, measure, sheetOf } from "./small_sheet.js";

const tones = ["#1457c0", "#7a3fd0", "#0b6b77"];
const palette = { ...drawingOf(sheetOf(["a"], ["b"], [1])).palette, tones, on_tone: "#ffffff" };
export const theme = { palette, scale: scaleOf("light"), diverging: divergingOf("light"), outside: 0xff808080 };

/** Rows that sum to one, other ones for every map. */
export function weightsOf(n, seed) {
  const row = (query) => Array.from({ length: n }, (_, key) => 1 + ((query * 7 + key * 3 + seed) % 5));
  return Float32Array.from({ length: n * n }, (_, at) => {
    const numbers = row(Math.floor(at / n));
    return numbers[at % n] / numbers.reduce((sum, number) => sum + number, 0);
  });
}

/** @param {string} pins as a link writes them */
export function exportedStore(pins, { n = 4, text = "first example", continuation = [], message = {}, look = {}, isExact = true } = {}) {
  const store = ready();
  store.actions.chooseExample({ text, text_pair: null });
  store.actions.continueWith(continuation);
  answer(store, start(n, { revision: "r1", device: "cpu", dtype: "float32", ...message }));
  for (const layer of [0, 1]) store.actions.sides.a.receive(overview(layer, n));
  store.actions.sides.a.finish({ total_ms: 1 });
  store.actions.setView({ ...look, pins: pins.split(",").filter(Boolean).map(readPin) });
  const { pins: pinned, sides } = store.state;
  const { analysis } = sides.a;
  pinned.flatMap(partsOf).forEach((what, seed) => {
    for (const values of isExact ? ["raw", "weighted"] : []) {
      const weights = weightsOf(n, seed + (values === "raw" ? 0 : 50));
      tell(store, exactMaps, { weights, exact: true }, mapQuestion(analysis, what, values));
    }
  });
  return store;
}

export const exportedMaps = (store) => shownMaps(store.state, theme);

/** All that is exported of a view, as the dialog gives it to formats. */
export function exportedContent(store, { scope = "pinned", scale = 2, now = new Date("2026-01-05T12:00:00Z") } = {}) {
  const { state, views } = store;
  return contentOf({ state, view: views.write(state), server: "http://127.0.0.1:1/api/v1", now }, theme, { scope, scale }, measure);
}
