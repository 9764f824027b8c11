// A copied link shows the same view: nothing is lost on the way through the address bar.

import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_EDITS, isEdited } from "../../../frontend/anatomy/edits.js";
import { LONGEST_LINKED, isLinkable, wellFormed } from "../../../frontend/state/permalink.js";
import { eachOnce, oneHead } from "../../../frontend/state/pins.js";
import { MOST } from "../../../frontend/tabs/generate/sampling_choice.js";
import { generator } from "../random.js";
import { randomPin } from "../random_pins.js";
import { viewWith, views } from "../small_answer.js";

const readLink = (fragment) => views.read(fragment);
const writeLink = (view) => views.write(view);

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

/** What each control can be set to, every one of the view's: a control without a line here fails the tests. */
function choices(random) {
  const { below, pick } = random;
  const text = () => Array.from({ length: below(5) }, () => pick(FRAGMENTS)).join("");
  const tokens = () => [...new Set(Array.from({ length: below(4) }, () => pick([0, below(600)])))];
  const words = () => pick([null, "", text()]);
  const model = () => pick([null, "minilm", "org/name", text()]);
  const lock = { side: pick(["a", "b"]), queries: tokens(), keys: tokens() };
  const place = { side: pick(["a", "b"]), stack: pick([0, 1, 2]) };
  return {
    sides: viewWith({
      model: model(),
      text: words(),
      text_pair: words(),
      continuation: pick([[], [0], [0, 0, 1], Array.from({ length: below(200) }, () => below(262144))]),
      chat: pick([null, true]),
      against: pick([null, {}, { model: model(), text: words(), text_pair: words(), chat: pick([null, true, false]) }]),
    }).sides,
    sampling: {
      temperature: pick([0, 0.7, 1, 10, below(10_001) / 1000]),
      top_k: pick([null, 1, 40, 1 + below(49152)]),
      seed: pick([0, 1, below(2 ** 31), MOST.seed]),
      n: pick([1, 20, 200]),
    },
    grid_side: pick(["a", "b", "difference"]),
    pins: eachOnce(Array.from({ length: below(9) }, () => randomPin(random))),
    detail: pick([null, { ...place, layer: 0, head: 0 }, { ...place, layer: below(40), head: below(30) }]),
    filter: pick(["all", "aa", "ab", "ba", "bb"]),
    lock: lock.queries.length + lock.keys.length === 0 ? null : lock,
    values: pick(["raw", "weighted", "both"]),
    scale: pick(["linear", "sqrt", "log", "rank"]),
    range: pick(["fixed", "head"]),
    sinks: pick(["dim", "show"]),
    hide: pick(["none", "special", "first", "both"]),
    renormalise: pick([true, false]),
    words: pick([true, false]),
    mass: pick([0, 1, 50, 99, 100, below(101)]),
    layout: pick(["vertical", "horizontal"]),
    color_by: pick(["map", "role", "change", "entropy", "corpus:rare_word", "0", "false"]),
    sort: pick(["model", "value"]),
    show: pick(["all", "above", "group:syntax", "role:nsubj:pass:dependent", "spec:pronoun resolution, coreference", "0"]),
    tab: pick(["pinned", "compare", "heads", "corpus", "generate", "anatomy", "training"]),
    lesson: pick(["pairs", "who", "none"]),
    train_run: pick([null, "markov-2", "none", "repeats-20261120-0101-ab"]),
    train_step: pick([null, 0, 43, below(50_000)]),
    train_text: pick([null, "", words()]),
    score: pick([null, "induction", "subject"]),
    overlay: pick([null, [], ["language"], ["markov-2", "markov-2-slow"]]),
    chart: {
      kind: pick(["scatter", "map", "layers"]),
      x: pick(["previous", "0"]),
      y: pick(["entropy", "self_hits"]),
      color: pick(["role", "layer"]),
      source: pick(["sentence", "corpus"]),
    },
    table: { by: pick(["head", "roles", "entropy", "corpus:rare_word", "0", "a,rising"]), falling: pick([true, false]) },
    ...anatomyChoices(pick, below),
  };
}

