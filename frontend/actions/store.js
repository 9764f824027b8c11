// The named actions that change the state, and who hears of it.

import { buildActions } from "./build.js";
import { corpusActions } from "./corpus.js";
import { focusActions } from "./focus.js";
import { generationActions } from "./generation.js";
import { gridActions } from "./grid.js";
import { headsActions } from "./heads.js";
import { notesActions } from "./notes.js";
import { pinActions } from "./pins.js";
import { questionActions } from "./question.js";
import { runActions } from "./run.js";
import { holderOfB } from "../state/side.js";
import { initialState } from "../state/state.js";

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
