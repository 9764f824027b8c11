// The pinned maps side by side. A move of the pointer draws their focus alone; what they show, their widths and the cards
// of their heads are worked out when those change.

import { comparison } from "../../compare/comparison.js";
import { atlas } from "../../heads/atlas.js";
import { exactMaps } from "../../maps/exact.js";
import { sharedTop } from "../../maps/shared_top.js";
import { whatKey } from "../../state/pins.js";
import { isStaleOn, shownFocus } from "../../state/selectors.js";
import { analysisOf, atPlace, sidesOf } from "../../state/sides.js";
import { drawWhenChanged } from "../../views/draw_views.js";
import { Panel } from "./panel.js";

/** In a window of so many CSS pixels an open card leaves no room for a map. */
const NARROW = 640;
/** Of more, three maps side by side have no room for labels. */
const MANY_TOKENS = 18;
const GAP = 10; // CSS pixels between panels, as in panels.css

/** @param {Actions} actions @param {HTMLElement} list @returns {PageView[]} */
export function createPanels(actions, list) {
  /** In the order of the pins, by what they show. @type {Map<string, Panel>} */
  let panels = new Map();
  const shownMaps = () => [...panels.values()].flatMap((panel) => panel.shown);

  const sizes = new ResizeObserver((entries) => {
    if (measure()) actions.noteRoom();
    // How many rows of one pixel a panel takes where panels of different height are in columns; see panels.css.
    for (const { target, borderBoxSize } of entries) {
      const tall = Math.ceil(borderBoxSize[0].blockSize) + GAP;
      /** @type {HTMLElement} */ (target).style.setProperty("--tall", String(tall));
    }
  });

  /** All widths are read before anything is drawn: reading between drawings would lay the page out each time. */
  function measure() {
    return shownMaps().map((map) => map.measure()).includes(true);
  }

  /** @param {State} state */
  function reconcile(state) {
    const { pins } = state;
    const before = panels;
    const focused = document.activeElement;
    const isRoomy = pins.length === 1 && window.innerWidth > NARROW;
    panels = new Map(pins.map((pin) => [whatKey(pin), before.get(whatKey(pin)) ?? new Panel(pin, actions, isRoomy)]));
    if (pins.length > 1) for (const { card } of panels.values()) card?.makeRoom();
    for (const [name, { root }] of before) {
      if (panels.has(name)) continue;
      root.remove();
      sizes.unobserve(root);
    }
    [...panels].forEach(([name, { root }], at) => {
      if (!before.has(name)) sizes.observe(root);
      if (list.children[at] !== root) list.insertBefore(root, list.children[at] ?? null);
    });
    // A panel that was moved has lost the focus.
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus();
    list.dataset.count = String(pins.length);
    const tokens = sidesOf(state).map((side) => analysisOf(state, side)?.n_tokens ?? 0);
    list.classList.toggle("many-tokens", Math.max(...tokens) > MANY_TOKENS);
  }

  /** @type {PageView} */
  const row = {
    reads: (state) => [state.pins, state.values, ...sidesOf(state).flatMap((side) => [analysisOf(state, side), isStaleOn(state, side)])],
    render(state) {
      reconcile(state);
      [...panels.values()].forEach((panel, at) => panel.arrange(state, state.pins[at], at + 1));
      measure();
    },
  };

  /** @param {State} state all that maps are drawn from but the focus */
  function withoutFocus(state) {
    const { pins, values, scale, range, sinks, hide, renormalise, words, mass, layout, filter, config, answers } = state;
    const answered = sidesOf(state).flatMap((side) => {
      const run = state.sides[side]?.run;
      return [analysisOf(state, side), run?.layers, run?.phase, isStaleOn(state, side)];
    });
    const controls = [values, scale, range, sinks, sharedTop(state), hide, renormalise, words, mass, layout, filter, config];
    return [state.room, pins, ...controls, answers.get(exactMaps), comparison.of(state), ...answered];
  }

  const prepare = drawWhenChanged({
    reads: (state, theme) => [theme, ...withoutFocus(state)],
    render(state, theme) {
      for (const panel of panels.values()) panel.prepare(state, theme);
    },
  });

  /** @type {PageView} */
  const maps = {
    reads: (state, theme) => [theme, ...withoutFocus(state), shownFocus(state), state.lock !== null],
    render(state, theme) {
      prepare(state, theme);
      // Drawing text on a canvas after the page has changed makes the browser compute its styles again: texts come last.
      for (const map of shownMaps()) map.draw(state);
      for (const map of shownMaps()) map.write();
    },
  };

  /** @type {PageView} */
  const cards = {
    reads(state) {
      const { pins, values, metrics_catalogue, notes, models, build, answers } = state;
      const answered = sidesOf(state).flatMap((side) => [analysisOf(state, side), state.sides[side]?.measured, state.sides[side]?.model]);
      return [pins, values, metrics_catalogue, notes, models, build, answers.get(atlas), ...answered];
    },
    render(state) {
      for (const { card } of panels.values()) card?.render(atPlace(state, card.cell));
    },
  };
  return [row, maps, cards];
}
