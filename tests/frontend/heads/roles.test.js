// Who has which role and whom a menu entry shows: careful words, nothing invented where nothing is proven.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  atlasOnScreen,
  atlasProblem,
  groupsOf,
  headsOfRoles,
  onlyRests,
  roleCountWords,
  roleStrength,
  rolesByHead,
} from "../../../frontend/heads/roles.js";
import { restingAtlas, smallAtlas, withAtlas } from "../small_atlas.js";

const record = smallAtlas();
const stateOf = (more = {}) => ({
  ...withAtlas(record),
  model: "both",
  analysis: null,
  metrics_catalogue: { metrics: [], shapes: [] },
  color_by: "map",
  show: "all",
  ...more,
});

test("the record of another model than the one on screen is no record of it", () => {
  assert.equal(atlasOnScreen(stateOf()), record);
  assert.equal(atlasOnScreen(stateOf({ model: "single" })), null);
  const older = stateOf({ model: "single", analysis: { model: "both", n_heads: 3 } });
  assert.equal(atlasOnScreen(older), record, "the older model's heads are still on screen");
  const problem = { code: "no_atlas", message: "Build one.", details: null };
  assert.equal(atlasProblem(stateOf(withAtlas(null, problem))), problem);
  assert.equal(atlasOnScreen(stateOf({ answers: new Map() })), null);
});

test("a role is as strong as its lower end is above the baseline, of what is possible; without one of them nothing is known", () => {
  assert.ok(Math.abs(roleStrength({ low: 0.7, baseline: 0.4 }) - 0.5) < 1e-9);
  assert.ok(roleStrength({ low: 0.6, baseline: 0.05 }) > roleStrength({ low: 0.7, baseline: 0.5 }));
  for (const unknown of [{ low: null, baseline: 0.1 }, { low: 0.9, baseline: null }, { low: 1, baseline: 1 }]) {
    assert.equal(roleStrength(unknown), null);
  }
});

test("a role without an interval or a baseline comes after those with both, and where a head rests comes last", () => {
  const ids = (changed) => {
    const roles = restingAtlas().roles.map((role) => ({ ...role, heads: role.heads.map((head) => ({ ...head, ...changed[role.id] })) }));
    const found = rolesByHead({ ...restingAtlas(), roles });
    return ["1.1", "1.2"].map((name) => found.get(name).map(({ role }) => role.id));
  };
  assert.deepEqual(ids({}), [["obj:dependent", "sink64"], ["previous", "obj:head", "obj:dependent"]]);
  assert.deepEqual(ids({ previous: { baseline: null } })[1], ["obj:head", "obj:dependent", "previous"]);
  assert.deepEqual(ids({ previous: { low: null }, "obj:head": { low: null } })[1], ["obj:dependent", "obj:head", "previous"]);
});

test("a head only rests if it has roles and all of them are idle", () => {
  const found = rolesByHead(restingAtlas());
  assert.equal(onlyRests(found.get("0.2")), true);
  assert.equal(onlyRests(found.get("1.1")), false);
  assert.equal(onlyRests([]), false);
});

test("a head's roles come by strength, and each group is named once", () => {
  const roles = rolesByHead(record).get("1.2");
  assert.deepEqual(
    roles.map(({ role }) => role.id),
    ["previous", "obj:head", "obj:dependent"],
  );
  assert.deepEqual(
    groupsOf(roles).map(({ group }) => group.letter),
    ["L", "S"],
  );
  assert.equal(rolesByHead(record).get("0.0"), undefined);
});

test("a group, a role and a question show exactly the heads that were proven", () => {
  const shown = (show) => headsOfRoles(stateOf({ show }));
  assert.equal(shown("all"), null);
  assert.deepEqual([...shown("group:syntax").strengths.keys()].sort(), ["1.1", "1.2"]);
  assert.deepEqual([...shown("role:obj:head").strengths.keys()], ["1.2"]);
  assert.deepEqual([...shown("role:obj:head").roles], ["obj:head"]);
  assert.match(shown("role:obj:head").text, /^Verbs: 1 of 6 heads\. Best: L1 H2, 0\.8 of 100/);
  assert.match(shown("spec:verb-object").text, /^Which heads link a verb and its object\? 2 of 6 heads\. Best: L1 H2/);
  assert.ok(Math.abs(shown("spec:verb-object").strengths.get("1.2") - 0.4) < 1e-9, "the larger of two lifts");
  for (const gone of ["role:gone", "group:gone", "spec:gone", "gone"]) assert.equal(shown(gone), null, gone);
});

test("a question that no head answers says so and names the best with its numbers", () => {
  const asked = headsOfRoles(stateOf({ show: "spec:pronoun resolution, coreference" }));
  assert.equal(asked.strengths.size, 0);
  assert.match(asked.text, /name\? No head of this model does this well enough for a role: the best, L1 H1, 70\u00a0% of 100 on GAP/);
  assert.match(headsOfRoles(stateOf({ show: "spec:cause" })).text, /none could be measured/);
});

test("how many heads have a role is said with and without those that rest", () => {
  assert.equal(roleCountWords(record), "3 of 6 heads have a role, 3 not counting sinks and delimiters");
  const counts = { heads: 16, with_role: 1, beyond_idle: 0, groups: { sink: 1 } };
  assert.equal(roleCountWords({ counts }), "1 of 16 heads has a role, 0 not counting sinks and delimiters");
});
