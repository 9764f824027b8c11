// Sinks: which columns they are, how the scale adapts to what is left, and the share they take.

import assert from "node:assert/strict";
import { test } from "node:test";

import { linksOf } from "../../../frontend/views/arcs.js";
import { shownScale } from "../../../frontend/heads/grid_side.js";
import { linesOf } from "../../../frontend/maps/drawn_links.js";
import { gridTop, sidePainting } from "../../../frontend/maps/grid_painter.js";
import { drawingOf } from "../../../frontend/maps/map_drawing.js";
import { scaleWords } from "../../../frontend/maps/scales.js";
import { sharedTop } from "../../../frontend/maps/shared_top.js";
import { sinkShare } from "../../../frontend/maps/sink_share.js";
import { largestApart, scaleEnd, sinkColumns } from "../../../frontend/maps/sinks.js";
import { sheetOf } from "../../../frontend/maps/sources.js";
import { oneHead } from "../../../frontend/state/pins.js";
import { shareWords } from "../../../frontend/views/grid/sink_switch.js";
import { theme } from "../exported_view.js";
import { generator } from "../random.js";
import { answer, overview, ready, start } from "../small_answer.js";

const N = 5;
/** The last token is a special one. */
const isSinkAt = (col) => col === 0 || col === N - 1;
const pin = { ...oneHead({ layer: 1, head: 2 }), mode: "heatmap" };

/** A page on which sinks get much and other tokens little, other codes for every head. */
function shown(look = {}) {
  const store = ready();
  answer(store, start(N));
  store.state.sides.a.analysis.tokens[N - 1].kind = "special";
  const random = generator(5);
  const frames = [0, 1].map((layer) => {
    const frame = overview(layer, N);
    return { ...frame, values: frame.values.map((_, at) => (isSinkAt(at % N) ? 150 + random.below(100) : random.below(120))) };
  });
  for (const frame of frames) store.actions.sides.a.receive(frame);
  store.actions.setView(look);
  return { store, frames };
}

const weightsOf = (frames) => frames.flatMap(({ values }) => [...values].map((code) => (code / 255) ** 2));
const largest = (weights, keep = () => true) => Math.max(...weights.filter((_, at) => !isSinkAt(at % N) && keep(at)));
const up = (weight) => Math.ceil(100 * weight) / 100;

test("special tokens and the first one are sinks, also in a block or word with others", () => {
  const tokens = [{ kind: "word_start" }, { kind: "word_start" }, { kind: "special" }];
  assert.deepEqual([...sinkColumns(tokens, [[0], [1], [2]])], [1, 0, 1]);
  assert.deepEqual([...sinkColumns(tokens, [[0, 1], [2]])], [1, 1]);
});

test("the largest weight counts by its size and leaves sinks out; a scale ends at hundredths", () => {
  assert.equal(largestApart([0.9, 0.2, 0.8, -0.4], Uint8Array.of(1, 0)), 0.4);
  assert.deepEqual([0.671, 0.68, 0.003, 1, 0].map(scaleEnd), [0.68, 0.68, 0.01, 1, 1]);
});

test("all heads share a scale up to the largest weight apart from sinks, in rows up to that of the token's rows", () => {
  const { store, frames } = shown();
  const weights = weightsOf(frames);
  assert.equal(sharedTop(store.state), up(largest(weights)));
  assert.equal(gridTop(store.state), sharedTop(store.state));
  for (const query of [1, 3]) {
    store.actions.hover({ side: "a", queries: [query], keys: [] });
    assert.equal(gridTop(store.state), up(largest(weights, (at) => Math.floor(at / N) % N === query)));
    assert.equal(sharedTop(store.state), up(largest(weights)), "large maps keep theirs");
  }
  store.actions.hover(null);
  store.actions.setView({ sinks: "show" });
  assert.equal(gridTop(store.state), 1);
});

test("tiles have their largest weight in the last colour and sinks in the dimmed ones", () => {
  const { store, frames } = shown();
  const painting = sidePainting(store.state, { side: "a", stack: 0 }, theme);
  assert.deepEqual([...painting.dimmed.cols], [1, 0, 0, 0, 1]);
  assert.equal(painting.dimmed.table, theme.scale.dimmed.table);
  const codes = frames.flatMap((frame) => [0, 1, 2].flatMap((head) => [...painting.mapOf(frame, head).codes]));
  assert.ok(largest(codes) >= 250 && Math.max(...frames.flatMap(({ values }) => [...values].filter((_, at) => !isSinkAt(at % N)))) < 120);
  store.actions.setView({ sinks: "show" });
  const plain = sidePainting(store.state, { side: "a", stack: 0 }, theme);
  assert.equal(plain.dimmed, null);
  assert.deepEqual(plain.mapOf(frames[0], 0).codes, frames[0].values.subarray(0, N * N));
});

