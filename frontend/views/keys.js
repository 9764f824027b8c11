// The keyboard: obeying it, the list of what it does, and the buttons that undo.

import { byId, element } from "../page/dom.js";
import { openedDialog } from "./parts/dialog.js";
import { switchBox } from "./parts/switch.js";
import { SHORTCUTS, shortcutOf } from "./shortcuts.js";
import { storePreference } from "../storage/browser_storage.js";
import { Undo } from "../state/undo.js";
import { SIDES } from "../state/view.js";

const SINGLE = "headscope.single-keys";

/** @param {Store} store @param {{startTour: () => void, storage: BrowserStorage}} surroundings */
export function createKeys(store, { startTour, storage }) {
  const { actions } = store;
  const dialog = openedDialog("keys", "Keyboard", () => {}, { bodyClass: "key-groups", isWide: false });
  const undo = new Undo(store.views);
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

  const { box, field } = switchBox("single-keys", "Single keys act outside text boxes", (on) => {
    single = on;
    storePreference(storage, SINGLE, on ? "on" : "off");
  });
  box.checked = single;
  const tour = () => {
    dialog.close();
    startTour();
  };
  dialog.body.append(...SHORTCUTS.map(groupOf));
  dialog.root.append(
    element(
      "footer",
      { class: "dialog-foot" },
      field,
      element("button", { type: "button", class: "chip", onclick: tour }, "Take the tour"),
    ),
  );
}

/**
 * Whether an answer changed the state: what it has no heads for leaves the view with it, and nobody chose that.
 * @param {State} state
 * @param {State} before
 */
function isByAnswer({ sides }, { sides: before }) {
  return SIDES.some((side) => {
    const [now, old] = [sides[side], before[side]];
    return now !== null && old !== null && now.run !== old.run;
  });
}

/** @param {import("./shortcuts.js").Group} group */
function groupOf({ title, shortcuts }) {
  const rows = shortcuts.flatMap(({ keys, does }) => [
    element("dt", {}, ...keys.split(/(?<=.)\+(?=.)/).flatMap((key, at) => [...(at > 0 ? [" + "] : []), element("kbd", {}, key)])),
    element("dd", {}, does),
  ]);
  return element("section", {}, element("h3", {}, title), element("dl", { class: "key-list" }, ...rows));
}
