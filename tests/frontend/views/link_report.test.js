// What the line about an opened link says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { lostWords, reportWords, unknownColour } from "../../../frontend/views/link_report.js";

test("the parts that mean nothing are named; nothing is said of a link that was understood", () => {
  assert.equal(reportWords({ parts: [], isNewer: false }), "");
  const said = "This link has parts that HeadScope does not know: colour, scale=foo. The rest is shown.";
  assert.equal(reportWords({ parts: ["colour", "scale=foo"], isNewer: false }), said);
  assert.match(reportWords({ parts: ["colour"], isNewer: true }), /^This link was made by a newer version of HeadScope\. This link has parts/);
  assert.match(reportWords({ parts: [], isNewer: true }), /newer version/);
});

test("many parts and long ones are cut short", () => {
  const said = reportWords({ parts: [...Array(8).keys()].map((at) => `p${at}${"x".repeat(99)}`), isNewer: false });
  assert.match(said, / and 2 more\. The rest is shown\.$/);
  assert.ok(said.length < 400);
});

test("heads and tokens that the answer does not have are named", () => {
  const [known, gone] = [{ kind: "head", side: "a", stack: 0, layer: 1, head: 2 }, { kind: "head", side: "a", stack: 0, layer: 9, head: 9 }];
  const lock = { side: "a", queries: [99], keys: [98] };
  assert.equal(lostWords({ pins: [known], lock }, { pins: [known], lock }, 100), "");
  const said = (/** @type {number} */ n_tokens) => lostWords({ pins: [known, gone], lock }, { pins: [known], lock: null }, n_tokens);
  assert.equal(said(10), "This model and text do not have all that the link shows: L9 H9; tokens 99, 98.");
  assert.equal(said(99), "This model and text do not have all that the link shows: L9 H9; token 99.", "the other one is there");
});

test("a colour that nothing is called is named, once the metrics are known", () => {
  const metrics_catalogue = { metrics: [{ name: "entropy" }] };
  const said = (/** @type {string} */ color_by) => unknownColour({ color_by, metrics_catalogue });
  for (const known of ["map", "role", "change", "entropy", "corpus:entropy"]) assert.equal(said(known), "");
  assert.equal(said("nonsense"), "Heads cannot be coloured by “nonsense”: HeadScope does not know it.");
  assert.equal(unknownColour({ color_by: "nonsense", metrics_catalogue: null }), "");
});