test("large maps share the scale of all heads; dimming changes no weight", () => {
  const { store } = shown();
  const dimmed = sheetOf(store.state, pin, "raw");
  assert.equal(dimmed.top, sharedTop(store.state));
  assert.deepEqual([...drawingOf(store.state, pin, dimmed, 0, theme).dimmed.cols], [1, 0, 0, 0, 1]);
  store.actions.setView({ sinks: "show" });
  const plain = sheetOf(store.state, pin, "raw");
  assert.deepEqual(plain.weights, dimmed.weights);
  assert.equal(plain.top, 1);
  assert.equal(drawingOf(store.state, pin, plain, 0, theme).dimmed, null);
  store.actions.setView({ sinks: "dim", range: "head" });
  const own = sheetOf(store.state, pin, "raw");
  assert.equal(own.top, largest([...own.weights]));
});

test("lines to sinks do not displace the others: each kind is chosen by its own mass", () => {
  const { store } = shown();
  const links = (sinks) => {
    store.actions.setView({ sinks });
    return linesOf(drawingOf(store.state, pin, sheetOf(store.state, pin, "raw"), 0, theme), 50);
  };
  const toWords = (list) => list.filter(({ key }) => !isSinkAt(key)).length;
  assert.equal(toWords(links("show")), 0, "sinks have more than half of each row");
  assert.ok(toWords(links("dim")) >= N);
});

test("arcs to sinks are dimmed unless the sink was asked for", () => {
  const { store } = shown();
  store.actions.pin(oneHead({ layer: 1, head: 2 }));
  const dims = (focus) => {
    store.actions.hover({ side: "a", queries: [2], ...focus });
    return Object.fromEntries(linksOf(store.state, "a").map(({ to, isDim }) => [to, isDim]));
  };
  const all = dims({ keys: [] });
  assert.deepEqual([all[0], all[N - 1], all[1] ?? false], [true, true, false]);
  assert.deepEqual(dims({ keys: [0] }), { 0: false });
});

test("where one link is shown its scale adapts, for a link to a sink it is the whole one", () => {
  const { store, frames } = shown();
  const scaleOf = (keys) => {
    store.actions.setView({ lock: { side: "a", queries: [2], keys } });
    return shownScale(store.state);
  };
  const weights = weightsOf(frames).filter((_, at) => at % N === 1 && Math.floor(at / N) % N === 2);
  assert.equal(scaleOf([1]).top, up(Math.max(...weights)));
  const toSink = scaleOf([0]);
  assert.equal(toSink.top, 1);
  assert.equal(scaleWords(toSink, false, toSink.top), "attention weight, square-root scale, fixed 0 to 1");
});

test("the share of sinks is the mean over heads and queries, in rows that of the token's rows", () => {
  const { store, frames } = shown();
  const weights = weightsOf(frames);
  const shares = Array.from({ length: weights.length / N }, (_, line) => {
    const row = weights.slice(line * N, (line + 1) * N);
    return (row[0] + row[N - 1]) / row.reduce((sum, weight) => sum + weight, 0);
  });
  const mean = (list) => list.reduce((sum, share) => sum + share, 0) / list.length;
  const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-9, `${found} ${expected}`);
  near(sinkShare(store.state, "a", false), mean(shares));
  const percent = (part) => `${Math.round(100 * part)} %`;
  assert.equal(shareWords(store.state), ` dimmed · over all heads they take ${percent(mean(shares))} of the attention`);
  store.actions.hover({ side: "a", queries: [3], keys: [] });
  const rows = mean(shares.filter((_, line) => line % N === 3));
  near(sinkShare(store.state, "a", true), rows);
  store.actions.setView({ sinks: "show" });
  assert.equal(shareWords(store.state), ` not dimmed · over all heads they take ${percent(rows)} of the attention of “t3”`);
  store.actions.setView({ hide: "both" });
  near(sinkShare(store.state, "a", true), rows);
  assert.match(shareWords(store.state), /^ hidden/);
});

test("of a long text the server's measures say the share, until the exact rows of a token are here", () => {
  const store = ready();
  answer(store, start(6));
  for (const layer of [0, 1]) {
    store.actions.sides.a.receive(overview(layer, 6, { rows: 3, cols: 3, pooled: true }));
    store.actions.sides.a.receiveMeasures({ layer, raw: { first: [0.2, 0.4, 0.6], special: [null, null, null] }, weighted: null, labels: [] });
  }
  assert.match(shareWords(store.state), /over all heads they take 40 % of the attention$/);
  store.actions.hover({ side: "a", queries: [3], keys: [] });
  assert.equal(sinkShare(store.state, "a", true), null);
  assert.match(shareWords(store.state), /over all heads they take 40 % of the attention$/);
  assert.deepEqual([...sidePainting(store.state, { side: "a", stack: 0 }, theme).dimmed.cols], [1, 0, 0], "the block of the first token");
});
