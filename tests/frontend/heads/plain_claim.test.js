// One plain sentence on a head, with both numbers: its strongest role, else what comes next to one, and never more.

import assert from "node:assert/strict";
import { test } from "node:test";

import { plainClaim } from "../../../frontend/heads/plain_claim.js";
import { restingAtlas, smallAtlas } from "../small_atlas.js";

const spaced = (claim) => claim && { ...claim, text: claim.text.replaceAll("\u00a0", " ") };
const said = (record, layer, head) => spaced(plainClaim(record, { layer, head }));

test("a role that was won from a rule says how many cases are right, and how many by the rule", () => {
  const record = smallAtlas();
  record.roles[1].claim = "objects → their verb";
  assert.deepEqual(said(record, 1, 1), {
    text: "L1 H1 connects objects to their verb: 60 % of 100 cases; the best rule that does not read gets 40 %.",
    numbers: [{ label: "this head", part: 0.6 }, { label: "the best rule that does not read", part: 0.4, term: "rule" }],
  });
});

test("a role by its share of attention is compared with uniform attention", () => {
  const { text, numbers } = said(restingAtlas(), 0, 2);
  assert.equal(text, "L0 H2 attends from tokens to the first token: 95 % of its attention in 100 cases; uniform attention gets 5 %.");
  assert.deepEqual(numbers.map(({ label }) => label), ["this head", "uniform attention"]);
});

test("without a baseline there is one number, and a claim that is no link keeps its words", () => {
  const record = smallAtlas();
  record.roles[0].heads[1].baseline = null;
  assert.deepEqual(said(record, 0, 1), {
    text: "L0 H1, p: 60 % of its attention in 100 cases.",
    numbers: [{ label: "this head", part: 0.6 }],
  });
});

test("a head without a role has its usual choice, else the claim nearest to a role, which is said to be none", () => {
  const record = smallAtlas();
  const usual = "L0 H0 usually attends from function words to the next content word: 61 % of 9,876 choices; uniform attention gets 12 %.";
  assert.equal(said(record, 0, 0).text, usual);
  const fallen = said({ ...record, behaviours: [] }, 0, 0);
  assert.equal(
    fallen.text,
    "L0 H0 connects determiners to their noun: 72 % of 1,234 cases; the best rule that does not read gets 61 %, so this proves no role.",
  );
  assert.deepEqual(fallen.numbers.map(({ part }) => part), [0.72, 0.61]);
  assert.equal(said({ ...record, behaviours: [], not_above: [] }, 0, 0), null);
});
