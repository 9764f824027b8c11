// The keyboard: obeying it, the list of what it does, and the buttons that undo.

import { byId, element } from "../page/dom.js";
import { Undo } from "../state/undo.js";
import { SIDES } from "../state/view.js";
import { storePreference } from "../storage/browser_storage.js";
import { createGlossary } from "./glossary.js";
import { button } from "./parts/button.js";
import { createDialog } from "./parts/dialog.js";
import { switchBox } from "./parts/switch.js";
import { SHORTCUTS, shortcutOf } from "./shortcuts.js";

const SINGLE = "headscope.single-keys";

/** @param {Store} store @param {BrowserStorage} storage @param {() => void} startTour */
export function createKeys(store, storage, startTour) {
  const { actions } = store;
  const guides = element("div", { class: "chips" });
  const dialog = createDialog("keys", "Help", { bodyClass: "key-groups", isWide: false, about: guides });
  const undo = new Undo(store.views);
  let single = storage.getItem(SINGLE) !== "off";

  const [back, forth] = [byId("undo", HTMLButtonElement), byId("redo", HTMLButtonElement)];
  back.addEventListener("click", () => step("undo"));
  forth.addEventListener("click", () => step("redo"));
  const mark = () => {
    // This runs at every change of the state, and most leave the buttons as they are.
    if (back.disabled === undo.canUndo) back.disabled = !undo.canUndo;
    if (forth.disabled === undo.canRedo) forth.disabled = !undo.canRedo;
  };
  let isStepping = false;
  store.subscribe((state, before) => {
    if (isStepping || isByAnswer(state, before)) undo.adopt(state);
    else undo.note(state, performance.now());
    mark();
  });

  /** @param {"undo" | "redo"} way */
  function step(way) {
    const view = undo[way]();
    isStepping = true;
    if (view) actions.restore(view);
    isStepping = false;
    mark();
  }

  const page = {
    state: () => store.state,
    actions,
    focus: (/** @type {string} */ id) => document.getElementById(id)?.focus(),
    press: (/** @type {string} */ id) => {
      const pressed = document.getElementById(id);
      const menu = /** @type {HTMLElement | null | undefined} */ (pressed?.closest("details.drop:not([open])")?.querySelector("summary"));
      // A dialog gives the keyboard back to where it was; from nowhere, to the button that opens it or the menu it is in.
      if (document.activeElement === document.body) (menu ?? pressed)?.focus();
      pressed?.click();
    },
    openTab: (/** @type {number} */ at) => {
      const offered = Array.from(document.querySelectorAll("#side-tabs [role=tab]")).filter((tab) => tab instanceof HTMLButtonElement && !tab.hidden);
      const tab = /** @type {HTMLButtonElement | undefined} */ (offered[at]);
      // The keyboard goes along: what had it may be hidden by the tab.
      tab?.focus();
      tab?.click();
    },
    undo: () => step("undo"),
    redo: () => step("redo"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    // In a box for text every key belongs to the text, its own undo too.
    const isTyping = event.target instanceof Element && event.target.matches("input:not([type=checkbox], [type=range]), textarea, select");
    const shortcut = isTyping ? null : shortcutOf(event, single);
    if (!shortcut?.act) return;
    event.preventDefault();
    shortcut.act(page, event.key);
  });

  const { box, field } = switchBox("single-keys", "Use single-key shortcuts", (on) => {
    single = on;
    storePreference(storage, SINGLE, on ? "on" : "off");
  });
  box.checked = single;
  const tour = button("chip", "Take the tour", () => {
    dialog.close();
    startTour();
  });
  const openGlossary = createGlossary();
  const glossary = button("chip", "Glossary", () => {
    dialog.close();
    openGlossary();
  });
  dialog.body.append(...SHORTCUTS.map(groupOf));
  guides.append(glossary, tour);
  dialog.root.append(element("footer", { class: "dialog-foot" }, field));
}

/** Whether an answer changed the state: what it has no heads for goes, and nobody chose that. @param {State} state @param {State} before */
function isByAnswer({ sides }, { sides: before }) {
  return SIDES.some((side) => sides[side] && before[side] && sides[side].run !== before[side].run);
}

/** @param {import("./shortcuts.js").Group} group */
function groupOf({ title, shortcuts }) {
  const rows = shortcuts.flatMap(({ keys, does }) => [
    element("dt", {}, ...keys.split(/(?<=.)\+(?=.)/).flatMap((key, at) => [...(at > 0 ? [" + "] : []), element("kbd", {}, key)])),
    element("dd", {}, does),
  ]);
  return element("section", {}, element("h3", {}, title), element("dl", { class: "key-list" }, ...rows));
}
