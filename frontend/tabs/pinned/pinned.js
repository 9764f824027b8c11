// The tab of pinned maps: the tools that act on all of them, making maps out of maps, and the row of panels.

import { headInFocus } from "../../heads/focus_head.js";
import { pinnedOverlay } from "../../maps/overlay.js";
import { element, setText } from "../../page/dom.js";
import { whatName } from "../../state/pins.js";
import { hasPair } from "../../state/selectors.js";
import { analysisOf, onSide, sidesOf } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { createCombine } from "./combine.js";
import { createFocusHead } from "./focus_head.js";
import { createLinkHint } from "./link_hint.js";
import { createLinkRanking } from "./link_ranking.js";
import { createPanels } from "./panels.js";
import { createRankingLine } from "./ranking_line.js";
import { keepScroll } from "./scroll_keeper.js";

const NOT_RENORMALISED = "Values are not renormalised.";
const HIDDEN_ALONE = "Rows are renormalised for hidden tokens, not for the links left out.";

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createPinned(store, root) {
  const { actions } = store;
  const tool = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", id, class: "plain", onclick }, text);
  const overlay = tool("overlay-heads", "Overlay", () => {
    actions.pin(pinnedOverlay(store.state).overlay);
    requestAnimationFrame(() => list.lastElementChild?.scrollIntoView({ block: "nearest" }));
  });
  overlay.title = "Draw the lines of the pinned heads in one picture, one colour a head";
  const tools = element(
    "div",
    { id: "panels-tools", class: "panels-tools", hidden: true },
    tool("all-heatmaps", "All heatmaps", () => actions.setMode("heatmap")),
    tool("all-lines", "All lines", () => actions.setMode("lines")),
    overlay,
    tool("unpin-all", "Unpin all", () => actions.unpinAll()),
  );
  const filterChip = (/** @type {Filter} */ { id, label }) =>
    element("button", { type: "button", class: "chip", "data-filter": id, onclick: () => actions.setView({ filter: id }) }, label);
  const filters = element("div", { id: "filters", class: "chips", role: "group", "aria-label": "Which links to show", hidden: true });
  const filterNote = element("p", { id: "filter-note", class: "hint", hidden: true });
  const combine = element("div", { id: "combine", class: "combine" });
  const list = element("div", { id: "panels", class: "panels" });
  const focus = element("article", { id: "focus-head", class: "card focus-head", "aria-label": "Head in focus", hidden: true });
  const tray = element("div", { id: "tray", class: "tray", role: "group", "aria-label": "Pinned heads", hidden: true });
  root.classList.add("pinned");
  const ranking = createLinkRanking(store);
  const hint = createLinkHint(store);
  const line = createRankingLine(store, () => ranking.root.scrollIntoView({ block: "start" }));
  const aside = element("div", { class: "focus-aside" }, hint.root);
  const sideTools = element("div", { class: "side-tools" }, element("div", { class: "pins-row" }, tray, tools), line.root, filters, filterNote);
  root.append(sideTools, focus, list, combine);
  // Beside the map of the head in focus, or below the pinned maps: these need the whole width.
  const ranked = pageView((state) => [state.pins.length > 0], (isPinning) => {
    if (isPinning) root.append(ranking.root);
    else aside.append(ranking.root);
  });

  const traySlots = pageView((state) => [state.pins], (pins) => {
    tray.hidden = pins.length === 0;
    tray.replaceChildren(...pins.map((pin, at) => trayChip(pin, at)));
  });
  const trayChip = (/** @type {Pin} */ pin, /** @type {number} */ at) => {
    const remove = { type: "button", "aria-label": `Unpin ${whatName(pin)}`, title: "Unpin", onclick: () => actions.unpin(pin) };
    const place = pin.kind === "head" ? pin : null;
    const show = { onpointerenter: () => actions.pointAt(place), onpointerleave: () => actions.pointAt(null) };
    const name = element("span", { class: "tray-name" }, whatName(pin));
    return element("span", { class: "tray-chip", "data-side": place?.side ?? null, ...show }, element("b", {}, String(at + 1)), " ", name, " ", element("button", remove, "×"));
  };
  // While a head is pointed at it takes the place of the pinned ones, which keep their widths: nothing is drawn again after it.
  const places = pageView((state) => [headInFocus(state) !== null], (isFocused) => void list.classList.toggle("behind", isFocused));
  const scroll = keepScroll(root, sideTools);
  const offered = pageView((state) => [state.pins.length > 0], (isPinning) => {
    tools.hidden = !isPinning;
  });
  /** @type {PageView} */
  const overlaid = {
    reads: (state) => [state.pins, ...sidesOf(state).map((side) => analysisOf(state, side))],
    render: (state) => void (overlay.hidden = pinnedOverlay(state).why !== ""),
  };
  /** @type {PageView} */
  const filtered = {
    reads: (state) => [hasPair(onSide(state, "a")), state.config, state.filter, state.hide, state.renormalise],
    render(state) {
      const known = (hasPair(onSide(state, "a")) && state.config?.filters) || [];
      filters.hidden = known.length === 0;
      filterNote.hidden = known.length === 0 || state.filter === "all";
      const isRenormalised = state.hide !== "none" && state.renormalise;
      setText(filterNote, `Only links between these sentences are shown. ${isRenormalised ? HIDDEN_ALONE : NOT_RENORMALISED}`);
      if (filters.childElementCount !== known.length) filters.replaceChildren(...known.map(filterChip));
      for (const button of filters.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(button.dataset.filter === state.filter));
      }
    },
  };
  return [scroll.before, offered, overlaid, traySlots, filtered, places, ...createFocusHead(actions, focus, aside), ...createPanels(actions, list), createCombine(store, combine), ranked, hint.view, ...ranking.views, line.view, scroll.after];
}
