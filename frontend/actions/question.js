// What is asked of the server, on both sides: models and texts. A change of the question makes token numbers of the
// old one meaningless.

import { wellFormed } from "../state/permalink.js";
import { partsOf } from "../state/pins.js";
import { fitting } from "./run.js";
import { isStale, isWeighted, question, questionKey } from "../state/selectors.js";
import { seenFrom } from "../state/side.js";
import { initialStanding } from "../state/state.js";
import { swapped, whyNoSwap } from "./swap.js";
import { NOTHING_ASKED, emptyView } from "../state/view.js";

/** @typedef {import("../requests/api.js").Example} Example */
/** @typedef {import("../state/state.js").KnownComparison} KnownComparison */
/** @typedef {import("../state/view.js").Against} Against */

/** @param {Holder} holder */
export function questionActions(holder) {
  const { update } = holder;

  /** @param {Partial<State>} patch a change of the question, after which token numbers mean nothing */
  function ask(patch) {
    const gone = { lock: null, hover: null, ask: NOTHING_ASKED, edges: null, comparison: null };
    update({ ...gone, typing: false, continuation: [], ...patch });
  }

  /** @param {Partial<Against> | null} patch what side b is to be; null ends the comparison */
  function compareWith(patch) {
    const { against, lock, other, tab } = holder.state;
    const gone = { hover: null, comparison: null };
    if (patch === null) {
      // What a corpus says of the model stays: it is asked for once.
      const standing = { ...initialStanding(), atlas: other.atlas };
      const left = tab === "compare" ? emptyView().tab : tab;
      update({ ...gone, ...withoutB(holder.state), against: null, other: standing, tab: left, cursor: null, typing: false });
      return;
    }
    const { model, text, text_pair } = { model: null, text: null, text_pair: null, ...against, ...patch };
    const clean = (/** @type {string | null} */ words) => words && wellFormed(words);
    update({
      ...gone,
      against: { model, text: clean(text), text_pair: clean(text_pair) },
      lock: lock?.side === "b" ? null : lock,
      typing: patch.text != null || patch.text_pair != null,
    });
  }

  return {
    /** @param {Model[]} models @param {Config} config @param {MetricsCatalogue} metrics_catalogue */
    describe(models, config, metrics_catalogue) {
      const { state } = holder;
      const first = config.examples[0];
      const untouched = state.text === null;
      update({
        models: unlessSame(state.models, models),
        config: unlessSame(state.config, config),
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
      const { state } = holder;
      const text = view.text ?? state.config?.examples[0]?.text ?? null;
      const model = view.model ?? state.config?.default_model ?? null;
      const known = view.against === null ? { ...view, ...withoutB(view) } : view;
      const asked = { ...known, text, model, hover: null, typing: false };
      const next = { ...state, ...asked };
      const comparison = compared(next) === compared(state) ? state.comparison : null;
      update({ ...asked, comparison, ...answered(next) });
    },
    /** @param {string} model */
    chooseModel(model) {
      ask({ model });
    },
    /** @param {Example} example */
    chooseExample(example) {
      ask({ text: example.text, text_pair: example.text_pair });
    },
    /** @param {Example} example with the sentence that comes with it on side b: both in one step */
    choosePair({ text, text_pair, against }) {
      ask({ text, text_pair, against: { model: holder.state.against?.model ?? null, text: against, text_pair: null } });
    },
    /** @param {string} text */
    editText(text) {
      ask({ text: wellFormed(text), typing: true });
    },
    /** @param {string | null} text null takes the second text away */
    editPair(text) {
      ask({ text_pair: text === null ? null : wellFormed(text), typing: text !== null });
    },

    /** @param {{text: string} | {text_pair: string}} part of side b's question: one text typed keeps the other as it stands */
    editAgainst(part) {
      const { text, text_pair } = seenFrom(holder.state, { side: "b", stack: 0 });
      compareWith({ text: text ?? "", text_pair, ...part });
    },
    compareWith,
    /** Both sides change places. */
    swapSides() {
      const { state } = holder;
      if (state.against !== null && whyNoSwap(state) === "") ask(swapped(state));
    },
    /** @param {KnownComparison} comparison */
    receiveComparison(comparison) {
      update({ comparison });
    },
    /** @param {string} filter */
    chooseFilter(filter) {
      update({ filter });
    },
    /** @param {Partial<View>} choice how the answer is looked at: it changes no question */
    look(choice) {
      const isOther = choice.values !== undefined && choice.values !== holder.state.values;
      update({ ...choice, ...(isOther ? { comparison: null } : {}) });
    },
  };
}

/**
 * What is left of a view when nothing is compared: nothing that speaks of side b.
 * @param {View} view
 */
function withoutB({ pins, lock, detail, color_by }) {
  const usual = emptyView();
  return {
    pins: pins.filter((pin) => partsOf(pin).every(({ side }) => side === "a")),
    lock: lock?.side === "b" ? null : lock,
    detail: detail?.side === "b" ? null : detail,
    grid_side: usual.grid_side,
    color_by: color_by === "change" ? usual.color_by : color_by,
  };
}

/** @param {State} state what a comparison is of */
function compared(state) {
  const sides = /** @type {const} */ (["a", "b"]).map((side) => seenFrom(state, { side, stack: 0 }));
  return [...sides.map((side) => questionKey(question(side))), isWeighted(state)].join();
}

/**
 * What of a state its answers have heads and tokens for. One that answers another question says nothing: the view is
 * measured when its own begins.
 * @param {State} state
 */
function answered(state) {
  const { pins, lock, ask, detail, against } = state;
  let kept = { pins, lock, ask, detail };
  for (const side of /** @type {const} */ (["a", "b"])) {
    const seen = seenFrom(state, { side, stack: 0 });
    const isThere = side === "a" || against !== null;
    if (isThere && seen.analysis !== null && !isStale(seen)) kept = fitting(kept, seen.analysis, side);
  }
  return kept;
}

/**
 * What the server said again: whoever draws it need not begin anew.
 * @template T
 * @param {T} known
 * @param {T} told
 * @returns {T}
 */
function unlessSame(known, told) {
  return JSON.stringify(known) === JSON.stringify(told) ? known : told;
}
