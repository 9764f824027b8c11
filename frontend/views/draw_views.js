// Drawing the views: each declares what it reads of the state, and of the theme if it draws with its colours or for a
// size, and is drawn again, at most once per animation frame, when that has changed.

import { createTheme } from "../drawing/theme.js";
import { byId, setText } from "../page/dom.js";
import { isSameList } from "../page/memo.js";
import { CHOICES, ThemeSwitch } from "../page/theme_switch.js";

/**
 * @typedef {object} PageView a part of the page
 * @property {(state: State, theme: Theme) => unknown[] | null} reads what it draws from, compared item by item, by identity; null: what
 *   is on screen stays. With a change of size comes another theme; a view that does not name it is left alone, so that a
 *   button stays under the finger that presses it
 * @property {(state: State, theme: Theme) => void} render
 * @property {import("../requests/resource.js").Resource<any, any>[]} [resources] what it asks the server
 */

/** Draw a view when what it reads is another than it was drawn from. @param {PageView} view @returns {PageView["render"]} */
export function drawWhenChanged({ reads, render }) {
  /** @type {unknown[] | null} */
  let drawnFrom = null;
  return (state, theme) => {
    const from = reads(state, theme);
    if (from === null || (drawnFrom !== null && isSameList(from, drawnFrom))) return;
    drawnFrom = from;
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
  const values = (/** @type {State} */ state) => /** @type {Values} */ (reads(state));
  return { reads: values, render: (state) => draw(...values(state)) };
}

/** @param {Store} store @param {PageView[]} views drawn in this order */
export function drawViews(store, views) {
  const draws = views.map(drawWhenChanged);
  const themes = new ThemeSwitch(drawAll);
  let theme = createTheme(themes.theme);
  let isDue = false;

  function draw() {
    isDue = false;
    for (const drawView of draws) drawView(store.state, theme);
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
  // What is around the grids changes their room.
  const sizes = new ResizeObserver(drawAll);
  for (const id of ["grid-card", "grids", "grid-foot"]) sizes.observe(byId(id, HTMLElement));
  store.subscribe(drawSoon);
  drawAll();
}
