// Drawing the views: each declares what it reads of the state and is drawn again, at most once per animation frame, when
// that has changed; all of them when the theme or the window changes.

import { createTheme } from "../drawing/theme.js";
import { byId, setText } from "../page/dom.js";
import { isSameList } from "../page/memo.js";
import { CHOICES, ThemeSwitch } from "../page/theme_switch.js";

/**
 * @typedef {object} PageView a part of the page
 * @property {(state: State) => unknown[] | null} reads what it draws from, compared item by item, by identity; null: what is
 *   on screen stays
 * @property {(state: State, theme: Theme) => void} render
 * @property {import("../requests/resource.js").Resource<any, any>[]} [resources] what it asks the server
 */

/**
 * A view that is drawn when what it reads has changed since it was last drawn, or the theme.
 * @param {PageView} view
 * @returns {(state: State, theme: Theme) => void}
 */
export function drawWhenChanged({ reads, render }) {
  /** @type {unknown[]} */
  let drawnFrom = [];
  return (state, theme) => {
    const now = reads(state);
    if (now === null || isSameList([theme, ...now], drawnFrom)) return;
    drawnFrom = [theme, ...now];
    render(state, theme);
  };
}

/**
 * A view that draws from what it reads and from nothing else.
 * @template {unknown[]} Values
 * @param {(state: State) => readonly [...Values] | null} reads
 * @param {(...values: Values) => void} draw
 * @returns {PageView}
 */
export function pageView(reads, draw) {
  return {
    reads: (state) => /** @type {Values | null} */ (reads(state)),
    render(state) {
      const values = reads(state);
      if (values !== null) draw(...values);
    },
  };
}

/** @param {Store} store @param {PageView[]} views drawn in this order */
export function drawViews(store, views) {
  const draws = views.map(drawWhenChanged);
  const themes = new ThemeSwitch(drawAll);
  let theme = createTheme(themes.theme);
  let isDue = false;

  function draw() {
    isDue = false;
    for (const one of draws) one(store.state, theme);
  }

  function drawSoon() {
    if (!isDue) requestAnimationFrame(draw);
    isDue = true;
  }

  function drawAll() {
    theme = createTheme(themes.theme);
    drawSoon();
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
  store.subscribe(drawSoon);
  drawAll();
}
