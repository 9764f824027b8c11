// Rankings and charts from the server: asked once, aborted when the question changes, late answers dropped.

import assert from "node:assert/strict";
import { test } from "node:test";

import { AskedEdges, edgesQuestion } from "../../../frontend/heads/edges.js";
import { ServerError } from "../../../frontend/requests/api.js";
import { Latest } from "../../../frontend/requests/latest.js";
import { questionKey } from "../../../frontend/state/selectors.js";
import { initialState } from "../../../frontend/state/state.js";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const question = { model: "m", text: "words" };
const analysis = { question: questionKey(question), n_tokens: 9 };
const state = (changes = {}) => ({
  ...initialState(),
  ...{ model: "m", text: "words", tab: "ask", connection: "open" },
  ...{ ask: { queries: [0], keys: [2], side: "keys" }, analysis, run: { phase: "done" } },
  ...changes,
});

function setUp() {
  const [asked, open, received] = [[], [], []];
  const fetchEdges = (wish, signal) => {
    asked.push({ ...wish, signal });
    return new Promise((resolve, reject) => open.push({ resolve, reject }));
  };
  const edges = new AskedEdges({ receiveEdges: (known) => received.push(known) }, fetchEdges);
  return { edges, asked, open, received };
}

test("the question goes along with both sides, token 0 included", () => {
  assert.deepEqual(edgesQuestion(state()), { ...question, queries: [0], keys: [2] });
});

test("what was written on goes along with the question", () => {
  const written = { ...question, continuation: [0] };
  const answered = { ...analysis, question: questionKey(written) };
  assert.deepEqual(edgesQuestion(state({ continuation: [0], analysis: answered })), { ...written, queries: [0], keys: [2] });
  assert.equal(edgesQuestion(state({ continuation: [0] })), null, "the answer on screen is without it");
});

test("nothing is asked while a side is empty, the run goes on, the text is another or the server is away", () => {
  const side = "queries";
  assert.equal(edgesQuestion(state({ ask: { queries: [1], keys: [], side } })), null);
  assert.equal(edgesQuestion(state({ ask: { queries: [], keys: [1], side } })), null);
  assert.equal(edgesQuestion(state({ run: { phase: "streaming" } })), null);
  assert.equal(edgesQuestion(state({ text: "other words" })), null);
  assert.equal(edgesQuestion(state({ connection: "lost" })), null);
  assert.equal(edgesQuestion(state({ analysis: null })), null);
});

test("the same wish is asked once, and only while its tab is open", async () => {
  const { edges, asked, open, received } = setUp();
  const now = state();
  edges.want({ ...now, tab: "pinned" });
  assert.equal(asked.length, 0);
  edges.want(now);
  edges.want({ ...now });
  assert.equal(asked.length, 1);
  open[0].resolve("ranking");
  await settled();
  assert.deepEqual(received, [{ ask: now.ask, answer: "ranking", problem: null }]);
});

test("another question aborts the request before it, whose answer is dropped", async () => {
  const { edges, asked, open, received } = setUp();
  edges.want(state());
  const later = state({ ask: { queries: [0], keys: [3], side: "keys" } });
  edges.want(later);
  assert.equal(asked[0].signal.aborted, true);
  open[0].resolve("old");
  open[1].resolve("new");
  await settled();
  assert.deepEqual(received, [{ ask: later.ask, answer: "new", problem: null }]);
});

test("a new text aborts the request, and the same link of a new answer is asked again", async () => {
  const { edges, asked, open, received } = setUp();
  const now = state();
  edges.want(now);
  edges.want({ ...now, text: "other words" });
  assert.equal(asked[0].signal.aborted, true);
  open[0].reject(new Error("aborted"));
  edges.want({ ...now, analysis: { ...analysis } });
  assert.equal(asked.length, 2);
  await settled();
  assert.deepEqual(received, []);
});

test("a refusal comes as the server words it, silence as such", async () => {
  const problems = [];
  const latest = new Latest();
  const problem = { code: "not_visible", message: "looks only back", details: {} };
  const refuse = (error) => () => Promise.reject(error);
  await latest.want(["a"], refuse(new ServerError(problem)), (known) => problems.push(known.problem));
  await latest.want(["b"], refuse(new TypeError("no network")), (known) => problems.push(known.problem));
  assert.equal(problems[0], problem);
  assert.equal(problems[1].code, "unreachable");
  assert.match(problems[1].message, /no network/);
});
