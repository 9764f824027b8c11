// The tabs beside the grid: their strip, and which of them is open. `tabs/index.js` lists them.

import { byId, element, setText } from "../page/dom.js";
import { drawWhenChanged } from "./draw_views.js";

/**
 * @typedef {object} Tab
 * @property {string} id
 * @property {string | ((state: State) => string)} label
 * @property {"half" | "page"} fills the half beside the grid, or the whole page below the sentence
 * @property {(state: State) => boolean} [isOffered] without it always
 * @property {"open" | "always"} [draws] when its views are drawn; without it while it is open
 * @property {import("../state/choice.js").Choice<any>[]} [choices] what it adds to the view
 * @property {import("../requests/resource.js").Resource<any, any>[]} [resources] what it asks the server
 * @property {(store: Store, root: HTMLElement) => PageView[]} create
 */
/** The open tab: the chosen one, or the first where this model does not have that one. @param {Tab[]} tabs @param {State} state */
export function openTab(tabs, state) {
  return tabs.find(({ id, isOffered }) => id === state.tab && (isOffered?.(state) ?? true)) ?? tabs[0];
}

/** In a narrow window the strip is scrolled. @param {HTMLElement} strip @param {HTMLElement} button */
function bringIntoSight(strip, { offsetLeft, offsetWidth }) {
  const left = offsetLeft - strip.offsetLeft;
  const isOut = left < strip.scrollLeft || left + offsetWidth > strip.scrollLeft + strip.clientWidth;
  if (isOut) strip.scrollLeft = left;
}

/** @param {Store} store @param {Tab[]} tabs @returns {PageView[]} */
export function createTabs(store, tabs) {
  const strip = byId("side-tabs", HTMLElement);
  const explore = byId("explore", HTMLElement);
  const made = tabs.map((tab) => {
    const attributes = { type: "button", role: "tab", id: `tab-button-${tab.id}`, "aria-controls": `tab-${tab.id}` };
    const button = element("button", { ...attributes, onclick: () => choose(tab) });
    const panel = element("section", { id: `tab-${tab.id}`, role: "tabpanel", "aria-labelledby": button.id, hidden: true });
    return { tab, button, panel };
  });
  /** Where the strip was when it was pressed, from the window's top. @type {number | null} */
  let pressedAt = null;

  /** @param {Tab} tab */
  function choose(tab) {
    pressedAt = strip.getBoundingClientRect().top;
    store.actions.chooseTab(tab.id);
  }

  strip.setAttribute("role", "tablist");
  strip.setAttribute("aria-label", "Heads in detail");
  strip.replaceChildren(...made.map(({ button }) => button));
  strip.closest(".side")?.append(...made.map(({ panel }) => panel));

  strip.addEventListener("keydown", (event) => {
    const offered = made.filter(({ button }) => !button.hidden);
    const at = offered.findIndex(({ button }) => button === document.activeElement);
    const last = offered.length - 1;
    /** @type {Record<string, number>} */
    const goals = { ArrowLeft: at > 0 ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last };
    if (at < 0 || !(event.key in goals)) return;
    event.preventDefault();
    const { tab, button } = offered[goals[event.key]];
    choose(tab);
    button.focus();
  });

  const labelOf = (/** @type {Tab} */ { label }, /** @type {State} */ state) => (typeof label === "string" ? label : label(state));
  /** @type {PageView} */
  const stripView = {
    reads: (state) => [openTab(tabs, state), ...tabs.flatMap((tab) => [labelOf(tab, state), tab.isOffered?.(state)])],
    render(state) {
      const open = openTab(tabs, state);
      explore.classList.toggle("whole-page", open.fills === "page");
      for (const { tab, button, panel } of made) {
        button.hidden = tab.isOffered?.(state) === false;
        button.setAttribute("aria-selected", String(tab === open));
        button.tabIndex = tab === open ? 0 : -1;
        panel.hidden = tab !== open;
        setText(button, labelOf(tab, state));
      }
      bringIntoSight(strip, /** @type {HTMLElement} */ (made.find(({ tab }) => tab === open)?.button));
      // In one column some tabs are above the grid: the strip stays under the finger.
      if (pressedAt !== null) window.scrollBy(0, strip.getBoundingClientRect().top - pressedAt);
      pressedAt = null;
    },
  };

  /**
   * A view of a tab: drawn while that is open unless it wants more, and again when it is opened, because it had no room before.
   * @param {Tab} tab
   * @param {PageView} view
   * @returns {PageView}
   */
  function whileOpen(tab, view) {
    let draw = drawWhenChanged(view);
    let wasOpen = false;
    return {
      reads: (state, theme) => [state, theme],
      render(state, theme) {
        const isOpen = openTab(tabs, state) === tab;
        if (isOpen && !wasOpen) draw = drawWhenChanged(view);
        wasOpen = isOpen;
        if (isOpen || tab.draws === "always") draw(state, theme);
      },
    };
  }
  return [stripView, ...made.flatMap(({ tab, panel }) => tab.create(store, panel).map((view) => whileOpen(tab, view)))];
}
