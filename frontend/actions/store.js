// The state, the named actions that change it, and listeners to its changes.

import { isSameList } from "../page/memo.js";
import { initialState } from "../state/state.js";
import { anatomyActions } from "./anatomy.js";
import { answerActions } from "./answers.js";
import { buildActions } from "./build.js";
import { choiceActions } from "./choices.js";
import { corpusActions } from "./corpus.js";
import { focusActions } from "./focus.js";
import { generationActions } from "./generation.js";
import { gridActions } from "./grid.js";
import { notesActions } from "./notes.js";
import { pinActions } from "./pins.js";
import { questionActions } from "./question.js";
import { runActions } from "./run.js";
import { trainingActions } from "./training.js";

/** @typedef {(state: State, before: State) => void} Listener */

/** @param {import("../state/permalink.js").ViewCodec} views */
export function createStore(views) {
  let state = initialState(views);
  /** @type {Set<Listener>} */
  const listeners = new Set();

  /** @param {Partial<State>} patch */
  function update(patch) {
    const before = state;
    const isChanged = Object.entries(patch).some(([key, value]) => value !== /** @type {any} */ (before)[key]);
    if (!isChanged) return;
    state = { ...before, ...patch };
    for (const listener of listeners) listener(state, before);
  }

  const holder = {
    views,
    update,
    get state() {
      return state;
    },
  };
  const actions = {
    ...choiceActions(holder),
    ...questionActions(holder),
    ...pinActions(holder),
    ...focusActions(holder),
    ...gridActions(holder),
    ...corpusActions(holder),
    ...buildActions(holder),
    ...generationActions(holder),
    ...notesActions(holder),
    ...anatomyActions(holder),
    ...trainingActions(holder),
    ...answerActions(holder),
    /** What happens to the question of each side. */
    sides: { a: runActions(holder, "a"), b: runActions(holder, "b") },
  };

  return {
    actions,
    views,
    get state() {
      return state;
    },
    /** @param {Listener} listener called after every change */
    subscribe(listener) {
      listeners.add(listener);
    },
    /**
     * @param {(state: State) => unknown[]} reads
     * @param {(state: State) => void} act called when something that is read has changed, by identity
     */
    watch(reads, act) {
      let known = reads(state);
      listeners.add(() => {
        const now = reads(state);
        if (isSameList(now, known)) return;
        known = now;
        act(state);
      });
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
/** @typedef {Store["actions"]} Actions */
