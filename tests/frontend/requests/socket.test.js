// The stream: what is stale is dropped, what is lost is asked again. Socket and clock are stand-ins.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Stream } from "../../../frontend/requests/socket.js";
import { standInSocket } from "../stand_in_socket.js";

const file = readFileSync(new URL("../golden_frame.bin", import.meta.url));
const frame = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);

/** A stream with sockets that the test opens, feeds and closes, and a clock it turns by hand. */
function setUp(t) {
  const { StandIn, sockets } = standInSocket();
  globalThis.WebSocket = StandIn;
  t.after(() => delete globalThis.WebSocket);
  const waiting = [];
  const seen = [];
  t.mock.method(globalThis, "setTimeout", (run, ms) => waiting.push({ run, ms }));
  const stream = new Stream("ws://localhost/api/v1/stream", {
    connection: (connection) => seen.push(connection),
    message: (message) => seen.push(`${message.type} ${message.request}`),
    frame: (found) => seen.push(`frame of layer ${found.layer}`),
  });
  stream.open();
  return { stream, sockets, waiting, seen };
}

test("a question asked before the socket is open is sent once it is", (t) => {
  const { stream, sockets } = setUp(t);
  stream.ask({ model: "m", text: "a" });
  assert.deepEqual(sockets[0].sent, []);
  sockets[0].accept();
  assert.deepEqual(sockets[0].sent, [{ request: 1, model: "m", text: "a" }]);
});

test("messages and frames of an older question are dropped", (t) => {
  const { stream, sockets, seen } = setUp(t);
  const [socket] = sockets;
  socket.accept();
  stream.ask({ model: "m", text: "old" });
  socket.say({ type: "start", request: 1 });
  socket.say(frame);
  stream.ask({ model: "m", text: "new" });
  socket.say(frame);
  socket.say({ type: "progress", request: 1 });
  socket.say({ type: "done", request: 1 });
  socket.say(frame);
  socket.say({ type: "start", request: 2 });
  socket.say(frame);
  socket.say({ type: "done", request: 2 });
  socket.say(frame);
  assert.deepEqual(seen, ["open", "start 1", "frame of layer 5", "start 2", "frame of layer 5", "done 2"]);
});

test("after cancelling nothing of the question arrives and a new connection does not ask it again", (t) => {
  const { stream, sockets, waiting, seen } = setUp(t);
  sockets[0].accept();
  stream.ask({ model: "m", text: "a" });
  stream.cancel();
  assert.deepEqual(sockets[0].sent.at(-1), { cancel: true });
  sockets[0].say({ type: "start", request: 1 });
  sockets[0].lose();
  waiting[0].run();
  sockets[1].accept();
  assert.deepEqual(sockets[1].sent, []);
  assert.deepEqual(seen, ["open", "lost", "open"]);
});

test("a lost connection is opened again with growing pauses, and the current question is asked again", (t) => {
  const { stream, sockets, waiting, seen } = setUp(t);
  sockets[0].accept();
  stream.ask({ model: "m", text: "a" });
  sockets[0].lose();
  for (let attempt = 0; attempt < 6; attempt += 1) {
    waiting[attempt].run();
    sockets[attempt + 1].lose();
  }
  assert.deepEqual(
    waiting.map(({ ms }) => ms),
    [500, 1000, 2000, 4000, 4000, 4000, 4000],
  );
  waiting[6].run();
  sockets[7].accept();
  assert.deepEqual(sockets[7].sent, [{ request: 1, model: "m", text: "a" }]);
  sockets[7].lose();
  assert.equal(waiting[7].ms, 500, "a good connection starts the pauses anew");
  assert.equal(seen.filter((entry) => entry === "lost").length, 8);
});

test("frames of a run that the lost connection cut off are not taken for the new run's", (t) => {
  const { stream, sockets, waiting, seen } = setUp(t);
  sockets[0].accept();
  stream.ask({ model: "m", text: "a" });
  sockets[0].say({ type: "start", request: 1 });
  sockets[0].lose();
  waiting[0].run();
  sockets[1].accept();
  sockets[1].say(frame);
  sockets[0].say(frame);
  assert.deepEqual(seen, ["open", "start 1", "lost", "open"]);
});

test("a frame that cannot be read ends its run with an error and its later frames are dropped", (t) => {
  const { stream, sockets, seen } = setUp(t);
  sockets[0].accept();
  stream.ask({ model: "m", text: "a" });
  sockets[0].say({ type: "start", request: 1 });
  sockets[0].say(frame.slice(0, 40));
  sockets[0].say(frame);
  assert.deepEqual(seen, ["open", "start 1", "error 1"]);
});

test("an error about a message the server could not read reaches the page", (t) => {
  const { stream, sockets, seen } = setUp(t);
  sockets[0].accept();
  stream.ask({ model: "m", text: "a" });
  sockets[0].say({ type: "error", request: null, error: { code: "bad_request" } });
  assert.equal(seen.at(-1), "error null");
});
