// What somebody wrote about single heads, by model, and keeping it in the browser. Other pages of the same browser may
// write at the same time, so each note is put into what is kept now. It must not know the page; the storage is given to it.

import { oneHead, whatKey } from "./pins.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./store.js").Actions} Actions */
/** @typedef {{layer: number, head: number, stack?: number}} NotedHead */
/** @typedef {ReadonlyMap<string, string>} Texts by what noteKey says */
/** @typedef {{texts: Texts, kept: boolean}} Notes whether they outlast the page */
/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Drawer where a browser keeps things */

export const STORED_NOTES = "headscope.notes";
/** What a snapshot takes. */
export const LONGEST_NOTE = 2000;

/**
 * The same for a head of a model on both sides.
 * @param {string} model
 * @param {NotedHead} head
 */
export function noteKey(model, { layer, head, stack = 0 }) {
  return `${whatKey(oneHead({ layer, head, stack }))} ${model}`;
}

/**
 * The note on a head of the analysis on screen.
 * @param {State} state seen from where the head is
 * @param {NotedHead} head
 * @returns {string} "": none
 */
export function noteOn({ notes, analysis }, head) {
  return (analysis && notes?.texts.get(noteKey(analysis.model, head))) ?? "";
}

/**
 * How many heads of a model have one.
 * @param {Notes | null} notes
 * @param {string} model
 */
export function countOf(notes, model) {
  return [...(notes?.texts.keys() ?? [])].filter((key) => modelOf(key) === model).length;
}

/**
 * The notes on heads of an analysis' first attention, by "layer.head": what a snapshot takes along.
 * @param {State} state
 * @returns {Record<string, string>}
 */
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

/**
 * @param {Texts} texts
 * @param {string} key
 * @param {string} text "" takes the note away
 * @returns {Texts}
 */
export function withNote(texts, key, text) {
  const changed = new Map(texts);
  if (text.trim() === "") changed.delete(key);
  else changed.set(key, text);
  return changed;
}

/**
 * What is kept; nothing where the browser keeps nothing or something unreadable.
 * @param {Drawer} drawer
 * @returns {Texts}
 */
export function readNotes(drawer) {
  try {
    const kept = JSON.parse(drawer.getItem(STORED_NOTES) ?? "[]");
    const isNote = (/** @type {unknown} */ pair) => Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "string";
    return new Map(Array.isArray(kept) ? kept.filter(isNote) : []);
  } catch {
    return new Map();
  }
}

export class NotesKeeper {
  /** @type {Notes | null} */
  #last = null;

  /**
   * @param {Pick<Actions, "recallNotes">} actions
   * @param {Drawer} drawer
   */
  constructor(actions, drawer) {
    this.actions = actions;
    this.drawer = drawer;
  }

  /** What is kept becomes what is shown: at first, and when another page of this browser has written. */
  recall() {
    this.#show({ texts: readNotes(this.drawer), kept: true });
  }

  /** @param {Pick<State, "notes">} state keep what was written since */
  want({ notes }) {
    if (notes === null || notes === this.#last) return;
    const before = this.#last?.texts ?? new Map();
    const keys = new Set([...before.keys(), ...notes.texts.keys()]);
    const written = [...keys].filter((key) => before.get(key) !== notes.texts.get(key));
    this.#last = notes;
    const texts = written.reduce((all, key) => withNote(all, key, notes.texts.get(key) ?? ""), readNotes(this.drawer));
    try {
      this.drawer.setItem(STORED_NOTES, JSON.stringify([...texts]));
    } catch {
      if (notes.kept) this.#show({ ...notes, kept: false });
    }
  }

  /** @param {Notes} notes */
  #show(notes) {
    this.#last = notes;
    this.actions.recallNotes(notes);
  }
}
