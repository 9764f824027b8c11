// A copied link shows the same view: nothing is lost on the way through the address bar.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LONGEST_LINKED, emptyView, isLinkable, readLink, wellFormed, writeLink } from "../../frontend/permalink.js";
import { generator } from "./random.js";

const FRAGMENTS = [
  "",
  " ",
  "0",
  "false",
  "null",
  "&",
  "=",
  "#",
  "%",
  "%41",
  "+",
  ",",
  ".",
  "\n",
  "\t",
  "a&text=b",
  "&pins=1.1h",
  "<script>alert(1)</script>",
  "\"'`",
  "\\",
  "\u0000",
  "é",
  "e\u0301",
  "مرحبا",
  "你好",
  "👩‍👩‍👧",
  "\u202e",
  "\ufffd",
  "%E0%A4%A",
  "javascript:alert(1)",
];

function randomView({ below, pick }) {
  const text = () => Array.from({ length: below(5) }, () => pick(FRAGMENTS)).join("");
  const cells = new Map();
  for (let left = below(9); left > 0; left -= 1) {
    const [layer, head] = [below(40), below(30)];
    cells.set(`${layer}.${head}`, { layer, head, mode: pick(["heatmap", "lines"]) });
  }
  const end = () => pick([null, 0, below(600)]);
  const lock = { query: end(), key: end() };
  const tokens = () => [...new Set(Array.from({ length: below(4) }, () => pick([0, below(600)])))];
  return {
    model: pick([null, "minilm", "org/name", text()]),
    text: pick([null, "", text()]),
    text_pair: pick([null, "", text()]),
    pins: [...cells.values()],
    filter: pick(["all", "aa", "ab", "ba", "bb"]),
    lock: lock.query === null && lock.key === null ? null : lock,
    color_by: pick(["map", "role", "entropy", "corpus:rare_word", "0", "false"]),
    weighted: pick([true, false]),
    sort: pick(["model", "value"]),
    show: pick(["all", "group:syntax", "role:nsubj:pass:dependent", "spec:pronoun resolution, coreference", "0"]),
    tab: pick(["pinned", "ask", "heads"]),
    ask: { queries: tokens(), keys: tokens(), side: "queries" },
    chart: {
      kind: pick(["scatter", "map", "layers"]),
      x: pick(["previous", "0"]),
      y: pick(["entropy", "self_hits"]),
      color: pick(["role", "layer"]),
      source: pick(["sentence", "corpus"]),
    },
  };
}

test("every view survives the round trip, zeros and empty texts included", () => {
  const random = generator(20260101);
  for (let round = 0; round < 600; round += 1) {
    const view = randomView(random);
    const link = writeLink(view);
    assert.deepEqual(readLink(link), view, link);
    assert.deepEqual(readLink(`#${link}`), view, link);
    assert.equal(new URL(`http://localhost/#${link}`).hash.slice(1), link, "the address bar leaves it as it is");
  }
});

test("layer 0, head 0, token 0 and an empty sentence are not taken for nothing", () => {
  const view = {
    ...emptyView(),
    text: "",
    text_pair: "",
    pins: [{ layer: 0, head: 0, mode: "lines" }],
    lock: { query: 0, key: 0 },
    ask: { queries: [0], keys: [], side: "queries" },
  };
  assert.equal(writeLink(view), "text=&text_pair=&pins=0.0l&focus=0.0&ask=0/");
  assert.deepEqual(readLink(writeLink(view)), view);
});

test("the choices of grid and tabs are short and readable words in the address", () => {
  const view = {
    ...emptyView(),
    color_by: "entropy",
    weighted: true,
    sort: "value",
    show: "role:obj:dependent",
    tab: "ask",
    ask: { queries: [8], keys: [2, 3], side: "queries" },
  };
  const link = "color=entropy&weighted=true&sort=value&show=role:obj:dependent&tab=ask&ask=8/2,3";
  assert.equal(writeLink(view), link);
  assert.equal(writeLink({ ...view, weighted: false }), link.replace("&weighted=true", ""));
  assert.equal(readLink("weighted=false").weighted, false);
});

test("half a surrogate pair becomes the replacement character instead of an error", () => {
  assert.equal(wellFormed("a\ud800b👍"), "a\ufffdb👍");
  assert.equal(readLink(writeLink({ ...emptyView(), text: "\udc00" })).text, "\ufffd");
});

test("texts too long for a link are left out whole, with the focus on their tokens; the rest stays", () => {
  const kept = { ...emptyView(), model: "m", pins: [{ layer: 1, head: 2, mode: "lines" }] };
  const fits = { ...kept, text: "a".repeat(LONGEST_LINKED), lock: { query: 3, key: null } };
  assert.ok(isLinkable(fits));
  assert.deepEqual(readLink(writeLink(fits)), fits);
  const long = { ...fits, text_pair: "b" };
  assert.ok(!isLinkable(long));
  assert.deepEqual(readLink(writeLink(long)), kept);
});

test("what cannot be understood is left out and the rest still counts", () => {
  assert.deepEqual(readLink(""), emptyView());
  assert.deepEqual(readLink("#grid"), emptyView());
  const view = readLink("#text=%E0%A4%A&pins=x,1.2q,3.4h,-1.0h,3.4l&focus=.&filter=&model=m&unknown=1");
  assert.deepEqual(view, { ...emptyView(), model: "m", pins: [{ layer: 3, head: 4, mode: "lines" }] });
  const choices = "#color=&weighted=1&sort=up&show=&tab=gone&ask=x/1&chart=pie,a,b,c,sentence&chart=map,,,,";
  assert.deepEqual(readLink(choices), emptyView());
  assert.deepEqual(readLink("ask=3,3,x,/5").ask, emptyView().ask, "letters are no tokens");
  assert.deepEqual(readLink("ask=3,3,/5").ask, { queries: [3], keys: [5], side: "queries" });
});

test("arbitrary fragments never make reading fail", () => {
  const random = generator(7);
  for (let round = 0; round < 500; round += 1) {
    const fragment = Array.from({ length: random.below(8) }, () =>
      random.pick([...FRAGMENTS, "pins=", "focus=", "text="]),
    ).join("");
    assert.doesNotThrow(() => readLink(fragment), fragment);
  }
});
