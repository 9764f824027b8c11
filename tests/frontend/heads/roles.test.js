// Who has which role and whom a menu entry shows: careful words, nothing invented where nothing is proven.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atlasOnScreen, atlasProblem, groupsOf, headsOfRoles, roleCountWords, rolesByHead } from "../../../frontend/heads/roles.js";
import { headFacts } from "../../../frontend/views/grid/grid_tip.js";
import { colourMenu, showMenu } from "../../../frontend/views/grid/grid_tools.js";
import { smallAtlas } from "../small_atlas.js";

const record = smallAtlas();
const stateOf = (more = {}) => ({
  model: "both",
  analysis: null,
  atlas: { model: "both", record, problem: null },
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
  assert.equal(atlasProblem(stateOf({ atlas: { model: "both", record: null, problem } })), problem);
  assert.equal(atlasOnScreen(stateOf({ atlas: null })), null);
});

test("a head's roles come group by group, the largest lift first, and each group is named once", () => {
  const roles = rolesByHead(record).get("1.2");
  assert.deepEqual(
    roles.map(({ role }) => role.id),
    ["obj:head", "obj:dependent", "previous"],
  );
  assert.deepEqual(
    groupsOf(roles).map(({ group }) => group.letter),
    ["S", "L"],
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
  assert.match(asked.text, /name\? No head of this model passed: the best, L1 H1, 70\u00a0% of 100 on GAP/);
  assert.match(headsOfRoles(stateOf({ show: "spec:cause" })).text, /none could be measured/);
});

test("how many heads have a role is said with and without those that rest", () => {
  assert.equal(roleCountWords(record), "3 of 6 heads have a role, 3 without sinks and delimiters");
  const counts = { heads: 16, with_role: 1, beyond_idle: 0, groups: { sink: 1 } };
  assert.equal(roleCountWords({ counts }), "1 of 16 heads has a role, 0 without sinks and delimiters");
  const groups = showMenu(stateOf()).find(({ label }) => label === "Groups of roles");
  assert.deepEqual(groups.options.map(({ text }) => text), ["Syntax (2)", "Local context (2)"]);
});

test("menus hold what the server describes and nothing else", () => {
  const metrics = [{ name: "made_up", label: "made up", meaning: "m", range: [0, 1], kind: "number", unit: "" }];
  const state = stateOf({ metrics_catalogue: { metrics, shapes: [] } });
  const values = (parts) => parts.flatMap(({ options }) => options.map(({ value }) => value));
  assert.deepEqual(values(colourMenu(state)), ["map", "role", "made_up", "corpus:entropy", "corpus:gap"]);
  assert.deepEqual(values(showMenu(state)), [
    "all",
    ...["spec:verb-object", "spec:pronoun resolution, coreference", "spec:cause"],
    ...["group:syntax", "group:local"],
    ...["role:obj:dependent", "role:obj:head", "role:previous"],
  ]);
  const without = stateOf({ atlas: null });
  assert.deepEqual(values(colourMenu(without)), ["map"]);
  assert.deepEqual(values(showMenu(without)), ["all"]);
});

test("a head without a role is called unassigned, but only where a corpus was measured", () => {
  assert.deepEqual(
    headFacts(stateOf(), { layer: 0, head: 2 }).map(({ text }) => text),
    ["Unassigned: nothing proven on the corpus"],
  );
  assert.deepEqual(
    headFacts(stateOf(), { layer: 0, head: 0 }).map(({ text }) => text),
    ["Usual choice: from function words to the next content word", "Unassigned: no role beyond its usual choice"],
  );
  assert.deepEqual(headFacts(stateOf({ atlas: null }), { layer: 0, head: 0 }), []);
  const [first] = headFacts(stateOf(), { layer: 1, head: 2 });
  assert.deepEqual(first, { text: "Syntax: verbs", evidence: "0.8 of 100 on the test set, baseline 40\u00a0%" });
  const claimed = smallAtlas();
  for (const role of claimed.roles) for (const holder of role.heads) holder.evidence = `${role.claim}: 80 % of 100.`;
  const [again] = headFacts(stateOf({ atlas: { model: "both", record: claimed, problem: null } }), { layer: 1, head: 2 });
  assert.deepEqual(again, { text: "Syntax: verbs", evidence: "80\u00a0% of 100, baseline 40\u00a0%" }, "the claim is not told twice");
});
