// Commands for programs: a shell and Python read back exactly what is asked, whatever stands in the text.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { curlOf, pythonOf, requestsOf } from "../../../frontend/export/snippets.js";
import { compared, threeStacks } from "../small_answer.js";
import { exportedStore } from "../exported_view.js";

const BASE = "http://127.0.0.1:1/api/v1";
const HOSTILE = "it's \"quoted\" $HOME `ls` \\ \\n !!\n\ttab \u0000\u001b\u2028 ünïcødé 🦊 'end'";

/** What a shell hands to curl. */
function argumentsOf(command) {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\1'; }\n${command}`;
  const said = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  return said.split("\u0001").slice(0, -1).map((call) => call.split("\0").slice(0, -1));
}

const bodiesOf = (command) => argumentsOf(command).map((words) => JSON.parse(words[words.indexOf("--data-raw") + 1]));
const hostile = (pins, more) => exportedStore(pins, { text: HOSTILE, ...more }).state;

test("each pinned map is one request, a pair two, and none is asked twice", () => {
  const { state } = exportedStore("1.2h,diff(1.2;0.0)h,mean(0.*+1.1)l,rollout(1)h", { look: { values: "both" } });
  const asked = requestsOf(state, "pinned");
  assert.deepEqual(asked.map(({ title }) => title), [
    "L1 H2", "L1 H2 value-weighted", "L0 H0", "L0 H0 value-weighted", "Mean of L0, L1 H1", "Mean of L0, L1 H1 value-weighted", "Rollout to L1",
  ]);
  assert.deepEqual(asked[1].body, { model: "both", text: "first example", combine: "head", cells: [{ layer: 1, head: 2 }], values: "weighted" });
  assert.deepEqual(asked.at(-1).body, { model: "both", text: "first example", combine: "rollout", up_to: 1 });
});

test("two maps of one name keep their own", () => {
  const cells = (from) => [0, 1, 2, 3].map((at) => `${(from + at) % 2}.${(from + at) % 3}`).join("+");
  const titles = requestsOf(exportedStore(`mean(${cells(0)})h,mean(${cells(1)})h`).state, "pinned").map(({ title }) => title);
  assert.equal(new Set(titles).size, 2);
});

test("for the grid all heads are asked for, of each attention and each side", () => {
  const [all] = requestsOf(exportedStore("0.0h").state, "grid");
  assert.deepEqual(all, { title: "all heads", path: "/attention", body: { model: "both", text: "first example" } });
  const stacks = requestsOf(exportedStore("", { n: 5, message: { stacks: threeStacks(3, 2) } }).state, "grid");
  assert.deepEqual(stacks.map(({ body }) => body.stack), ["encoder", "decoder", "cross"]);
  assert.deepEqual(requestsOf(compared().state, "grid").map(({ body }) => body.text), ["first example", "other words"]);
});

test("all heads are asked for value-weighted where the grid shows them so", () => {
  const { state } = exportedStore("");
  const { a } = state.sides;
  const weighted = { ...a, analysis: { ...a.analysis, values: "weighted" } };
  const [all] = requestsOf({ ...state, sides: { a: weighted, b: null } }, "grid");
  assert.deepEqual(all, { title: "all heads value-weighted", path: "/attention", body: { model: "both", text: "first example", values: "weighted" } });
});

test("a shell hands curl the very question, whatever stands in the text", () => {
  const requests = requestsOf(hostile("1.2h,0.0h"), "pinned");
  assert.deepEqual(bodiesOf(curlOf(requests, BASE)), requests.map(({ body }) => body));
  assert.equal(bodiesOf(curlOf(requests, BASE))[0].text, HOSTILE);
  for (const words of argumentsOf(curlOf(requests, BASE))) assert.ok(words.includes(`${BASE}/maps`));
});

test("all heads are written to a file as arrays", () => {
  const [words] = argumentsOf(curlOf(requestsOf(hostile(""), "grid"), BASE));
  assert.ok(words.includes("Accept: application/x-npz"));
  assert.equal(words[words.indexOf("-o") + 1], "all-heads.npz");
});

test("Python asks the very question, whatever stands in the text", () => {
  const stand_in = `
import io, json, urllib.request
asked = []
class Answer(io.BytesIO): pass
def urlopen(request):
    asked.append([request.full_url, json.loads(request.data)])
    return Answer(b'{"pattern": [[1.0]]}')
urllib.request.urlopen = urlopen
`;
  const requests = requestsOf(hostile("1.2h,mean(0.*)h", { continuation: [3, 4] }), "pinned");
  const program = `${stand_in}${pythonOf(requests, BASE)}\nprint(json.dumps(asked))`;
  const lines = execFileSync("python3", ["-c", program], { encoding: "utf8" }).trimEnd().split("\n");
  const told = JSON.parse(lines.at(-1));
  assert.deepEqual(told, requests.map(({ path, body }) => [BASE + path, body]));
  assert.equal(lines[0], "L1 H2 1 x 1");
});
