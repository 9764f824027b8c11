// The tabs beside the grid: pinned maps, two sides compared, asking for a link, all heads, own texts, generation.

import { byId, element, setText } from "../page/dom.js";
import { writes } from "../state/selectors.js";

/** @typedef {import("../state/view.js").Tab} Tab */

/** @type {{tab: Tab, label: string, isOffered: (state: State) => boolean}[]} */
const TABS = [
  { tab: "pinned", label: "Pinned", isOffered: () => true },
  { tab: "compare", label: "Compare", isOffered: ({ against }) => against !== null },
  { tab: "ask", label: "Ask", isOffered: () => true },
  { tab: "heads", label: "Heads", isOffered: () => true },
  { tab: "corpus", label: "Corpus", isOffered: () => true },
  { tab: "generate", label: "Generate", isOffered: writes },
];
const OF_INTEREST = ["tab", "pins", "against", "model", "models"];

/** @param {Actions} actions */
export function createSideTabs(actions) {
  const list = byId("side-tabs", HTMLElement);
  const made = TABS.map(({ tab, label, isOffered }) => {
    const attributes = { type: "button", role: "tab", id: `tab-button-${tab}`, "aria-controls": `tab-${tab}` };
    const button = element("button", { ...attributes, onclick: () => actions.chooseTab(tab) }, label);
    return { tab, label, isOffered, button };
  });
  const panels = TABS.map(({ tab }) => byId(`tab-${tab}`, HTMLElement));
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Heads in detail");
  list.replaceChildren(...made.map(({ button }) => button));
  panels.forEach((panel, at) => {
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", made[at].button.id);
  });

  list.addEventListener("keydown", (event) => {
    const offered = made.filter(({ button }) => !button.hidden);
    const at = offered.findIndex(({ button }) => button === document.activeElement);
    const last = offered.length - 1;
    /** @type {Record<string, number>} */
    const goals = { ArrowLeft: at > 0 ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last };
    if (at < 0 || !(event.key in goals)) return;
    event.preventDefault();
    const { tab, button } = offered[goals[event.key]];
    actions.chooseTab(tab);
    button.focus();
  });

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      // A link may name a tab that this model does not have: then the pinned heads stand there.
      const isThere = made.some(({ tab, isOffered }) => tab === state.tab && isOffered(state));
      made.forEach(({ tab, label, isOffered, button }, at) => {
        const isOpen = tab === (isThere ? state.tab : "pinned");
        button.hidden = !isOffered(state);
        button.setAttribute("aria-selected", String(isOpen));
        button.tabIndex = isOpen ? 0 : -1;
        panels[at].hidden = !isOpen;
        setText(button, tab === "pinned" && state.pins.length > 0 ? `${label} (${state.pins.length})` : label);
      });
    },
  };
}
