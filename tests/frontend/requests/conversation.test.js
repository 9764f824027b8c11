// Asking the server: at once or after a pause, never twice the same, each side for itself. Socket and clock are stand-ins.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Conversation } from "../../../frontend/requests/conversation.js";
import { onSide } from "../../../frontend/state/sides.js";
import { config, models, newStore, ready, start } from "../small_answer.js";
import { standInSocket } from "../stand_in_socket.js";

const PAUSE_MS = 400;

/** A store and the conversation of one of its sides, over a socket that is open unless the test opens it. */
function setUp(t, { store = ready(), side = "a", isOpen = true } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { StandIn, sockets } = standInSocket();
  globalThis.WebSocket = StandIn;
  t.after(() => delete globalThis.WebSocket);
  const heard = [];
  const conversation = new Conversation(side, "ws://localhost/api/v1/stream", store, {
    connection: (connection) => heard.push(connection),
    loaded: () => heard.push("loaded"),
  });
  store.subscribe(() => conversation.update());
  const tick = (ms = 0) => t.mock.timers.tick(ms);
  if (isOpen) {
    conversation.open();
    tick(PAUSE_MS);
    sockets[0].accept();
  }
  const sent = () => sockets.flatMap((socket) => socket.sent);
  return { store, actions: store.actions, conversation, sockets, sent, tick, heard };
}

/** The server's whole answer to what was asked last. */
function reply({ sockets, sent }, n = 2) {
  const { request } = sent().at(-1);
  sockets.at(-1).say({ type: "start", request, ...start(n) });
  sockets.at(-1).say({ type: "done", request, timing: { total_ms: 1 } });
}

test("nothing is asked before it is opened, and opening asks once", (t) => {
  const { conversation, actions, sockets, sent, tick } = setUp(t, { isOpen: false });
  actions.editText("typed early");
  tick(PAUSE_MS);
  assert.deepEqual([sockets.length, conversation.isOpen], [0, false]);
  conversation.open();
  conversation.open();
  sockets[0].accept();
  tick(PAUSE_MS);
  assert.deepEqual([sockets.length, conversation.isOpen], [1, true]);
  assert.deepEqual(sent(), [{ request: 1, model: "both", text: "typed early" }]);
});

test("opening changes nothing at once: whoever opens may still be telling others what made it open", (t) => {
  const { store, conversation, tick } = setUp(t, { isOpen: false });
  const { state } = store;
  conversation.open();
  assert.equal(store.state, state);
  tick();
  assert.equal(onSide(store.state, "a").run.phase, "pending");
});

test("what was asked is not asked again by changes of anything else", (t) => {
  const held = setUp(t);
  const { actions, sent, tick } = held;
  reply(held);
  actions.togglePin({ layer: 0, head: 0 });
  actions.setView({ scale: "log", values: "both" });
  actions.hover({ side: "a", queries: [0], keys: [] });
  actions.compareWith({ text: "other" });
  actions.editPair("  ");
  tick(PAUSE_MS);
  assert.equal(sent().length, 1);
});

test("typing waits for a pause and asks only what is there then", (t) => {
  const { actions, sent, tick } = setUp(t);
  for (const text of ["t", "ty", "typ"]) {
    actions.editText(text);
    tick(PAUSE_MS - 1);
  }
  assert.equal(sent().length, 1);
  tick(1);
  assert.deepEqual(sent().map(({ text }) => text), ["first example", "typ"]);
});

test("what was typed and taken back within the pause is answered already", (t) => {
  const held = setUp(t);
  const { store, actions, sent, tick } = held;
  reply(held);
  actions.editText("first example!");
  tick(PAUSE_MS - 1);
  actions.editText("first example");
  tick(PAUSE_MS);
  assert.equal(sent().length, 1);
  assert.equal(onSide(store.state, "a").run.phase, "done");
});

test("a choice asks at once, also in the middle of typing", (t) => {
  const { actions, sent, tick } = setUp(t);
  actions.editText("typed");
  actions.chooseModel("single");
  tick(0);
  assert.deepEqual(sent().at(-1), { request: 2, model: "single", text: "typed" });
  tick(PAUSE_MS);
  assert.equal(sent().length, 2);
});

test("Run asks now what is in the boxes, the same again too", (t) => {
  const { actions, conversation, sent, tick } = setUp(t);
  conversation.ask();
  assert.equal(sent().length, 2);
  actions.editText("typed");
  conversation.ask();
  tick(PAUSE_MS);
  assert.deepEqual(sent().map(({ text }) => text), ["first example", "first example", "typed"]);
});

