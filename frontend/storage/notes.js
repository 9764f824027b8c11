// Notes on single heads, by model, kept in the browser. Other pages of the same browser may write at the same time, so
// each note is added to what is stored at that moment.

import { oneHead, whatKey } from "../state/pins.js";

/** @typedef {Cell & {stack?: number}} NotedHead */
/** @typedef {ReadonlyMap<string, string>} Texts by noteKey */
/** @typedef {{texts: Texts, kept: boolean}} Notes whether they outlast the page */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} BrowserStorage where a browser keeps things */

export const STORED_NOTES = "headscope.notes";
/** The limit of snapshots. */
export const LONGEST_NOTE = 2000;

/** The same for a head of a model on both sides. @param {string} model @param {NotedHead} head */
export function noteKey(model, { layer, head, stack = 0 }) {
  return `${whatKey(oneHead({ layer, head, stack }))} ${model}`;
}

/** The note on a head of the analysis on screen; "": none. @param {SideView} state of the head's side @param {NotedHead} head */
export function noteOn({ notes, analysis }, head) {
  return (analysis && notes?.texts.get(noteKey(analysis.model, head))) ?? "";
}

/** How many heads of a model have one. @param {Notes | null} notes @param {string} model */
export function countOf(notes, model) {
  return [...(notes?.texts.keys() ?? [])].filter((key) => modelOf(key) === model).length;
}

/** Notes on heads of the first attention, by "layer.head", for a snapshot. @param {SideView} state @returns {Record<string, string>} */
export function notesByHead({ notes, analysis }) {
  if (!notes || !analysis) return {};
  const heads = [...notes.texts].flatMap(([key, text]) => {
    const match = /^(\d+)\.(\d+) /.exec(key);
    const isThere = match && modelOf(key) === analysis.model && Number(match[1]) < analysis.n_layers && Number(match[2]) < analysis.n_heads;
    return isThere ? [[`${match[1]}.${match[2]}`, text]] : [];
  });
  return Object.fromEntries(heads);
}

/** @param {string} key */
function modelOf(key) {
  return key.slice(key.indexOf(" ") + 1);
}

/** @param {Texts} texts @param {string} key @param {string} text "" removes the note @returns {Texts} */
export function withNote(texts, key, text) {
  const changed = new Map(texts);
  if (text.trim() === "") changed.delete(key);
  else changed.set(key, text);
  return changed;
}

/** The stored notes; none if the browser keeps nothing or something unreadable. @param {BrowserStorage} storage @returns {Texts} */
export function readNotes(storage) {
  try {
    const kept = JSON.parse(storage.getItem(STORED_NOTES) ?? "[]");
    const isNote = (/** @type {unknown} */ pair) => Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "string";
    return new Map(Array.isArray(kept) ? kept.filter(isNote) : []);
  } catch {
    return new Map();
  }
}

export class NotesKeeper {
  /** What was shown or tried last. @type {Notes | null} */
  #last = null;
  /** What the browser keeps of it: the rest is still to be written. @type {Texts} */
  #kept = new Map();

  /** @param {Pick<Actions, "recallNotes">} actions @param {BrowserStorage} storage */
  constructor(actions, storage) {
    this.actions = actions;
    this.storage = storage;
  }

  /** Show what is stored: at first, and when another page of this browser has written. */
  recall() {
    const texts = this.#withUnkept(this.#last?.texts ?? this.#kept);
    this.#kept = readNotes(this.storage);
    this.#show({ texts, kept: this.#last?.kept ?? true });
  }

  /** @param {Pick<State, "notes">} state keep what was written since, and what could not be kept before */
  update({ notes }) {
    if (notes === null || notes === this.#last) return;
    this.#last = notes;
    const texts = this.#withUnkept(notes.texts);
    try {
      this.storage.setItem(STORED_NOTES, JSON.stringify([...texts]));
    } catch {
      if (notes.kept) this.#show({ ...notes, kept: false });
      return;
    }
    this.#kept = notes.texts;
    if (!notes.kept) this.#show({ ...notes, kept: true });
  }

  /** @param {Texts} shown @returns {Texts} what is in the storage now, with what is shown and not kept yet */
  #withUnkept(shown) {
    const keys = new Set([...this.#kept.keys(), ...shown.keys()]);
    const written = [...keys].filter((key) => this.#kept.get(key) !== shown.get(key));
    return written.reduce((all, key) => withNote(all, key, shown.get(key) ?? ""), readNotes(this.storage));
  }

  /** @param {Notes} notes */
  #show(notes) {
    this.#last = notes;
    this.actions.recallNotes(notes);
  }
}
