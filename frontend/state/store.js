// The named actions that change the state, and who hears of it.

import { buildActions } from "./build_actions.js";
import { corpusActions } from "./corpus_actions.js";
import { focusActions } from "./focus_actions.js";
import { generationActions } from "./generation_actions.js";
import { gridActions } from "./grid_actions.js";
import { headsActions } from "./heads_actions.js";
import { notesActions } from "./notes_actions.js";
import { pinActions } from "./pin_actions.js";
import { questionActions } from "./question_actions.js";
import { runActions } from "./run_actions.js";
import { holderOfB } from "./side.js";
import { initialState } from "./state.js";

/** @typedef {import("./state.js").State} State */

/**
 * @param {State} [first]
 */
export function createStore(first = initialState()) {
  let state = first;
  /** @type {Set<(state: State, changed: Set<string>) => void>} */
  const listeners = new Set();

  /** @param {Partial<State>} patch */
  function update(patch) {
    const before = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (state));
    const changed = new Set(
      Object.entries(patch)
        .filter(([key, value]) => before[key] !== value)
        .map(([key]) => key),
    );
    if (changed.size === 0) return;
    state = { ...state, ...patch };
    for (const listener of listeners) listener(state, changed);
  }

  const holder = {
    get state() {
      return state;
    },
    update,
  };
  const actions = {
    ...questionActions(holder),
    ...pinActions(holder),
    ...focusActions(holder),
    ...gridActions(holder),
    ...headsActions(holder),
    ...corpusActions(holder),
    ...buildActions(holder),
    ...generationActions(holder),
    ...notesActions(holder),
    ...runActions(holder, "a"),
    /** The run of what side a is compared with. */
    b: runActions(holderOfB(holder), "b"),
  };

  return {
    actions,
    get state() {
      return state;
    },
    /** @param {(state: State, changed: Set<string>) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
/** @typedef {Store["actions"]} Actions */
/** @typedef {ReturnType<typeof runActions>} RunActions */
