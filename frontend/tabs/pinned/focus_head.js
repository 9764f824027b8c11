// The head in focus, large and with its tokens: the one that is pointed at, or while nothing is pinned the last one seen.

import { atlas } from "../../heads/atlas.js";
import { headInFocus, shownOf } from "../../heads/focus_head.js";
import { shownSide } from "../../heads/grid_side.js";
import { exactMaps, shownValues } from "../../maps/exact.js";
import { sharedTop } from "../../maps/shared_top.js";
import { comparison } from "../../compare/comparison.js";
import { element, setHidden, setText } from "../../page/dom.js";
import { headName, unbroken } from "../../page/labels.js";
import { whatName } from "../../state/pins.js";
import { isOldPin, isStaleOn, shownFocus } from "../../state/selectors.js";
import { analysisOf, atPlace, sidesOf } from "../../state/sides.js";
import { headFacts } from "../../views/head_facts.js";
import { MapView } from "./map_view.js";

/** What the tiles are, for people who see them for the first time. */
const EACH_TILE = "Each tile is one attention head.";

const VALUES = /** @type {const} */ (["raw", "weighted"]);

/** From this share of its attention on a word a token is said to be connected to it. */
const CONNECTS = 0.3;
/** A weaker link is none to speak of, unless it was chosen. */
const LEAST_LINK = 0.1;

/** What the focus half shows large. @param {State} state @returns {Pin | null} */
function pinInFocus(state) {
  const place = headInFocus(state);
  if (place === null) return null;
  return /** @type {Pin} */ ({ ...shownOf(state, place), mode: "heatmap" });
}

/** @param {Actions} actions @param {HTMLElement} root @param {HTMLElement} aside what is shown beside its map @returns {PageView[]} */
export function createFocusHead(actions, root, aside) {
  const name = element("h3");
  const said = element("p", { class: "focus-said", role: "status" });
  const facts = element("div", { class: "focus-facts" });
  const pin = element("button", { type: "button", class: "chip", onclick: () => place && actions.togglePinOf(place) }, "Pin");
  const detail = element("button", { type: "button", class: "chip", title: "Query-key detail", onclick: () => place && actions.openDetail(place) }, "q·k");
  const maps = { raw: new MapView("raw", actions), weighted: new MapView("weighted", actions) };
  const head = element("header", { class: "panel-head" }, name, element("div", { class: "focus-saying" }, said), pin, detail);
  const pictures = element("div", { class: "focus-map" }, maps.raw.root, maps.weighted.root);
  root.replaceChildren(head, element("div", { class: "focus-body" }, pictures, element("div", { class: "focus-side" }, aside, facts)));
  /** The head on screen. @type {HeadPlace | null} */
  let place = null;
  /** Which maps are on screen. */
  let arranged = "";
  const measure = () => [maps.raw.measure(), maps.weighted.measure()].includes(true);
  new ResizeObserver(() => measure() && actions.noteRoom()).observe(root);

  /** @param {State} state */
  function reads(state) {
    const shown = headInFocus(state);
    const { pins, values, scale, range, sinks, hide, renormalise, words, filter, config, answers } = state;
    const answered = sidesOf(state).flatMap((side) => [analysisOf(state, side), state.sides[side]?.run.layers, isStaleOn(state, side)]);
    const key = shown && `${shown.side}${shown.stack}.${shown.layer}.${shown.head} ${shownSide(state).side}`;
    const controls = [values, scale, range, sinks, sharedTop(state), hide, renormalise, words, filter, config];
    return [key, state.room, pins.length > 0, ...controls, answers.get(exactMaps), comparison.of(state), ...answered];
  }

  return [
    {
      reads: (state, theme) => [theme, ...reads(state), shownFocus(state), state.lock !== null, state.cursor === null],
      render(state, theme) {
        const pinned = pinInFocus(state);
        place = headInFocus(state);
        const wasHidden = root.hidden;
        setHidden(root, pinned === null || analysisOf(state, place?.side ?? "a") === null);
        if (pinned === null || root.hidden) return;
        root.classList.toggle("stale", isOldPin(state, pinned));
        const shown = shownValues(state, pinned);
        root.classList.toggle("two-maps", shown.length > 1);
        for (const values of VALUES) maps[values].arrange(shown.includes(values), shown.length === 1);
        // Measuring lays the page out, which a move of the pointer must not do.
        if (wasHidden || shown.join() !== arranged) measure();
        arranged = shown.join();
        for (const values of shown) {
          maps[values].prepare(state, pinned, theme);
          maps[values].draw(state);
          maps[values].write();
        }
        const map = maps[shown[0]];
        setText(name, whatName(pinned));
        const words = saidOf(state, map);
        if (said.textContent !== words.flat().join("")) said.replaceChildren(...words.map((part) => (typeof part === "string" ? part : element("b", {}, ...part))));
      },
    },
    {
      reads: (state) => [...reads(state), state.notes, state.color_by, state.sides.a.measured, state.sides.b?.measured, state.answers.get(atlas)],
      render(state) {
        const shown = headInFocus(state);
        if (shown === null) return;
        const parts = headFacts(atPlace(state, shown), shown).map(({ text, evidence }) =>
          element("p", {}, text, ...(evidence ? [" ", element("span", { class: "quiet" }, unbroken(evidence))] : [])),
        );
        facts.replaceChildren(...parts);
      },
    },
  ];

  /** One sentence on what the head does with the chosen token; tokens are lists of one. @param {State} state @param {MapView} map @returns {(string | [string])[]} */
  function saidOf(state, map) {
    const link = map.strongestLink();
    const intro = state.pins.length === 0 && state.cursor === null ? `${EACH_TILE} ` : "";
    if (link === null || place === null) return [intro];
    const head = headName(place.layer, place.head);
    const { from, to, sink, weight, isPair, isItself } = link;
    if (isItself) return [`${intro}In ${head}, `, [from], " attends most to itself."];
    /** @type {(rest: string) => (string | [string])[]} */
    const gives = (rest) => [`${intro}In ${head}, `, [from], " gives ", [to], `${rest} ${weight.toFixed(2)} of its attention.`];
    if (sink !== null) return isPair ? gives(", a sink,") : [`${intro}In ${head}, `, [from], " attends most to ", [sink], ", a sink."];
    if (weight >= CONNECTS) return [`${intro}${head} connects `, [from], " to ", [to], "."];
    if (isPair || weight >= LEAST_LINK) return gives("");
    return [`${intro}In ${head}, no other word gets more than ${LEAST_LINK} from `, [from], "."];
  }
}
