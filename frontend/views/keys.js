// The keyboard: obeying it, the list of what it does, and the buttons that undo.

import { byId, element } from "../page/dom.js";
import { SHORTCUTS, shortcutOf } from "./shortcuts.js";
import { storePreference } from "../storage/browser_storage.js";
import { Undo } from "../state/undo.js";

const SINGLE = "headscope.single-keys";

/**
 * @param {Store} store
 * @param {{startTour: () => void, storage: BrowserStorage}} surroundings
 */
export function createKeys(store, { startTour, storage }) {
  const { actions } = store;
  const dialog = byId("keys", HTMLDialogElement);
  const undo = new Undo();
  let single = storage.getItem(SINGLE) !== "off";

  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", class: "icon", title: label, "aria-label": label, disabled: true, onclick }, sign);
  const back = button("↶", "Undo", () => step("undo"));
  const forth = button("↷", "Redo", () => step("redo"));
  byId("undo-tools", HTMLElement).replaceChildren(back, forth);
  const mark = () => {
    back.disabled = !undo.canUndo;
    forth.disabled = !undo.canRedo;
  };
  let isStepping = false;
  store.subscribe((state, changed) => {
    // What an answer has no heads for leaves the view with it: nobody chose that.
    const isByAnswer = changed.has("run") || (changed.has("other") && !changed.has("against"));
    if (isStepping || isByAnswer) undo.adopt(state);
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
      const button = document.getElementById(id);
      // A window gives the keyboard back to where it was; from nowhere, to the button that opens it.
      if (document.activeElement === document.body) button?.focus();
      button?.click();
    },
    undo: () => step("undo"),
    redo: () => step("redo"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    // In a box for text every key belongs to the text, its own undo too.
    const isTyping = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea, select");
    const shortcut = isTyping ? null : shortcutOf(event, single);
    if (!shortcut?.act) return;
    event.preventDefault();
    shortcut.act(page);
  });

  const box = element("input", { type: "checkbox", id: "single-keys", checked: single });
  box.addEventListener("change", () => {
    single = box.checked;
    storePreference(storage, SINGLE, single ? "on" : "off");
  });
  const close = () => dialog.close();
  const tour = () => {
    dialog.close();
    startTour();
  };
  dialog.replaceChildren(
    element(
      "header",
      { class: "dialog-head" },
      element("h2", { id: "keys-title" }, "Keyboard"),
      element("button", { type: "button", class: "icon", "aria-label": "Close", onclick: close }, "×"),
    ),
    element("div", { class: "key-groups" }, ...SHORTCUTS.map(groupOf)),
    element(
      "footer",
      { class: "dialog-foot" },
      element("label", { class: "switch", for: "single-keys" }, box, "Single keys act outside text boxes"),
      element("button", { type: "button", class: "chip", onclick: tour }, "Take the tour"),
    ),
  );
  // Escape closes the window alone; what is locked or pinned behind it stays.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  byId("keys-open", HTMLButtonElement).addEventListener("click", () => dialog.showModal());
}

/** @param {import("./shortcuts.js").Group} group */
function groupOf({ title, shortcuts }) {
  const rows = shortcuts.flatMap(({ keys, does }) => [
    element("dt", {}, ...keys.split(/(?<=.)\+(?=.)/).flatMap((key, at) => [...(at > 0 ? [" + "] : []), element("kbd", {}, key)])),
    element("dd", {}, does),
  ]);
  return element("section", {}, element("h3", {}, title), element("dl", { class: "key-list" }, ...rows));
}