/** What the tab Anatomy adds to the view. */
function anatomyChoices(pick, below) {
  const edits = {
    layer: below(30),
    heads_off: pick([[], [0], [0, 11]]),
    scale: pick([null, 0, 1, 0.125]),
    mask: pick([[], [[0, 0]], [[3, 1], [12, 0]]]),
    causal: pick([null, true, false]),
    weights: pick([[], [{ matrix: "w_o", head: 0, row: 3, column: 500, add: -0.5 }]]),
    inputs: pick([[], [{ token: 0, dimension: 0, add: 1 }, { token: 3, dimension: 63, add: -5 }]]),
  };
  const spot = { matrix: "scores_raw", layer: below(30), head: below(12), row: below(64), column: below(49152) };
  return {
    anatomy_part: pick(["walk", "calculator", "exercises", "loop"]),
    anatomy_walk: { step: pick(["embeddings", "qkv", "one_or_many", "stack"]), layer: below(30), head: below(12), token: pick([null, 0, 63]) },
    anatomy_edits: isEdited(edits) ? edits : NO_EDITS,
    anatomy_trail: pick([[], [spot], [spot, { ...spot, matrix: "q", row: 0, column: 0 }]]),
    anatomy_sizes: { d_model: 1 + below(65536), n_heads: pick([1, 96]), n_kv_heads: pick([null, 8]), n_layers: 1, n_tokens: 1_000_000, bytes_per_number: pick([2, 4]), bias: pick([true, false]) },
    anatomy_loop: { d_model: 64, n_heads: 1 + below(64), n_tokens: 32, batch: 1, causal: pick([true, false]), rounds: pick([1, 200]) },
  };
}

test("every control of the view is tried here", () => {
  assert.deepEqual(Object.keys(choices(generator(1))).sort(), Object.keys(views.usual()).sort());
});

test("every view survives the round trip, zeros, falsehoods, empty texts and empty lists included", () => {
  const random = generator(20260101);
  for (let round = 0; round < 800; round += 1) {
    const view = choices(random);
    const link = writeLink(view);
    assert.deepEqual(readLink(link), view, link);
    assert.deepEqual(readLink(`#${link}`), view, link);
    assert.equal(new URL(`http://localhost/#${link}`).hash.slice(1), link, "the address bar leaves it as it is");
  }
});

test("each control survives alone, and is in the link exactly when it is not as usual", () => {
  const random = generator(20260102);
  assert.equal(writeLink(views.usual()), "");
  for (let round = 0; round < 60; round += 1) {
    for (const [name, value] of Object.entries(choices(random))) {
      const view = { ...views.usual(), [name]: value };
      assert.deepEqual(readLink(writeLink(view)), view, name);
      const isUsual = JSON.stringify(value) === JSON.stringify(views.usual()[name]);
      assert.equal(writeLink(view) === "", isUsual, `${name} ${JSON.stringify(value)}`);
    }
  }
});

test("a wrapped text is in the link on the side that has it wrapped; another word than true or false says nothing", () => {
  assert.equal(writeLink(viewWith({ chat: true, against: { chat: false } })), "v=2&chat=true&against=&against_chat=false");
  assert.equal(writeLink(viewWith({ chat: true, against: {} })), "v=2&chat=true&against=");
  const { a, b } = readLink("chat=yes&against=&against_chat=true").sides;
  assert.deepEqual([a.chat, b.chat], [null, true]);
  assert.deepEqual(views.misread("v=2&chat=yes&against=&against_chat=true").parts, ["chat=yes"]);
});

test("layer 0, head 0, token 0, no mass and an empty sentence are not taken for nothing", () => {
  const view = viewWith({
    text: "",
    text_pair: "",
    continuation: [0],
    sampling: { temperature: 0, top_k: 5, seed: 0, n: 20 },
    against: { model: null, text: "", text_pair: null },
    pins: [{ ...oneHead({ layer: 0, head: 0 }), mode: "lines" }],
    detail: { side: "a", stack: 0, layer: 0, head: 0 },
    lock: { side: "a", queries: [0], keys: [0] },
    mass: 0,
  });
  const link = "v=2&text=&text_pair=&continue=0&against=&against_text=&pins=0.0l&detail=0.0&focus=0.0&mass=0&sampling=0,5,0,20";
  assert.equal(writeLink(view), link);
  assert.deepEqual(readLink(link), view);
});

