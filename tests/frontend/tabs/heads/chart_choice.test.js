// Charts of heads: what can be chosen, what gives way, what the server is asked, and the table beside them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { chartOptions, chartProblem, figure, figureQuestion, shownChart } from "../../../../frontend/tabs/heads/chart_choice.js";
import { columnsOf, headRows, orderedRows } from "../../../../frontend/tabs/heads/head_rows.js";
import { valueText } from "../../../../frontend/heads/measures.js";
import { questionKey } from "../../../../frontend/state/selectors.js";
import { onSide } from "../../../../frontend/state/sides.js";
import { initialState } from "../../../../frontend/state/state.js";
import { views } from "../../small_answer.js";
import { withAtlas } from "../../small_atlas.js";

const metric = (name, kind = "number") => ({ name, label: name, unit: "", range: [0, 1], meaning: name, kind });
const measure = (values) => ({
  label: "corpus",
  meaning: "",
  unit: "",
  n: 9,
  baseline: null,
  values,
  low: null,
  high: null,
});
const holder = (layer, head, lift) => ({ layer, head, value: 1, lift, evidence: "" });
const record = {
  model: { id: "m", n_layers: 2, n_heads: 2 },
  measures: { entropy: measure([1, 2, 3, 4]), gap: measure([4, 3, 2, 1]) },
  groups: [
    { id: "syntax", label: "Syntax", letter: "S" },
    { id: "copy", label: "Copy", letter: "C" },
  ],
  roles: [
    { id: "induction", group: "copy", label: "induction", heads: [holder(0, 0, 0.4)] },
    { id: "obj", group: "syntax", label: "objects", heads: [holder(1, 0, 0.2), holder(0, 1, 0.3)] },
  ],
};
const question = { model: "m", text: "words" };
const raw = (distance, entropy) => ({
  raw: { distance, entropy, shape: ["block", "vertical"] },
  weighted: null,
  labels: [],
});
const chart = { kind: "scatter", x: "distance", y: "entropy", color: "role", source: "sentence" };
const problem = { code: "no_atlas", message: "build one", details: {} };
const analysis = {
  ...{ model: "m", question: questionKey(question), value_weights: true, n_layers: 2, n_heads: 2, opportunities: {} },
  measures: new Map([
    [0, raw([1, null], [0.5, 0.25])],
    [1, raw([0, 3], [0.75, 0.25])],
  ]),
};

/** A state with both an analysis and a record of the corpus; `a` are changes of its side a. */
function state({ a = {}, known = withAtlas(record, null, "m"), ...changes } = {}) {
  const first = initialState(views);
  const side = { ...first.sides.a, model: "m", text: "words", run: { phase: "done" }, analysis, ...a };
  return {
    ...first,
    ...known,
    sides: { a: side, b: null },
    connection: "open",
    metrics_catalogue: {
      metrics: [metric("distance"), metric("entropy"), metric("shape", "class")],
      shapes: ["vertical", "block"],
    },
    chart,
    ...changes,
  };
}
const seen = (changes) => onSide(state(changes), "a");
const unmeasured = { known: withAtlas(null, problem, "m") };
const valuesOf = (options) => options.map(({ value }) => value).join(" ");

test("axes take numbers, colours take classes too, roles only where a corpus was read", () => {
  assert.equal(valuesOf(chartOptions(seen()).axis), "distance entropy layer");
  assert.equal(valuesOf(chartOptions(seen()).color), "role layer distance entropy shape");
  assert.equal(valuesOf(chartOptions(seen(unmeasured)).color), "layer distance entropy shape");
  assert.equal(valuesOf(chartOptions(seen({ chart: { ...chart, kind: "layers" } })).color), "role distance entropy");
  assert.equal(valuesOf(chartOptions(seen({ chart: { ...chart, source: "corpus" } })).axis), "entropy gap layer");
});

test("what a source lacks gives way to what it has, what it has stays", () => {
  assert.deepEqual(shownChart(seen()), chart);
  const corpus = { ...chart, source: "corpus" };
  assert.deepEqual(shownChart(seen({ chart: corpus })), { ...corpus, x: "entropy" });
  assert.equal(shownChart(seen(unmeasured)).color, "layer");
});

