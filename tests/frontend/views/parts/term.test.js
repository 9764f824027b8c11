// Terms that explain themselves: by description, on hover, focus and tap, until Escape.

import assert from "node:assert/strict";
import { test } from "node:test";

import { newPage } from "../../small_dom.js";
import { explain, term } from "../../../../frontend/views/parts/term.js";

/** Let the small page measure and show explanations. */
function prepare(made) {
  newPage();
  document.documentElement = { clientWidth: 300 };
  made.getBoundingClientRect = () => ({ left: 290, top: 20, bottom: 30 });
  const tip = document.body.childNodes.find(({ attributes }) => attributes.get("id") === made.getAttribute("aria-describedby"));
  let isOpen = false;
  Object.assign(tip, { offsetWidth: 100, offsetHeight: 40, matches: () => isOpen });
  Object.assign(tip, { showPopover: () => (isOpen = true), hidePopover: () => (isOpen = false) });
  made.matches = () => true;
  const fire = (type, more = {}) => made.listeners[type].forEach((listener) => listener({ pointerType: "mouse", ...more }));
  return { tip, fire, isOpen: () => isOpen };
}

test("a term is described by its meaning and shows it on hover, focus and tap", () => {
  const made = term("rollout", "rollout");
  const { tip, fire, isOpen } = prepare(made);
  assert.equal(made.textContent, "rollout");
  assert.match(tip.textContent, /^Rollout .*heuristic/);
  fire("pointerenter", { pointerType: "touch" });
  assert.equal(isOpen(), false);
  for (const type of ["pointerenter", "focus"]) {
    fire(type);
    assert.equal(isOpen(), true, type);
    fire("blur");
    assert.equal(isOpen(), false);
  }
  made.click();
  assert.equal(isOpen(), true);
  assert.equal(tip.style.left, "192px");
});

test("Escape closes the explanation and nothing else", () => {
  const made = term("nats");
  const { fire, isOpen } = prepare(made);
  const done = [];
  const press = (key) => fire("keydown", { key, preventDefault: () => done.push("prevented"), stopPropagation: () => done.push("stopped") });
  press("Escape");
  assert.deepEqual(done, []);
  fire("focus");
  press("a");
  assert.equal(isOpen(), true);
  press("Escape");
  assert.equal(isOpen(), false);
  assert.deepEqual(done, ["prevented", "stopped"]);
});

test("a control shares the explanation with terms, and its click stays its own", () => {
  const [control, made] = [document.createElement("button"), term("weighted")];
  explain(control, "weighted");
  assert.equal(control.getAttribute("aria-describedby"), made.getAttribute("aria-describedby"));
  assert.equal(control.listeners.click, undefined);
});
