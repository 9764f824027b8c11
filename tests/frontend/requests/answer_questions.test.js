// A question to the server: asked once, late answers dropped, answers only to the present question.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerError, answerQuestions } from "../../../frontend/requests/answer_questions.js";
import { keptAnswers, keyOf, resource } from "../../../frontend/requests/resource.js";
import { ready } from "../small_answer.js";

/** A server that answers when the test says so. */
function server() {
  const sent = [];
  const send = (_, question, signal) =>
    new Promise((resolve, reject) => sent.push({ question, signal, answer: resolve, fail: reject }));
  return { sent, send };
}

/** The chosen mass as a question, nothing while it is 0; asked on the first tab alone. */
const massQuestion = ({ mass }) => (mass === 0 ? null : { mass });
const settle = () => new Promise((done) => setTimeout(done));

function setUp(question = massQuestion, options = {}) {
  const store = ready();
  const { sent, send } = server();
  const asked = resource("/mass", question, options);
  answerQuestions(store, [asked], send);
  const move = () => store.actions.hover({ side: "a", queries: [0], keys: [] }) ?? store.actions.hover(null);
  return { store, sent, asked, move, choose: (mass) => store.actions.setView({ mass }) };
}

test("what is asked is asked once, however often the state changes", async () => {
  const { store, sent, asked, move, choose } = setUp();
  choose(1);
  for (let round = 0; round < 3; round += 1) move();
  assert.deepEqual(sent.map(({ question }) => question), [{ mass: 1 }]);
  assert.equal(asked.of(store.state), null);
  sent[0].answer("one");
  await settle();
  const known = asked.of(store.state);
  assert.deepEqual(known, { question: { mass: 1 }, answer: "one", problem: null });
  move();
  assert.equal(sent.length, 1);
  assert.equal(asked.of(store.state), known, "the same object while nothing new is known");
});

test("an answer to what is no longer asked is dropped, and its request is aborted", async () => {
  const { store, sent, asked, choose } = setUp();
  choose(1);
  choose(2);
  assert.deepEqual(sent.map(({ signal }) => signal.aborted), [true, false]);
  sent[0].answer("late");
  sent[1].answer("two");
  await settle();
  assert.equal(asked.of(store.state).answer, "two");
  choose(0);
  assert.equal(asked.of(store.state), null, "nothing is asked now");
  choose(1);
  assert.equal(asked.of(store.state), null, "the late answer was not kept");
});

test("the last answer stays to be shown while the next one is on its way", async () => {
  const { store, sent, asked, choose } = setUp();
  choose(1);
  sent[0].answer("one");
  await settle();
  choose(2);
  assert.equal(asked.of(store.state), null);
  assert.equal(asked.latest(store.state).answer, "one");
  assert.equal(asked.latest(store.state, ({ mass }) => mass === 2), null);
});

test("what failed stays failed while it is asked, and is asked again when it is asked once more", async () => {
  const { store, sent, asked, move, choose } = setUp();
  choose(1);
  sent[0].fail(new ServerError({ code: "out_of_memory", message: "Too long.", details: null }));
  await settle();
  move();
  assert.equal(asked.of(store.state).problem.message, "Too long.");
  assert.equal(asked.latest(store.state), null, "a failure is no answer");
  assert.equal(sent.length, 1);
  choose(0);
  choose(1);
  assert.equal(sent.length, 2);
});

test("a server that does not answer is named, not asked while it is lost, and asked again when it is back", async () => {
  const { store, sent, asked, choose } = setUp();
  choose(1);
  sent[0].fail(new TypeError("Failed to fetch"));
  await settle();
  assert.deepEqual([asked.of(store.state).problem.code, asked.of(store.state).problem.message], ["unreachable", "The server gave no answer (Failed to fetch)."]);
  store.actions.connect("lost");
  choose(2);
  assert.equal(sent.length, 1);
  store.actions.connect("open");
  assert.deepEqual(sent.map(({ question }) => question.mass), [1, 2]);
  sent[1].answer("two");
  await settle();
  store.actions.connect("lost");
  assert.equal(asked.of(store.state).answer, "two", "what is known stays known without a connection");
});

test("a question that cannot be asked now waits, and what is known of it stays", async () => {
  const { store, sent, asked, choose } = setUp(massQuestion, { when: ({ tab }) => tab === "pinned" });
  choose(1);
  sent[0].answer("one");
  await settle();
  store.actions.chooseTab("heads");
  assert.equal(asked.of(store.state).answer, "one");
  choose(2);
  assert.equal(sent.length, 1);
  store.actions.chooseTab("pinned");
  assert.equal(sent.length, 2);
});

test("several questions at once are answered each by itself", async () => {
  const { store, sent, asked } = setUp(({ pins }) => pins.map(({ head }) => ({ head })), { keep: 1 });
  for (const head of [0, 1, 2]) store.actions.togglePin({ layer: 0, head });
  assert.deepEqual(sent.map(({ question }) => question.head), [0, 1, 2]);
  sent[2].answer("third");
  sent[0].answer("first");
  await settle();
  assert.deepEqual([0, 1, 2].map((head) => asked.find(store.state, { head })?.answer ?? null), ["first", null, "third"]);
  store.actions.unpinAll();
  assert.equal(sent[1].signal.aborted, true);
  assert.deepEqual([0, 2].map((head) => asked.find(store.state, { head })?.answer ?? null), ["first", null], "one is kept, the last");
});

test("no answer is kept twice, and nothing changes when there is nothing to drop", () => {
  const known = (answer) => ({ question: {}, answer, problem: answer === null ? { code: "x" } : null });
  const before = new Map([["a", known(1)], ["b", known(2)], ["c", known(null)]]);
  assert.equal(keptAnswers({ keep: 2 }, new Map([["a", known(1)]]), new Set()).size, 1);
  assert.equal(keptAnswers({ keep: 0 }, before, new Set(["a", "b", "c"])), before);
  assert.deepEqual([...keptAnswers({ keep: 1 }, before, new Set()).keys()], ["b"], "failures go first");
  assert.deepEqual([...keptAnswers({ keep: 0 }, before, new Set(["a"]), ["a", known(3)]).entries()], [["a", known(3)]]);
});

test("equal questions have one key", () => {
  assert.equal(keyOf({ a: 1, b: [2] }), keyOf({ a: 1, b: [2] }));
  assert.notEqual(keyOf({ a: 1 }), keyOf({ a: 2 }));
});
