// The small maps of the grid: the quick way gives what the sheet of a head gives.

import assert from "node:assert/strict";
import { test } from "node:test";

import { differenceCodes, differenceWeights, gridCodes, gridRow } from "../../../frontend/maps/grid_codes.js";
import { largestRows } from "../../../frontend/maps/largest_rows.js";
import { sourceOfFrame } from "../../../frontend/maps/map_lines.js";
import { pairSheet } from "../../../frontend/maps/pair_sheet.js";
import { makeSheet } from "../../../frontend/maps/sheet.js";
import { scaleEnd } from "../../../frontend/maps/sinks.js";
import { headValues } from "../../../frontend/requests/wire.js";
import { generator } from "../random.js";
import { randomFrame, randomTokens, treatment } from "../random_map.js";

const SCALES = ["linear", "sqrt", "log", "rank"];
const both = (tokens) => ({ queries: tokens, keys: tokens });
/** A map without the tokens behind its rows. */
const bare = ({ codes, rows, cols }) => ({ codes, rows, cols });
const small = ({ codes, queries, keys }) => ({ codes, rows: queries.labels.length, cols: keys.labels.length });

function randomTreatment(random) {
  const [scale, range] = [random.pick(SCALES), random.pick(["fixed", "head"])];
  const hide = random.pick(["none", "none", "special", "first", "both"]);
  const sinks = random.pick(["dim", "show"]);
  return treatment({ scale, range, sinks, hide, renormalise: random.below(2) === 0, words: random.below(2) === 0 });
}

/** The treatment with the scale that the heads of a frame share. */
function shared(chosen, frame, tokens) {
  return { ...chosen, top: scaleEnd(largestRows(frame, chosen, tokens).all) };
}

test("a head of the grid has the codes of its sheet, whatever the treatment, pooled or not", () => {
  const random = generator(101);
  for (let round = 0; round < 150; round += 1) {
    const n = 3 + random.below(14);
    const frame = randomFrame(n, 2, random, { block: 1 + random.below(2), causal: random.below(2) === 0 });
    const tokens = both(randomTokens(n, random));
    const chosen = shared(randomTreatment(random), frame, tokens);
    const sheet = makeSheet(sourceOfFrame(frame, 1, tokens), chosen);
    assert.deepEqual(bare(gridCodes(frame, 1, chosen, tokens)), small(sheet), JSON.stringify(chosen));
  }
});

test("the row of a token is that of its map, coloured as the whole map unless each map has its own range", () => {
  const random = generator(105);
  for (let round = 0; round < 150; round += 1) {
    const n = 3 + random.below(14);
    const frame = randomFrame(n, 2, random, { block: 1 + random.below(2), causal: random.below(2) === 0 });
    const tokens = both(randomTokens(n, random));
    const chosen = shared({ ...randomTreatment(random), scale: random.pick(["linear", "sqrt", "log"]), range: "fixed" }, frame, tokens);
    const sheet = makeSheet(sourceOfFrame(frame, 1, tokens), chosen);
    const query = random.below(n);
    const row = sheet.queries.groups.findIndex((group) => group.includes(query));
    const cols = sheet.keys.labels.length;
    const expected = row < 0 ? null : { codes: sheet.codes.slice(row * cols, (row + 1) * cols), rows: 1, cols };
    assert.deepEqual(gridRow(frame, 1, chosen, tokens, query), expected, JSON.stringify(chosen));
  }
  const frame = randomFrame(4, 1, random);
  assert.equal(gridRow(frame, 0, treatment(), both(randomTokens(4, random)), 9), null, "this attention has no such query");
});

test("by default the server's codes are used as they are, without a copy", () => {
  const random = generator(102);
  const frame = randomFrame(9, 3, random);
  const { codes, rows, cols } = gridCodes(frame, 2, treatment(), both(randomTokens(9, random)));
  assert.deepEqual([rows, cols], [9, 9]);
  assert.equal(codes.buffer, frame.values.buffer);
  assert.deepEqual(codes, headValues(frame, 2));
});

test("a head without any weight has the lowest colour on every scale", () => {
  const random = generator(103);
  const frame = { ...randomFrame(4, 1, random), values: new Uint8Array(16) };
  for (const scale of SCALES) {
    const { codes } = gridCodes(frame, 0, treatment({ scale, range: "head" }), both(randomTokens(4, random)));
    assert.ok(codes.every((code) => code === 0));
  }
});

test("a difference of the grid has the codes of the pair's sheet, of the same tokens and of units", () => {
  const random = generator(104);
  for (let round = 0; round < 80; round += 1) {
    const n = 4 + random.below(10);
    const more = random.below(2) * random.below(3);
    const [one, other] = [randomFrame(n, 2, random), randomFrame(n + more, 2, random)];
    const [tokens, others] = [both(randomTokens(n, random)), both(randomTokens(n + more, random))];
    const matched = tokens.queries.map(({ index, text }) => ({ one: [index], other: [index], text, other_text: text }));
    const units = more > 0 || random.below(2) === 0 ? matched : null;
    const chosen = randomTreatment(random);
    const sources = [sourceOfFrame(one, 0, tokens), sourceOfFrame(other, 1, others)];
    const sheet = pairSheet("difference", ...sources, units, chosen);
    assert.deepEqual(bare(differenceCodes(...sources, units, chosen, sheet.top)), small(sheet));
  }
});

test("with a top of its own, that difference has the last colour, and no other scale counts", () => {
  const random = generator(106);
  const tokens = both(randomTokens(6, random));
  const sources = [0, 1].map((head) => sourceOfFrame(randomFrame(6, 2, random), head, tokens));
  const { weights } = differenceWeights(...sources, null, treatment());
  const top = Math.max(...weights.map(Math.abs));
  const { codes } = differenceCodes(...sources, null, treatment({ scale: "linear", range: "fixed" }), top);
  codes.forEach((code, at) => assert.ok(Math.abs(code - (127.5 + (127.5 * weights[at]) / top)) <= 1));
  assert.ok(codes.includes(0) || codes.includes(255));
});

test("a pooled difference paints the tokens of a block once, and no colour is lost or new", () => {
  const random = generator(105);
  for (let round = 0; round < 40; round += 1) {
    const [n, block] = [20 + random.below(20), 2 + random.below(3)];
    const [one, other] = [randomFrame(n, 1, random, { block }), randomFrame(n + 1, 1, random, { block })];
    const [tokens, others] = [both(randomTokens(n, random)), both(randomTokens(n + 1, random))];
    const added = random.below(n);
    const units = tokens.queries.map(({ index, text }) => ({ one: [index], other: [index + (index < added ? 0 : 1)], text, other_text: text }));
    const chosen = treatment({ scale: random.pick(["linear", "sqrt", "log"]), range: random.pick(["fixed", "head"]) });
    const sources = [sourceOfFrame(one, 0, tokens), sourceOfFrame(other, 0, others)];
    const found = differenceCodes(...sources, units, chosen);
    const whole = pairSheet("difference", ...sources, units, chosen);
    assert.deepEqual(new Set(found.codes), new Set(whole.codes));
    const blocks = Math.ceil(n / block);
    assert.ok(found.rows >= blocks && found.rows <= 2 * blocks + 1, `${found.rows} rows of ${n} tokens in ${blocks} blocks`);
    assert.equal(found.rows, found.cols);
  }
});
