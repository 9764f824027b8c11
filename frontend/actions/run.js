// What happens to a question after it was put to the server, on one side: it waits, begins, brings layers, ends.

import { fits } from "../state/pins.js";
import { focusWithin, question, questionKey, typedOf } from "../state/selectors.js";
import { IDLE } from "../state/state.js";
import { NOTHING_ASKED } from "../state/view.js";

/** @typedef {import("../requests/socket.js").Start} Start */
/** @typedef {import("../state/state.js").Answer} Answer */
/** @typedef {import("../state/view.js").Side} Side */

/**
 * @param {Holder} holder
 * @param {Side} side
 */
export function runActions(holder, side) {
  return {
    /** The question in the boxes is put to the server. */
    pend() {
      holder.update({ run: { ...IDLE, phase: "pending" }, asked: questionKey(question(holder.state)) });
    },
    /** @param {{message: string, done: number, total: number}} progress */
    progress({ message, done, total }) {
      holder.update({ run: { ...holder.state.run, progress: { message, done, total } } });
    },
    /** @param {Start} start @param {"raw" | "weighted"} [values] whose maps are coming */
    begin(start, values = "raw") {
      const { analysis: before, asked } = holder.state;
      const analysis = analysisFrom(start, asked, values);
      const isAgain = before?.id === start.id && before.question === asked;
      // The same question once more, for its maps weighted or raw: its tokens, and what is known exactly, stay so.
      if (isAgain) Object.assign(analysis, { exact: before.exact, tokens: before.tokens });
      holder.update({
        analysis,
        run: { ...IDLE, phase: "streaming" },
        // One that answers an older question says nothing of the view that is there now.
        ...(isAnswered(holder.state) ? fitting(holder.state, analysis, side) : {}),
        ...(isAgain ? {} : withoutPointers(holder.state, side)),
        refused: new Map(),
        ...(side === "a" ? { edges: null } : {}),
      });
    },
    /** @param {Frame} frame */
    receive(frame) {
      const { analysis, run } = holder.state;
      const stack = analysis && stackOf(analysis, frame.stack);
      if (!analysis || !stack) return;
      stack.layers.set(frame.layer, frame);
      const layers = analysis.stacks.reduce((sum, one) => sum + one.layers.size, 0);
      holder.update({ run: { ...run, progress: null, layers } });
    },
    /** @param {{layer: number, stack?: Stack["stack"]} & Measures} message */
    receiveMeasures({ layer, stack: name, raw, weighted, labels }) {
      const { analysis, measured } = holder.state;
      const stack = analysis && stackOf(analysis, name);
      if (!stack) return;
      stack.measures.set(layer, { raw, weighted, labels });
      holder.update({ measured: measured + 1 });
    },
    /** @param {Record<string, number>} timing */
    finish(timing) {
      const { run, analysis } = holder.state;
      // What was typed on when it began, and taken back since, was not measured by it yet.
      const fitted = analysis && isAnswered(holder.state) ? fitting(holder.state, analysis, side) : {};
      holder.update({ run: { ...run, phase: "done", timing }, ...fitted });
    },
    /** @param {Problem} problem the old maps would be no answer to the new question: they go */
    fail(problem) {
      holder.update({ run: { ...IDLE, phase: "failed", problem }, analysis: null, ...withoutPointers(holder.state, side) });
    },

    /** @param {Analysis} analysis @param {string} key @param {Source} source */
    receiveExact(analysis, key, source) {
      if (analysis !== holder.state.analysis) return;
      analysis.exact.set(key, source);
      holder.update({ exact: holder.state.exact + 1 });
    },
    /** @param {Analysis} analysis @param {string} key @param {string | null} reason null: it may be asked for again */
    refuseExact(analysis, key, reason) {
      if (analysis !== holder.state.analysis) return;
      const others = [...holder.state.refused].filter(([other]) => other !== key);
      holder.update({ refused: new Map(reason === null ? others : [...others, [key, reason]]) });
    },
    /** @param {KnownAtlas} atlas */
    receiveAtlas(atlas) {
      holder.update({ atlas });
    },
  };
}

/** @param {State} state whether what was put to the server last is what stands in the boxes */
function isAnswered(state) {
  return state.asked === questionKey(question(state));
}

/**
 * Nobody points at what is no longer there; who points at the other side goes on.
 * @param {Pick<State, "hover" | "cursor">} state
 * @param {Side} side
 * @returns {Partial<State>}
 */
function withoutPointers({ hover, cursor }, side) {
  return { ...(hover?.side === side ? { hover: null } : {}), ...(cursor?.side === side ? { cursor: null } : {}) };
}

/**
 * @param {Start} start
 * @param {string} asked
 * @param {"raw" | "weighted"} values
 * @returns {Analysis}
 */
export function analysisFrom(start, asked, values) {
  const { id, model, revision, device, dtype, value_weights, tokens, n_tokens } = start;
  const stacks = start.stacks.map((shape) => {
    return { ...shape, layers: new Map(), measures: new Map(), opportunities: opportunitiesOf(start, shape.stack) };
  });
  const { n_layers, n_heads, layers, measures, opportunities } = stacks[0];
  const made = { id, question: asked, model, revision, device, dtype, value_weights };
  const answer = { ...made, values, tokens, typed: typedOf(asked), n_tokens, stacks, exact: new Map() };
  return { ...answer, n_layers, n_heads, layers, measures, opportunities };
}

/**
 * What the text of one attention lets its heads be measured by.
 * @param {Start} start
 * @param {Stack["stack"]} stack
 */
function opportunitiesOf({ opportunities, decoder_opportunities }, stack) {
  if (stack === "cross") return null;
  return stack === "decoder" ? (decoder_opportunities ?? opportunities) : opportunities;
}

/**
 * @param {Answer} analysis
 * @param {Stack["stack"]} [name] without it the first
 */
function stackOf(analysis, name) {
  return analysis.stacks.find(({ stack }) => stack === name) ?? (name === undefined ? analysis.stacks[0] : null);
}

/**
 * What of a view an analysis has heads and tokens for; the same pins when none has to go.
 * @param {Pick<View, "pins" | "lock" | "ask" | "detail">} view
 * @param {Answer} analysis
 * @param {Side} side whose analysis it is: what is chosen on the other one stays
 */
export function fitting({ pins, lock, ask, detail }, { stacks, n_tokens }, side) {
  const shapeOf = (/** @type {Place} */ place) =>
    place.side === side ? (stacks[place.stack] ?? { n_layers: 0, n_heads: 0 }) : null;
  const kept = pins.filter((pin) => fits(pin, shapeOf));
  return {
    pins: kept.length === pins.length ? pins : kept,
    detail: detail && fits({ kind: "head", ...detail }, shapeOf) ? detail : null,
    lock: lock?.side === side ? focusWithin(lock, n_tokens) : lock,
    ask: side === "b" || Math.max(...ask.queries, ...ask.keys) < n_tokens ? ask : NOTHING_ASKED,
  };
}