test("without an atlas the parts that need one say so and ask nothing; the others are drawn", () => {
  assert.equal(chartProblem(seen({ ...unmeasured, chart: { ...chart, kind: "map" } })), problem);
  assert.equal(chartProblem(seen({ ...unmeasured, chart: { ...chart, source: "corpus" } })), problem);
  assert.equal(figureQuestion(state({ ...unmeasured, chart: { ...chart, kind: "map" } })), null);
  assert.deepEqual(figureQuestion(state(unmeasured)), {
    ...{ kind: "scatter", ...question, source: "sentence", weighted: false },
    ...{ x: "distance", y: "entropy", color: "layer", edition: 0 },
  });
});

test("a chart of the sentence waits for its run, one of the corpus or of roles does not", () => {
  const running = { a: { run: { phase: "streaming" } } };
  assert.equal(figureQuestion(state(running)), null);
  assert.equal(figureQuestion(state({ a: { text: "other words" } })), null, "the answer on screen is of an older text");
  const ofCorpus = figureQuestion(
    state({ ...running, chart: { ...chart, kind: "map", color: "gap", source: "corpus" } }),
  );
  assert.deepEqual(ofCorpus, { kind: "map", model: "m", source: "corpus", color: "gap", edition: 0 });
  const ofRoles = figureQuestion(state({ ...running, chart: { ...chart, kind: "layers" } }));
  assert.deepEqual(ofRoles, { kind: "layers", model: "m", source: "corpus", y: "role", edition: 0 });
});

test("a chart is of value-weighted maps when these are chosen, and not asked for where the model has none", () => {
  const weighted = (values, changes = {}) => figureQuestion(state({ values, ...changes }))?.weighted;
  assert.equal(weighted("weighted"), true);
  for (const values of ["raw", "both"]) assert.equal(weighted(values), false);
  const without = { a: { analysis: { ...analysis, value_weights: false } } };
  assert.equal(weighted("weighted", without), undefined, "raw numbers under a value-weighted heading would be wrong");
  assert.equal(weighted("raw", without), false);
});

test("the table of a value-weighted view waits for its numbers", () => {
  const columns = columnsOf(seen({ values: "weighted" }));
  const rows = headRows(seen({ values: "weighted" }), columns);
  for (const { values } of rows) assert.deepEqual(values, [null, null]);
  for (const { quantity } of columns) assert.equal(valueText(quantity, null), "…");
});

test("charts of the corpus are there for an empty text too, charts of a sentence are not", () => {
  assert.equal(figureQuestion(state({ a: { text: "" } })), null);
  assert.notEqual(figureQuestion(state({ a: { text: "" }, chart: { ...chart, source: "corpus" } })), null);
});

test("nothing is asked before it is known whether there is an atlas", () => {
  assert.equal(figureQuestion(state({ known: { answers: new Map() } })), null);
});

test("the question is the same object while nothing changes, and another one when more was measured", () => {
  const store = state();
  const asked = figureQuestion(store);
  assert.equal(figureQuestion({ ...store, cursor: { side: "a", stack: 0, layer: 0, head: 0 } }), asked);
  assert.equal(figureQuestion({ ...store, build: { ...store.build, edition: 1 } }).edition, 1);
  assert.deepEqual(figure.body(asked).edition, undefined, "the server knows of no editions");
});

test("the table has every head once, with null and zero told apart", () => {
  const columns = columnsOf(seen());
  assert.deepEqual(
    columns.map(({ name }) => name),
    ["distance", "entropy"],
  );
  const rows = headRows(seen(), columns);
  assert.deepEqual(
    rows.map(({ layer, head, values }) => [layer, head, ...values]),
    [
      [0, 0, 1, 0.5],
      [0, 1, null, 0.25],
      [1, 0, 0, 0.75],
      [1, 1, 3, 0.25],
    ],
  );
});

test("rows sort both ways with undefined values last, equal ones in the model's order", () => {
  const columns = columnsOf(seen());
  const rows = headRows(seen(), columns);
  const sorted = (by, falling) =>
    orderedRows(rows, columns, { by, falling }).map(({ layer, head }) => `${layer}.${head}`);
  assert.deepEqual(sorted("distance", true), ["1.1", "0.0", "1.0", "0.1"]);
  assert.deepEqual(sorted("distance", false), ["1.0", "0.0", "1.1", "0.1"]);
  assert.deepEqual(sorted("entropy", false), ["0.1", "1.1", "0.0", "1.0"]);
  assert.deepEqual(sorted("roles", false), ["0.1", "1.0", "0.0", "1.1"], "groups in order, then the larger lift");
  assert.deepEqual(sorted("head", true), ["1.1", "1.0", "0.1", "0.0"]);
  assert.deepEqual(sorted("gone", true), ["0.0", "0.1", "1.0", "1.1"], "a column that is not there sorts nothing");
});
