// Drawing the views: what changed is collected and drawn once per animation frame, all of it when the theme or the
// window changes.

import { byId, setText } from "../page/dom.js";
import { CHOICES, ThemeSwitch } from "../page/theme.js";
import { makePaper } from "./paper.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("./paper.js").Paper} Paper */
/** @typedef {{render(state: State, changed: Set<string>, paper: Paper): void}} View */

/**
 * @param {import("../state/store.js").Store} store
 * @param {View[]} views
 */
export function drawViews(store, views) {
  /** @type {Set<string>} */
  let changes = new Set();
  const theme = new ThemeSwitch(drawAll);
  let paper = makePaper(theme.theme);

  function draw() {
    const drawn = changes;
    changes = new Set();
    for (const view of views) view.render(store.state, drawn, paper);
  }

  /** @param {Iterable<string>} changed */
  function drawSoon(changed) {
    if (changes.size === 0) requestAnimationFrame(draw);
    for (const key of changed) changes.add(key);
  }

  function drawAll() {
    paper = makePaper(theme.theme);
    drawSoon(Object.keys(store.state));
  }

  const button = byId("theme", HTMLButtonElement);
  const name = byId("theme-name", HTMLElement);
  function showTheme() {
    setText(name, theme.choice);
    button.setAttribute("aria-label", `Theme: ${theme.choice}`);
  }
  button.addEventListener("click", () => {
    theme.choose(CHOICES[(CHOICES.indexOf(theme.choice) + 1) % CHOICES.length]);
    showTheme();
  });
  showTheme();
  window.addEventListener("resize", drawAll);
  store.subscribe((_, changed) => drawSoon(changed));
  drawAll();
}
