// The last analyses as a list: a click restores one as it was looked at.

import { element, setText } from "../page/dom.js";
import { lettersOf } from "../page/labels.js";
import { SIDES } from "../state/view.js";
import { answeredQuestions, entryKey, viewOfEntry } from "../storage/history.js";
import { countOf } from "../storage/notes.js";
import { button } from "./parts/button.js";
import { createDialog } from "./parts/dialog.js";

/** @typedef {import("../storage/history.js").HistoryEntry} HistoryEntry */

const LONGEST_SENTENCE = 200;
const LONGEST_OTHER = 60;
const EMPTY = "No history yet. Each finished analysis is listed here; the last fifty are kept, in this browser only.";
const times = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @param {Store} store @param {ReturnType<typeof import("../storage/keep_work.js").keepWork>} work @returns {PageView} */
export function createHistory(store, { history, catchUp }) {
  const runsOf = (/** @type {State} */ { sides }) => SIDES.map((side) => sides[side]?.run);
  /** The runs of both sides when the list was last written. */
  let runs = runsOf(store.state);
  const dialog = createDialog("history", "History", {
    opened() {
      show();
      list.querySelector("button")?.focus();
    },
  });
  const list = element("ul", { class: "history-list" });
  const empty = element("p", { class: "history-empty" }, EMPTY);
  // A second click is asked for: nothing brings the list back.
  let isSure = false;
  const clear = button("plain", "", () => {
    if (isSure) history.clear();
    isSure = !isSure;
    show();
  });
  dialog.root.addEventListener("close", () => (isSure = false));
  dialog.body.append(list, empty, clear);

  function show() {
    catchUp();
    runs = runsOf(store.state);
    const entries = history.list();
    list.replaceChildren(...entries.map(line));
    list.hidden = clear.hidden = entries.length === 0;
    empty.hidden = entries.length > 0;
    setText(clear, isSure ? `Forget all ${entries.length}? Click again` : "Clear all");
  }

  /** @param {HistoryEntry} entry @param {number} at */
  function line(entry, at) {
    const { state, actions, views } = store;
    const { model } = entry.question;
    const view = viewOfEntry(entry, views);
    const sentence = sentenceOf(entry.question, LONGEST_SENTENCE);
    const counted = (/** @type {number} */ n, /** @type {string} */ one) => (n === 0 ? [] : [`${n} ${one}${n === 1 ? "" : "s"}`]);
    const name = (/** @type {string} */ id) => state.models.find((known) => known.id === id)?.name ?? id;
    const others = [...(entry.question.chat ? ["chat template"] : []), ...writtenInWords(entry), ...comparedInWords(entry, name)];
    const facts = [name(model), ...others, ...counted(view.pins.length, "map"), ...counted(countOf(state.notes, model), "note")];
    const now = answeredQuestions(state);
    const isNow = now !== null && entryKey(now) === entryKey(entry);
    const time = element("time", { datetime: new Date(entry.time).toISOString() }, times.format(entry.time));
    const onclick = () => {
      dialog.close();
      actions.restore(view);
    };
    const restore = element(
      "button",
      { type: "button", class: "history-entry", "aria-current": isNow ? "true" : null, onclick },
      element("bdi", { class: "history-sentence" }, sentence),
      element("span", { class: "quiet" }, `${facts.join(" · ")} · `, time),
    );
    const forget = () => {
      history.forget(entry);
      show();
      const left = list.querySelectorAll(".icon");
      /** @type {HTMLElement} */ (left[Math.min(at, left.length - 1)] ?? dialog.closer).focus();
    };
    const label = [`Forget “${sentence}”`, ...others].join(", ");
    return element("li", {}, restore, button("icon", "×", forget, { "aria-label": label, title: "Forget" }));
  }

  return {
    reads: (state) => (dialog.root.open ? runsOf(state) : null),
    render(state) {
      // A run that ends behind the dialog, on either side, belongs into it.
      if (!runsOf(state).some((run, at) => run !== runs[at] && run?.phase === "done")) return;
      const hadFocus = list.contains(document.activeElement);
      show();
      if (hadFocus) list.querySelector("button")?.focus();
    },
  };
}

/** @param {Question} asked @param {number} longest in letters; what is longer is cut */
function sentenceOf({ text, text_pair }, longest) {
  const letters = lettersOf([text, text_pair].filter(Boolean).join(" / "));
  return letters.length > longest ? `${letters.slice(0, longest).join("")}…` : letters.join("");
}

/** @param {HistoryEntry} entry @returns {string[]} its continuation in words; nothing where there is none */
export function writtenInWords({ question: { continuation = [] }, written = "" }) {
  if (continuation.length === 0) return [];
  const count = `${continuation.length} ${continuation.length === 1 ? "token" : "tokens"} written`;
  return [written === "" ? count : `${count}: “${written}”`];
}

/** What differed on side b, where something was compared. @param {HistoryEntry} entry @param {(model: string) => string} name of a model */
export function comparedInWords({ question: asked, against = null }, name) {
  if (against === null) return [];
  const sentence = sentenceOf(against, LONGEST_OTHER);
  const isOther = against.text !== asked.text || (against.text_pair ?? null) !== (asked.text_pair ?? null);
  const others = [...(isOther ? [`“${sentence}”`] : []), ...(against.model === asked.model ? [] : [name(against.model)])];
  const isWrapped = against.chat ?? false;
  const chat = isWrapped === (asked.chat ?? false) ? "" : ` ${isWrapped ? "in" : "without"} its chat template`;
  return [`compared with ${others.join(" in ") || `the text${chat ? "" : " alone"}`}${chat}`];
}
