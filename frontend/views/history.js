// The last analyses as a list: a click brings one back as it was looked at. It must not know where they are kept.

import { element, setText } from "../page/dom.js";
import { viewOfEntry } from "../state/history.js";
import { countOf } from "../state/notes.js";
import { questionKey } from "../state/selectors.js";
import { openedDialog } from "./dialog.js";

/** @typedef {import("../state/history.js").Entry} Entry */
/** @typedef {import("../state/history.js").History} History */
/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../state/store.js").Actions} Actions */

const LONGEST_SENTENCE = 200;
const times = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/**
 * @param {Actions} actions
 * @param {{history: History, catchUp: () => void}} work
 */
export function createHistory(actions, { history, catchUp }) {
  /** @type {State | null} */
  let state = null;
  const dialog = openedDialog("history", "History", () => {
    show();
    list.querySelector("button")?.focus();
  });
  const list = element("ul", { class: "history-list" });
  const empty = element("p", { class: "history-empty" }, "Nothing yet. Each analysis comes here when it is done; the last fifty are kept, in this browser alone.");
  const clear = element("button", { type: "button", class: "plain" });
  // A second click is asked for: nothing brings the list back.
  let isSure = false;
  clear.addEventListener("click", () => {
    if (isSure) history.clear();
    isSure = !isSure;
    show();
  });
  dialog.root.addEventListener("close", () => (isSure = false));
  dialog.body.append(list, empty, clear);

  function show() {
    catchUp();
    const entries = history.list();
    list.replaceChildren(...entries.map(line));
    list.hidden = clear.hidden = entries.length === 0;
    empty.hidden = entries.length > 0;
    setText(clear, isSure ? `Forget all ${entries.length}? Click again` : "Clear all");
  }

  /** @param {Entry} entry @param {number} at */
  function line(entry, at) {
    const { text, text_pair, model } = entry.question;
    const view = viewOfEntry(entry);
    const letters = [...[text, text_pair].filter(Boolean).join(" / ")];
    const sentence = letters.length > LONGEST_SENTENCE ? `${letters.slice(0, LONGEST_SENTENCE).join("")}…` : letters.join("");
    const counted = (/** @type {number} */ n, /** @type {string} */ one) => (n === 0 ? [] : [`${n} ${one}${n === 1 ? "" : "s"}`]);
    const name = (/** @type {string} */ id) => state?.models.find((known) => known.id === id)?.name ?? id;
    const facts = [
      name(model),
      ...(view.against ? ["compared"] : []),
      ...counted(view.pins.length, "map"),
      ...counted(countOf(state?.notes ?? null, model), "note"),
    ];
    const isNow = state?.analysis?.question === questionKey(entry.question);
    const restore = element(
      "button",
      { type: "button", class: "history-entry", "aria-current": isNow ? "true" : null },
      element("bdi", { class: "history-sentence" }, sentence),
      element("span", { class: "quiet" }, facts.join(" · "), " · ", element("time", { datetime: new Date(entry.time).toISOString() }, times.format(entry.time))),
    );
    restore.addEventListener("click", () => {
      dialog.close();
      actions.restore(view);
    });
    const forget = element("button", { type: "button", class: "icon", "aria-label": `Forget “${sentence}”`, title: "Forget" }, "×");
    forget.addEventListener("click", () => {
      history.forget(entry.question);
      show();
      const left = list.querySelectorAll(".icon");
      /** @type {HTMLElement | undefined} */ (left[Math.min(at, left.length - 1)] ?? dialog.root.querySelector("button"))?.focus();
    });
    return element("li", {}, restore, forget);
  }

  return {
    /** @param {State} next @param {Set<string>} changed */
    render(next, changed) {
      state = next;
      // A run that ends behind the window belongs into it.
      if (!dialog.root.open || !changed.has("run") || next.run.phase !== "done") return;
      const hadFocus = list.contains(document.activeElement);
      show();
      if (hadFocus) list.querySelector("button")?.focus();
    },
  };
}
