// Drawing the views: what changed is collected and drawn once per animation frame, all of it when the theme or the
// window changes.

import { byId, setText } from "../page/dom.js";
import { CHOICES, ThemeSwitch } from "../page/theme_switch.js";
import { createTheme } from "../drawing/theme.js";

/** @typedef {{render(state: State, changed: Set<string>, theme: Theme): void}} View */

/**
 * @param {Store} store
 * @param {View[]} views
 */
export function drawViews(store, views) {
  /** @type {Set<string>} */
  let changes = new Set();
  const themes = new ThemeSwitch(drawAll);
  let theme = createTheme(themes.theme);

  function draw() {
    const drawn = changes;
    changes = new Set();
    for (const view of views) view.render(store.state, drawn, theme);
  }

  /** @param {Iterable<string>} changed */
  function drawSoon(changed) {
    if (changes.size === 0) requestAnimationFrame(draw);
    for (const key of changed) changes.add(key);
  }

  function drawAll() {
    theme = createTheme(themes.theme);
    drawSoon(Object.keys(store.state));
  }

  const button = byId("theme", HTMLButtonElement);
  const name = byId("theme-name", HTMLElement);
  function showTheme() {
    setText(name, themes.choice);
    button.setAttribute("aria-label", `Theme: ${themes.choice}`);
  }
  button.addEventListener("click", () => {
    themes.choose(CHOICES[(CHOICES.indexOf(themes.choice) + 1) % CHOICES.length]);
    showTheme();
  });
  showTheme();
  window.addEventListener("resize", drawAll);
  store.subscribe((_, changed) => drawSoon(changed));
  drawAll();
}