test("the choices of grid, maps and tabs are short and readable words in the address", () => {
  const view = viewWith({
    grid_side: "difference",
    lock: { side: "b", queries: [4, 5], keys: [2] },
    values: "weighted",
    scale: "log",
    renormalise: true,
    mass: 100,
    color_by: "entropy",
    sort: "value",
    show: "role:obj:dependent",
    tab: "heads",
  });
  const said = ["v=2", "focus=b:4+5.2", "color=entropy", "show=role:obj:dependent", "grid=difference", "sort=value", "values=weighted"];
  const link = [...said, "scale=log", "renormalise=true", "mass=100", "tab=heads"].join("&");
  assert.equal(writeLink(view), link);
  assert.equal(writeLink({ ...view, renormalise: false }), link.replace("&renormalise=true", ""));
  assert.equal(readLink("renormalise=false").renormalise, false);
});

test("links of version 1 open as they did: with the defaults of their time, their words translated", () => {
  assert.equal(readLink("weighted=true").values, "weighted");
  assert.equal(readLink("weighted=false").values, "raw");
  const { pins, lock } = readLink("pins=3.1h,0.0l&focus=10.");
  assert.deepEqual(lock, { side: "a", queries: [10], keys: [] });
  assert.deepEqual(pins, [
    { ...oneHead({ layer: 3, head: 1 }), mode: "heatmap" },
    { ...oneHead({ layer: 0, head: 0 }), mode: "lines" },
  ]);
  assert.equal(readLink("text=Hi").sinks, "show", "nothing was dimmed then");
  assert.equal(readLink("v=1&text=Hi").sinks, "show");
  assert.equal(readLink("text=Hi&sinks=dim").sinks, "dim", "what a link says counts");
  assert.equal(readLink("v=2&text=Hi").sinks, "dim");
  assert.equal(readLink("").sinks, "dim", "no link: a first visit");
});

test("the link that heads were ranked by in version 1 becomes the focus, on the first tab", () => {
  const opened = (link) => {
    const { lock, tab } = readLink(link);
    return [lock && `${lock.queries.join("+")}.${lock.keys.join("+")}`, tab];
  };
  assert.deepEqual(opened("text=Hi&tab=ask&ask=10/2"), ["10.2", "pinned"]);
  assert.deepEqual(opened("tab=ask&ask=10,11/2"), ["10+11.2", "pinned"]);
  assert.deepEqual(opened("tab=ask&ask=10/&focus=3.4"), ["10.", "pinned"]);
  assert.deepEqual(opened("tab=ask&focus=3.4"), ["3.4", "pinned"]);
  assert.deepEqual(opened("tab=heads&ask=10/2"), [null, "heads"], "it was not on screen");
});

test("what a link says that means nothing is listed, and only that", () => {
  const listed = (link) => views.misread(link).parts;
  assert.deepEqual(listed(""), []);
  assert.deepEqual(listed("#v=2&text=Hi&colour=red"), ["colour"]);
  assert.deepEqual(listed("text=Hi&scale=foo&pins=3.1h,9z&words=yes&continue=1,x&tab=gone"), ["continue=x", "pins=9z", "scale=foo", "words=yes", "tab=gone"]);
  assert.deepEqual(listed("#nonsense&text=%E0%A4%A"), ["nonsense", "text=%E0%A4%A"]);
  assert.deepEqual(listed("weighted=true&tab=ask&ask=10/2&pins=3.1h,&scale=sqrt&renormalise=false"), [], "version 1 is known");
  assert.deepEqual(listed("v=2&weighted=true"), ["weighted"]);
  assert.deepEqual(listed("v=two&text=Hi"), ["v=two"]);
  assert.deepEqual(views.misread("v=3&text=Hi&aura=1"), { parts: ["aura"], isNewer: true });
  assert.equal(views.misread("v=2&text=Hi").isNewer, false);
  assert.equal(readLink("v=3&text=Hi").sinks, "dim", "a newer link is read as one of today");
});

