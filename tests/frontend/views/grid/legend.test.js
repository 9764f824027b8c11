// The legend of roles: its entries are toggles that let the heads of a group stand out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { atlas } from "../../../../frontend/heads/atlas.js";
import { roleLegend } from "../../../../frontend/views/grid/legend.js";
import { answer, ready, start, tell } from "../../small_answer.js";
import { restingAtlas } from "../../small_atlas.js";
import { drawOn, newPage, ofClass } from "../../small_dom.js";

function shown() {
  const store = ready();
  tell(store, atlas, restingAtlas());
  answer(store, start(3));
  const { "grid-roles": root } = newPage("grid-roles");
  drawOn(store, roleLegend(store.actions));
  return { store, root, toggles: () => ofClass(root, "chip") };
}

test("each group that a head has is a toggle with its letter, its name and how many heads have it", () => {
  const { toggles } = shown();
  assert.deepEqual(toggles().map(({ textContent }) => textContent), ["SSyntax 2 heads", "LLocal context 2 heads", "FSink 2 heads"]);
  assert.deepEqual(toggles().map((one) => one.querySelector("i").classList.contains("idle")), [false, false, true]);
});

test("a toggle shows the heads of its group, pressed again all heads, and stays in place", () => {
  const { store, toggles } = shown();
  const [syntax, local] = toggles();
  const pressed = () => toggles().map((one) => one.getAttribute("aria-pressed"));
  assert.deepEqual(pressed(), ["false", "false", "false"]);
  local.click();
  assert.equal(store.state.show, "group:local");
  assert.deepEqual(pressed(), ["false", "true", "false"]);
  syntax.click();
  assert.deepEqual(pressed(), ["true", "false", "false"]);
  syntax.click();
  assert.equal(store.state.show, "all");
  assert.deepEqual(pressed(), ["false", "false", "false"]);
  assert.equal(toggles()[0], syntax, "the button keeps the focus");
});

test("a choice from a link or the menu is shown too, also after the colour has changed", () => {
  const { store, toggles } = shown();
  store.actions.setView({ show: "group:sink" });
  assert.equal(toggles()[2].getAttribute("aria-pressed"), "true");
  store.actions.setView({ color_by: "role" });
  assert.equal(toggles()[2].getAttribute("aria-pressed"), "true");
});

test("the legend says what has no letter, and by role what is pale", () => {
  const { store, root } = shown();
  assert.match(root.textContent, /A letter marks \d+ of \d+ heads; 1 more is a sink or delimiter only and has none; 2 have no proven role\. A head can have several roles\./);
  store.actions.setView({ color_by: "role" });
  assert.match(root.textContent, /hatched: no role proven \(2 heads\).*pale, no letter: only sink or delimiter \(1 head\)/);
});