test("other values ask again, and the answer is kept as theirs", (t) => {
  const held = setUp(t);
  const { store, actions, sent, tick } = held;
  reply(held);
  assert.equal(onSide(store.state, "a").analysis.values, "raw");
  actions.setWeighted(true);
  tick(0);
  assert.deepEqual(sent().at(-1), { request: 2, model: "both", text: "first example", values: "weighted" });
  reply(held);
  assert.equal(onSide(store.state, "a").analysis.values, "weighted");
  actions.setView({ values: "both" });
  tick(0);
  assert.equal("values" in sent().at(-1), false, "both: the overview is raw");
});

test("what was written on is asked with the text", (t) => {
  const { actions, sent, tick } = setUp(t);
  actions.continueWith([0, 7]);
  tick(0);
  assert.deepEqual(sent().at(-1).continuation, [0, 7]);
});

test("an empty text or one that is too long is not sent: the run before is cancelled and says why", (t) => {
  const { store, actions, sent, tick } = setUp(t);
  actions.editText(" ");
  tick(PAUSE_MS);
  assert.deepEqual(sent().at(-1), { cancel: true });
  assert.equal(onSide(store.state, "a").run.problem.code, "empty_text");
  actions.editText("a".repeat(1201));
  tick(PAUSE_MS);
  assert.deepEqual(sent().at(-1), { cancel: true });
  assert.equal(onSide(store.state, "a").run.problem.code, "text_too_long");
  actions.editText("better");
  tick(PAUSE_MS);
  assert.equal(sent().at(-1).text, "better");
  assert.equal(onSide(store.state, "a").run.problem, null);
});

test("each message of the server becomes the action of its side", (t) => {
  const held = setUp(t);
  const { store, sockets } = held;
  const [socket] = sockets;
  const say = (type, more) => socket.say({ type, request: 1, ...more });
  assert.equal(onSide(store.state, "a").run.phase, "pending");
  say("progress", { message: "Loading", done: 0, total: 2 });
  assert.equal(onSide(store.state, "a").run.progress.message, "Loading");
  say("start", start(2));
  say("metrics", { layer: 0, stack: "encoder", raw: { previous: [0, 0, 0] }, weighted: null, labels: [[], [], []] });
  assert.deepEqual([onSide(store.state, "a").analysis.n_tokens, onSide(store.state, "a").measured], [2, 1]);
  say("done", { timing: { total_ms: 3 } });
  assert.deepEqual([onSide(store.state, "a").run.phase, onSide(store.state, "a").run.timing.total_ms], ["done", 3]);
  say("error", { error: { code: "out_of_memory", message: "Too long.", details: null } });
  assert.equal(onSide(store.state, "a").run.problem.message, "Too long.");
});

test("a model that came into memory is told, one that was there is not", (t) => {
  const store = newStore();
  store.actions.describe([{ ...models[0], loaded: false }, models[1]], config);
  const held = setUp(t, { store });
  reply(held);
  assert.deepEqual(held.heard, ["open", "loaded"]);
  held.actions.chooseModel("single");
  held.tick(0);
  reply(held);
  assert.deepEqual(held.heard, ["open", "loaded"]);
});

test("side b asks its own question and is asked again only when that changes", (t) => {
  const store = ready();
  store.actions.compareWith({ text: "other words" });
  const held = setUp(t, { store, side: "b" });
  const { actions, sent, tick } = held;
  reply(held);
  assert.deepEqual(sent(), [{ request: 1, model: "both", text: "other words" }]);
  assert.deepEqual([onSide(store.state, "a").analysis, onSide(store.state, "b").run.phase], [null, "done"]);
  actions.editText("of side a alone");
  tick(PAUSE_MS);
  assert.equal(sent().length, 1);
  actions.chooseModel("single");
  tick(0);
  assert.deepEqual(sent().at(-1), { request: 2, model: "single", text: "other words" }, "its model is as on side a");
  actions.compareWith({ text: "typed" });
  tick(PAUSE_MS - 1);
  assert.equal(sent().length, 2);
  tick(1);
  assert.equal(sent().at(-1).text, "typed");
});

test("a side that rests drops what is on its way, and asks the same again when it is wanted again", (t) => {
  const store = ready();
  store.actions.compareWith({ text: "other words" });
  const held = setUp(t, { store, side: "b" });
  const { conversation, sockets, sent, tick } = held;
  conversation.rest();
  assert.deepEqual(sent().at(-1), { cancel: true });
  sockets[0].say({ type: "start", request: 1, ...start(2) });
  assert.equal(onSide(store.state, "b").analysis, null);
  conversation.open();
  conversation.update();
  tick(PAUSE_MS);
  assert.equal(sent().at(-1).text, "other words");
});

test("what was scheduled when it rests is never asked", (t) => {
  const { conversation, actions, sent, tick } = setUp(t);
  actions.editText("typed");
  conversation.rest();
  tick(PAUSE_MS);
  assert.equal(sent().filter(({ text }) => text === "typed").length, 0);
});
