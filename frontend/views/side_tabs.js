// The tabs beside the grid: pinned heads, asking for a link, all heads as charts and a table.
// It must not know what stands in them.

import { byId, element, setText } from "../dom.js";

/** @typedef {import("../permalink.js").Tab} Tab */
/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Actions} Actions */

/** @type {{tab: Tab, label: string}[]} */
const TABS = [
  { tab: "pinned", label: "Pinned" },
  { tab: "ask", label: "Ask" },
  { tab: "heads", label: "Heads" },
];

/** @param {Actions} actions */
export function createSideTabs(actions) {
  const list = byId("side-tabs", HTMLElement);
  const made = TABS.map(({ tab, label }) => {
    const attributes = { type: "button", role: "tab", id: `tab-button-${tab}`, "aria-controls": `tab-${tab}` };
    return { tab, label, button: element("button", { ...attributes, onclick: () => actions.chooseTab(tab) }, label) };
  });
  const panels = [byId("tab-pinned", HTMLElement), byId("tab-ask", HTMLElement), byId("tab-heads", HTMLElement)];
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Heads in detail");
  list.replaceChildren(...made.map(({ button }) => button));
  panels.forEach((panel, at) => {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", made[at].button.id);
  });

  list.addEventListener("keydown", (event) => {
    const at = made.findIndex(({ button }) => button === document.activeElement);
    const last = made.length - 1;
    /** @type {Record<string, number>} */
    const goals = { ArrowLeft: at > 0 ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last };
    if (at < 0 || !(event.key in goals)) return;
    event.preventDefault();
    const { tab, button } = made[goals[event.key]];
    actions.chooseTab(tab);
    button.focus();
  });

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      if (!changed.has("tab") && !changed.has("pins")) return;
      made.forEach(({ tab, label, button }, at) => {
        const isOpen = tab === state.tab;
        button.setAttribute("aria-selected", String(isOpen));
        button.tabIndex = isOpen ? 0 : -1;
        panels[at].hidden = !isOpen;
        setText(button, tab === "pinned" && state.pins.length > 0 ? `${label} (${state.pins.length})` : label);
      });
    },
  };
}
