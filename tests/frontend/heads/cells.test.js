// What cells show beside maps: a colour for each value, none where there is no value.

import assert from "node:assert/strict";
import { test } from "node:test";

import { flatFill, quantityFill, signsOf } from "../../../frontend/heads/cells.js";
import { atlas } from "../../../frontend/heads/atlas.js";
import { onSide } from "../../../frontend/state/sides.js";
import { answer, overview, ready, start, tell } from "../small_answer.js";
import { restingAtlas, smallAtlas } from "../small_atlas.js";

const tones = ["one", "two", "three", "rgb(100, 0, 200)"];
const theme = { scale: { css: ["first", "middle", "last"] }, palette: { tones, surface: "rgb(255, 255, 255)" } };

/** Side a of a store that knows the roles of the model on screen. */
function seen(look, record = smallAtlas()) {
  const store = ready();
  tell(store, atlas, record);
  answer(store, start(3));
  store.actions.setView(look);
  return onSide(store.state, "a");
}

test("a chosen link is coloured on the chosen scale, by rank among all heads", () => {
  const store = ready();
  answer(store, start(3));
  // From token 1 to token 0 the heads of layer 0 give .04, .25 and .64; layer 1 has not come yet.
  const codes = [51, 128, 204];
  store.actions.sides.a.receive({ ...overview(0, 3), values: Uint8Array.from({ length: 27 }, (_, at) => codes[Math.floor(at / 9)]) });
  const css = Array.from({ length: 256 }, (_, code) => code);
  const colours = (scale) => {
    store.actions.setView({ sinks: "show", scale, lock: { side: "a", queries: [1], keys: [0] } });
    const fill = flatFill(onSide(store.state, "a"), { ...theme, scale: { css } });
    return [0, 1, 2].map((head) => fill(0, head).colour).concat(fill(1, 0));
  };
  assert.deepEqual(colours("sqrt"), [51, 128, 204, null]);
  assert.deepEqual(colours("linear"), [10, 64, 163, null]);
  const ranked = colours("rank");
  assert.ok(ranked[0] < ranked[1] && ranked[1] < ranked[2] && ranked[2] === 255);
});

test("zero has the scale's first colour, the largest value its last, and null has none", () => {
  const quantity = { low: 0, high: 1, classes: null };
  assert.equal(quantityFill(quantity, 0, theme).colour, "first");
  assert.equal(quantityFill(quantity, 1, theme).colour, "last");
  assert.equal(quantityFill(quantity, null, theme), null);
});

test("maps have no fill; by role a cell has the colour of its strongest role and the letters of all", () => {
  assert.equal(flatFill(seen({}), theme), null);
  const fillOf = flatFill(seen({ color_by: "role" }), theme);
  assert.deepEqual(fillOf(1, 2), { colour: "three", text: "LS" });
  assert.equal(fillOf(0, 0), null);
});

test("the letter of a head that stands out is that of the role it stands out by", () => {
  const letterOf = (look) => signsOf(seen(look)).badges.find(({ layer, head }) => layer === 1 && head === 2).letter;
  assert.equal(letterOf({}), "L");
  assert.equal(letterOf({ show: "role:obj:head" }), "S");
  assert.deepEqual([...signsOf(seen({ show: "role:previous" })).shown.keys()].sort(), ["0.1", "1.2"]);
  assert.deepEqual(signsOf(seen({ color_by: "role" })).badges, [], "the cells themselves are coloured by role");
});

test("a head that only rests has no letter, by role a pale colour; another role of it keeps its own letter", () => {
  const lettersIn = (look) => signsOf(seen(look, restingAtlas())).badges.map(({ layer, head, letter }) => `${layer}.${head} ${letter}`);
  assert.deepEqual(lettersIn({}).sort(), ["0.1 L", "1.1 S", "1.2 L"]);
  assert.deepEqual(lettersIn({ show: "group:sink" }).sort(), ["0.1 L", "1.1 S", "1.2 L"]);
  const fillOf = flatFill(seen({ color_by: "role" }, restingAtlas()), theme);
  assert.deepEqual(fillOf(0, 2), { colour: "rgb(209, 179, 239)", text: "" });
  assert.deepEqual(fillOf(1, 1), { colour: "one", text: "S" });
});
