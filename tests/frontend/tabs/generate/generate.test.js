// The tab Generate as it is drawn: the written text, its branches, what may come next.

import assert from "node:assert/strict";
import { test } from "node:test";

import { branchesOf, idsOf } from "../../../../frontend/generate/branches.js";
import { next } from "../../../../frontend/generate/next.js";
import { onSide } from "../../../../frontend/state/sides.js";
import { createGenerate, keepBranches } from "../../../../frontend/tabs/generate/generate.js";
import { tell } from "../../small_answer.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";
import { read, rowsBefore, writerStore, written } from "../../small_writer.js";

const branches = ({ state }) => branchesOf(onSide(state, "a")).map(idsOf);
const candidates = [8, 9].map((id) => ({ id, text: `␣t${id}`, piece: `Ġt${id}`, probability: 0.25 }));

test("what the answers on screen show as written is kept as branches", () => {
  const store = writerStore();
  keepBranches(store);
  store.actions.continueWith([8]);
  read(store, 4);
  store.actions.continueWith([]);
  read(store, 3);
  store.actions.continueWith([9]);
  assert.equal(branches(store).length, 1, "what has no answer yet may be no text at all");
  read(store, 4);
  assert.deepEqual(branches(store), [[3]], "tokens of the made-up answer are numbered by their places");
});

/** The open tab of a writer. */
function shown() {
  const store = writerStore();
  globalThis.location = { protocol: "http:", host: "x" };
  globalThis.WebSocket = class {};
  globalThis.ResizeObserver = class {
    observe() {}
  };
  const context = new Proxy({ measureText: () => ({ width: 10 }) }, { get: (known, name) => known[name] ?? (() => {}), set: () => true });
  globalThis.HTMLElement.prototype.getContext = () => context;
  const { root } = newPage("root");
  const theme = { palette: { font: "f", surface: "rgb(255 255 255)" }, scale: { css: Array(256).fill("rgb(0 0 0)"), dimmed: { css: Array(256).fill("rgb(9 9 9)") } } };
  drawOn(store, createGenerate(store, root), theme);
  const find = (name) => ofClass(root, name);
  const texts = (name) => find(name).map(({ textContent }) => textContent);
  return { store, find, texts };
}

/** What the server says of the token after the text. */
function tellNext(store) {
  const { tokens, n_tokens } = store.state.sides.a.analysis;
  tell(store, next, { tokens, n_tokens, candidates, rest: 0.5, entropy: 1.25 });
}

test("candidates of this text alone are listed, and a click continues the text with one", () => {
  const { store, find, texts } = shown();
  assert.deepEqual(texts("candidate"), []);
  tellNext(store);
  assert.deepEqual(texts("candidate"), ["␣t8", "␣t9"]);
  find("candidate")[1].click();
  assert.deepEqual(store.state.sides.a.continuation, [9]);
  assert.deepEqual(texts("candidate"), [], "what was said of the shorter text is gone");
  assert.equal(texts("written-tokens")[0], "t9·3", "it is spelled as the candidate was, and stands after the text");
});

test("written tokens stand with the text while they come, and a click goes back to before one", () => {
  const { store, find, texts } = shown();
  store.actions.beginWriting();
  store.actions.startWriting(store.state.sides.a.analysis.tokens);
  store.actions.write(written(3, 8), rowsBefore(3));
  assert.equal(texts("generate-said")[0], "1 token written…");
  assert.equal(texts("chosen")[0].includes("t8"), true);
  assert.ok(find("fresh")[0].getAttribute("disabled") !== null);
  store.actions.write(written(4, 9), rowsBefore(4));
  store.actions.endWriting({ reason: "stopped", problem: null, ms: null });
  assert.equal(texts("generate-said")[0], "Stopped after 2 tokens.");
  read(store, 5);
  assert.deepEqual(texts("written-tokens"), ["t3·3t4·4"]);
  assert.equal(texts("written-text")[0], "t0·0 t1·1 t2·2 ", "every token has its position");
  find("token")[1].click();
  assert.deepEqual(store.state.sides.a.continuation, [8]);
});

test("branches are listed where there is another one than the text itself, and a click goes there", () => {
  const { store, find, texts } = shown();
  assert.ok(find("branches-box")[0].hidden);
  store.actions.continueWith([3]);
  read(store, 4);
  assert.ok(find("branches-box")[0].hidden, "the only branch is the text itself");
  store.actions.continueWith([]);
  read(store, 3);
  assert.ok(!find("branches-box")[0].hidden);
  assert.deepEqual(texts("branch"), ["t31 token"]);
  find("branch")[0].click();
  assert.deepEqual(store.state.sides.a.continuation, [3]);
});

test("the grid of heads tells what the one under the cursor looks at, by pointer and by keys", () => {
  const { store, find, texts } = shown();
  assert.equal(texts("step-readout")[0], "Point at a head, or at a token.");
  const [grid] = find("step-grid");
  const press = (key) => grid.listeners.keydown.forEach((listener) => listener({ key, preventDefault: () => {} }));
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) press(key);
  assert.deepEqual(store.state.cursor, { side: "a", stack: 0, layer: 1, head: 1 });
  assert.match(texts("step-readout")[0], /^L1 H1 → t([12]) ·\1 about \.\d\d · sinks \.\d\d$/);
  press("Enter");
  assert.deepEqual(store.state.lock, { side: "a", queries: [2], keys: [] });
  assert.equal(store.state.pins.length, 1);
  store.actions.setView({ lock: { side: "a", queries: [2], keys: [0] } });
  assert.match(texts("step-readout")[0], /^L1 H1 → t0 ·0 about [^·]*, most → t[12] /);
  store.actions.editText("other");
  assert.ok(find("step-heads")[0].hidden);
});

test("what went wrong is shown with the text it was said of", () => {
  const { store, find, texts } = shown();
  store.actions.beginWriting();
  store.actions.endWriting({ reason: null, problem: { code: "x", message: "No room.", details: null }, ms: null });
  assert.deepEqual([texts("problem")[0], find("problem")[0].hidden], ["No room.", false]);
  store.actions.editText("other");
  assert.ok(find("problem")[0].hidden);
});