test("nothing that is written is ever listed", () => {
  const random = generator(20260103);
  for (let round = 0; round < 200; round += 1) {
    const link = writeLink(choices(random));
    assert.deepEqual(views.misread(link), { parts: [], isNewer: false }, link);
  }
});

test("half a surrogate pair becomes the replacement character instead of an error", () => {
  assert.equal(wellFormed("a\ud800b👍"), "a\ufffdb👍");
  assert.equal(readLink(writeLink(viewWith({ text: "\udc00" }))).sides.a.text, "\ufffd");
  assert.equal(readLink(writeLink(viewWith({ against: { text: "\ud800" } }))).sides.b.text, "\ufffd");
});

test("texts too long for a link are left out whole, with all that is said of their tokens; the rest stays", () => {
  const pins = [{ ...oneHead({ layer: 1, head: 2 }), mode: "lines" }];
  const kept = { model: "m", pins, scale: "log", against: { model: "n" } };
  const said = { lock: { side: "a", queries: [3], keys: [2] }, continuation: [7] };
  const fits = { ...kept, ...said, text: "a".repeat(LONGEST_LINKED) };
  assert.ok(isLinkable(viewWith(fits)));
  assert.deepEqual(readLink(writeLink(viewWith(fits))), viewWith(fits));
  const others = [{ text_pair: "b" }, { against: { model: "n", text: "b" } }, { against: { model: "n", text_pair: "b" } }];
  for (const more of others) {
    const long = viewWith({ ...fits, ...more });
    assert.ok(!isLinkable(long));
    assert.deepEqual(readLink(writeLink(long)), viewWith(kept));
  }
});

test("what cannot be understood is left out and the rest still counts", () => {
  assert.deepEqual(readLink(""), views.usual());
  assert.deepEqual(readLink("#grid"), views.usual());
  const view = readLink("#v=2&text=%E0%A4%A&pins=x,1.2q,3.4h,-1.0h,diff(1.2)h,3.4l&focus=.&filter=&model=m&unknown=1");
  assert.deepEqual(view, viewWith({ model: "m", pins: [{ ...oneHead({ layer: 3, head: 4 }), mode: "lines" }] }));
  const choices = "#v=2&color=&weighted=1&sort=up&show=&tab=gone&chart=pie,a,b,c,sentence&chart=map,,,,";
  assert.deepEqual(readLink(choices), views.usual());
  const controls = "#v=2&values=&scale=cube&range=1&hide=all&renormalise=1&words=yes&mass=101&mass=-1&mass=5.5&layout=up&grid=c";
  assert.deepEqual(readLink(controls), views.usual());
  for (const said of ["", "0", "-1,,0,20", "11,,0,20", "1,0,0,20", "1,,x,20", "1,,0,0", "1,,0,201", "1e3,,0,20", "1,,0,20,", "1,,9007199254740992,20"]) {
    assert.deepEqual(readLink(`#v=2&sampling=${said}`), views.usual(), said);
  }
  for (const said of ["", "entropy", "entropy,up", ",falling", "falling"]) assert.deepEqual(readLink(`#v=2&table=${said}`), views.usual(), said);
  assert.deepEqual(readLink("#v=2&detail=mean()&continue=x,-1,&against_text=alone"), views.usual());
  assert.equal(readLink("focus=3+x.5").lock, null, "letters are no tokens");
  assert.deepEqual(readLink("focus=3+3+.5").lock, { side: "a", queries: [3], keys: [5] });
  assert.equal(readLink("chart=map,,,,corpus").chart, views.usual().chart);
});

test("arbitrary fragments never make reading fail", () => {
  const random = generator(7);
  for (let round = 0; round < 500; round += 1) {
    const fragment = Array.from({ length: random.below(8) }, () =>
      random.pick([...FRAGMENTS, "pins=", "focus=", "text=", "against=", "detail=", "mean(", "diff(", ";", ")h", "b:"]),
    ).join("");
    assert.doesNotThrow(() => [readLink(fragment), views.misread(fragment)], fragment);
  }
});
