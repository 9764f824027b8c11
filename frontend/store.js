// The named actions that change the state, and who hears of it.
// It must not know the page's elements, the network or time.

import { gridActions } from "./grid_actions.js";
import { headsActions } from "./heads_actions.js";
import { codesOf } from "./maps.js";
import { NOTHING_ASKED, wellFormed } from "./permalink.js";
import { focusWithin, isStale, question, questionKey, shownFocus } from "./selectors.js";
import { IDLE, initialState } from "./state.js";

/** @typedef {import("./api.js").Model} Model */
/** @typedef {import("./api.js").Config} Config */
/** @typedef {import("./api.js").Example} Example */
/** @typedef {import("./api.js").MetricsCatalogue} MetricsCatalogue */
/** @typedef {import("./api.js").Problem} Problem */
/** @typedef {import("./permalink.js").View} View */
/** @typedef {import("./permalink.js").Focus} Focus */
/** @typedef {import("./permalink.js").Mode} Mode */
/** @typedef {import("./socket.js").Start} Start */
/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Analysis} Analysis */
/** @typedef {import("./state.js").Cell} Cell */
/** @typedef {import("./wire.js").Frame} Frame */

/**
 * @param {Focus | null} one
 * @param {Focus | null} other
 */
export function sameFocus(one, other) {
  return one?.query === other?.query && one?.key === other?.key;
}

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

  /** @param {Partial<State>} patch a change of the question, after which token numbers mean nothing */
  function ask(patch) {
    update({ lock: null, hover: null, ask: NOTHING_ASKED, edges: null, typing: false, ...patch });
  }

  const isPin = (/** @type {Cell} */ cell) => (/** @type {Cell} */ pin) =>
    pin.layer === cell.layer && pin.head === cell.head;

  const holder = {
    get state() {
      return state;
    },
    update,
  };
  const actions = {
    ...gridActions(holder),
    ...headsActions(holder),
    /** @param {Model[]} models @param {Config} config @param {MetricsCatalogue} metrics_catalogue */
    describe(models, config, metrics_catalogue) {
      const first = config.examples[0];
      const untouched = state.text === null;
      update({
        models,
        config,
        metrics_catalogue,
        model: state.model ?? config.default_model,
        text: untouched ? (first?.text ?? "") : state.text,
        text_pair: untouched ? (first?.text_pair ?? null) : state.text_pair,
      });
    },
    /** @param {"connecting" | "open" | "lost"} connection */
    connect(connection) {
      update({ connection });
    },
    /** @param {View} view all that a link says */
    restore(view) {
      const { config, analysis } = state;
      const text = view.text ?? config?.examples[0]?.text ?? null;
      const model = view.model ?? config?.default_model ?? null;
      const asked = { ...view, text, model, hover: null, typing: false };
      // A link to another text is measured when its answer begins; for the same text none will.
      const isAnswered = analysis !== null && !isStale({ ...state, ...asked });
      update({ ...asked, ...(isAnswered ? fitting(view, analysis) : {}) });
    },

    /** @param {string} model */
    chooseModel(model) {
      ask({ model });
    },
    /** @param {Example} example */
    chooseExample(example) {
      ask({ text: example.text, text_pair: example.text_pair });
    },
    /** @param {string} text */
    editText(text) {
      ask({ text: wellFormed(text), typing: true });
    },
    /** @param {string | null} text null takes the second sentence away */
    editPair(text) {
      ask({ text_pair: text === null ? null : wellFormed(text), typing: text !== null });
    },

    /** @param {Cell} cell */
    togglePin(cell) {
      const rest = state.pins.filter((pin) => !isPin(cell)(pin));
      const isNew = rest.length === state.pins.length;
      update({ pins: isNew ? [...rest, { layer: cell.layer, head: cell.head, mode: "heatmap" }] : rest });
    },
    unpinAll() {
      update({ pins: [] });
    },
    /** @param {Mode} mode @param {Cell} [cell] without it all panels change */
    setMode(mode, cell) {
      update({ pins: state.pins.map((pin) => (!cell || isPin(cell)(pin) ? { ...pin, mode } : pin)) });
    },
    /** @param {string} filter */
    chooseFilter(filter) {
      update({ filter });
    },

    /** @param {Cell | null} cursor */
    pointAt(cursor) {
      if (cursor?.layer !== state.cursor?.layer || cursor?.head !== state.cursor?.head) update({ cursor });
    },
    pinCursor() {
      if (state.cursor !== null) actions.togglePin(state.cursor);
    },
    /** @param {Focus | null} hover */
    hover(hover) {
      if (!sameFocus(hover, state.hover)) update({ hover });
    },
    /** @param {Focus} focus locks it, or releases it when it is the locked one */
    toggleLock(focus) {
      update({ lock: sameFocus(focus, state.lock) ? null : focus, hover: focus });
    },
    /** @param {number} queries how far to move the focus, a locked one too @param {number} keys */
    moveFocus(queries, keys) {
      if (state.analysis === null) return;
      const last = state.analysis.n_tokens - 1;
      const moved = (/** @type {number | null | undefined} */ from, /** @type {number} */ by) => {
        if (from == null) return by === 0 ? null : by > 0 ? 0 : last;
        return Math.min(last, Math.max(0, from + by));
      };
      const from = shownFocus(state);
      const focus = { query: moved(from?.query, queries), key: moved(from?.key, keys) };
      update({ hover: focus, lock: state.lock && focus });
    },
    lockFocus() {
      const focus = shownFocus(state);
      if (focus !== null) actions.toggleLock(focus);
    },
    /** What Escape does: the lock first, then what is hovered. @returns {boolean} whether anything was held */
    release() {
      if (state.lock !== null) update({ lock: null, hover: null });
      else if (state.hover !== null || state.cursor !== null) update({ hover: null, cursor: null });
      else return false;
      return true;
    },

    /** The question in the boxes is put to the server. */
    pend() {
      update({ run: { ...IDLE, phase: "pending" }, asked: questionKey(question(state)) });
    },
    /** @param {{message: string, done: number, total: number}} progress */
    progress({ message, done, total }) {
      update({ run: { ...state.run, progress: { message, done, total } } });
    },
    /** @param {Start} start */
    begin({ id, model, n_layers, n_heads, tokens, n_tokens, opportunities }) {
      update({
        analysis: {
          id,
          model,
          n_layers,
          n_heads,
          tokens,
          n_tokens,
          question: state.asked,
          layers: new Map(),
          exact: new Map(),
          measures: new Map(),
          opportunities,
        },
        run: { ...IDLE, phase: "streaming" },
        ...fitting(state, { n_layers, n_heads, n_tokens }),
        hover: null,
        cursor: null,
        edges: null,
        refused: new Map(),
      });
    },
    /** @param {Frame} frame */
    receive(frame) {
      if (state.analysis === null) return;
      state.analysis.layers.set(frame.layer, frame);
      update({ run: { ...state.run, progress: null, layers: state.analysis.layers.size } });
    },
    /** @param {Record<string, number>} timing */
    finish(timing) {
      update({ run: { ...state.run, phase: "done", timing } });
    },
    /** @param {Problem} problem the old maps would be no answer to the new question: they go */
    fail(problem) {
      update({ run: { ...IDLE, phase: "failed", problem }, analysis: null, hover: null, cursor: null });
    },

    /** @param {Analysis} analysis @param {Cell} cell @param {Float32Array} weights */
    receiveExact(analysis, { layer, head }, weights) {
      if (analysis !== state.analysis) return;
      analysis.exact.set(`${layer}.${head}`, { weights, codes: codesOf(weights) });
      update({ exact: state.exact + 1 });
    },
    /** @param {Analysis} analysis @param {Cell} cell @param {string} reason */
    refuseExact(analysis, { layer, head }, reason) {
      if (analysis !== state.analysis) return;
      update({ refused: new Map(state.refused).set(`${layer}.${head}`, reason) });
    },
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

/**
 * What of a view an analysis has heads and tokens for; the same pins when none has to go.
 * @param {Pick<View, "pins" | "lock" | "ask">} view
 * @param {Pick<Analysis, "n_layers" | "n_heads" | "n_tokens">} analysis
 */
function fitting({ pins, lock, ask }, { n_layers, n_heads, n_tokens }) {
  const kept = pins.filter((pin) => pin.layer < n_layers && pin.head < n_heads);
  return {
    pins: kept.length === pins.length ? pins : kept,
    lock: focusWithin(lock, n_tokens),
    ask: Math.max(...ask.queries, ...ask.keys) < n_tokens ? ask : NOTHING_ASKED,
  };
}
