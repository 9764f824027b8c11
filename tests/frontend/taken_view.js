// A store that shows what people take away: a made-up answer with exact values for what is pinned, and a theme to draw with.

import { divergingOf, scaleOf } from "../../frontend/maps/color.js";
import { exactKey } from "../../frontend/maps/sources.js";
import { partsOf, readPin } from "../../frontend/state/pins.js";
import { shownMaps } from "../../frontend/export/shown_maps.js";
import { answer, overview, ready, start } from "./small_answer.js";
import { drawingOf, sheetOf } from "./small_sheet.js";

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
export function takenStore(pins, { n = 4, message = {}, look = {}, isExact = true } = {}) {
  const store = ready();
  answer(store, start(n, { revision: "r1", device: "cpu", dtype: "float32", ...message }));
  for (const layer of [0, 1]) store.actions.receive(overview(layer, n));
  store.actions.finish({ total_ms: 1 });
  store.actions.look({ ...look, pins: pins.split(",").filter(Boolean).map(readPin) });
  const { analysis, pins: pinned } = store.state;
  pinned.flatMap(partsOf).forEach((what, seed) => {
    for (const values of isExact ? ["raw", "weighted"] : []) {
      const source = { weights: weightsOf(n, seed + (values === "raw" ? 0 : 50)), exact: true, block: 1, queries: analysis.tokens, keys: analysis.tokens };
      store.actions.receiveExact(analysis, exactKey(what, values), source);
    }
  });
  return store;
}

export const taken = (store) => shownMaps(store.state, theme);
