// What happens to a question after it was sent to the server, on one side: it waits, begins, brings layers, ends.

import { fits } from "../state/pins.js";
import { askedKey, focusWithin, isStale, typedOf } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { IDLE } from "../state/state.js";

/** @typedef {import("../requests/socket.js").Start} Start */

/** The codes of problems with the model itself. */
const NO_MODEL = ["unknown_model", "model_unavailable", "model_failed", "weights_mismatch"];

/** @param {Holder} holder @param {Side} side */
export function runActions(holder, side) {
  const here = () => onSide(holder.state, side);
  /** @param {Partial<import("../state/state.js").Progress>} progress @param {Partial<State>} [others] */
  function update(progress, others = {}) {
    const { sides } = holder.state;
    const known = sides[side];
    if (known !== null) holder.update({ ...others, sides: { ...sides, [side]: { ...known, ...progress } } });
  }
  // An answer to an older question says nothing about the present view.
  const isCurrent = () => here().asked === askedKey(here());

  return {
    /** The question in the boxes is sent to the server. */
    pend: () => update({ run: { ...IDLE, phase: "pending" }, asked: askedKey(here()) }),
    /** @param {{message: string, done: number, total: number}} progress */
    progress: ({ message, done, total }) => update({ run: { ...here().run, progress: { message, done, total } } }),
    /** @param {Start} start @param {"raw" | "weighted"} [values] whose maps are coming */
    begin(start, values = "raw") {
      const { analysis: before, asked } = here();
      const isAgain = before?.id === start.id && before.question === asked;
      // The same question once more, for its maps weighted or raw: its tokens stay.
      const analysis = analysisFrom(isAgain ? { ...start, tokens: before.tokens } : start, asked, values);
      const fitted = isCurrent() ? fitting(holder.state, analysis, side) : {};
      const pointers = isAgain ? {} : withoutPointers(holder.state, side);
      update({ analysis, run: { ...IDLE, phase: "streaming" } }, { ...fitted, ...pointers });
    },
    /** @param {Frame} frame */
    receive(frame) {
      const { analysis, run } = here();
      const stack = analysis && stackOf(analysis, frame.stack);
      if (!analysis || !stack || run.phase === "failed") return;
      stack.layers.set(frame.layer, frame);
      const layers = analysis.stacks.reduce((sum, one) => sum + one.layers.size, 0);
      update({ run: { ...run, progress: null, layers } });
    },
    /** @param {{layer: number, stack?: Stack["stack"]} & Measures} message */
    receiveMeasures({ layer, stack: name, raw, weighted, labels }) {
      const { analysis, measured, run } = here();
      const stack = analysis && stackOf(analysis, name);
      if (!stack || run.phase === "failed") return;
      stack.measures.set(layer, { raw, weighted, labels });
      update({ measured: measured + 1 });
    },
    /** @param {Record<string, number> | null} timing null: nobody waited */
    finish(timing) {
      const { run, analysis } = here();
      // What was typed on when it began, and taken back since, was not measured by it yet.
      const fitted = analysis && isCurrent() ? fitting(holder.state, analysis, side) : {};
      update({ run: { ...run, phase: "done", timing } }, fitted);
    },
    /** @param {Problem} problem maps of an older question stay as they are, unless the model has no heads to show at all */
    fail(problem) {
      const kept = isStale(here()) && !NO_MODEL.includes(problem.code) ? here().analysis : null;
      update({ run: { ...IDLE, phase: "failed", problem }, analysis: kept }, withoutPointers(holder.state, side));
    },
  };
}

/** Without pointers at a side. @param {Pick<State, "hover" | "cursor">} state @param {Side} side @returns {Partial<State>} */
function withoutPointers({ hover, cursor }, side) {
  return { ...(hover?.side === side ? { hover: null } : {}), ...(cursor?.side === side ? { cursor: null } : {}) };
}

/** @param {Start} start @param {string} asked @param {"raw" | "weighted"} values @returns {Analysis} */
function analysisFrom(start, asked, values) {
  const { id, model, revision, device, dtype, value_weights, tokens, n_tokens } = start;
  // What the text of each attention lets its heads be measured by.
  const counted = { encoder: start.opportunities, decoder: start.decoder_opportunities ?? start.opportunities, cross: null };
  const stacks = start.stacks.map((shape) => ({ ...shape, layers: new Map(), measures: new Map(), opportunities: counted[shape.stack] }));
  const { n_layers, n_heads, layers, measures, opportunities } = stacks[0];
  const answer = { id, question: asked, model, revision, device, dtype, value_weights, values, tokens, n_tokens, stacks };
  return { ...answer, typed: typedOf(asked), n_layers, n_heads, layers, measures, opportunities };
}

/** @param {Analysis} analysis @param {Stack["stack"]} [name] */
function stackOf({ stacks }, name = stacks[0].stack) {
  return stacks.find(({ stack }) => stack === name) ?? null;
}

/**
 * What of a view an analysis has heads and tokens for; the same pins when none has to go.
 * @param {View} view
 * @param {Pick<Analysis, "stacks" | "n_tokens">} analysis
 * @param {Side} side whose analysis it is: what is chosen on the other one stays
 * @returns {Partial<Omit<View, "sides">>}
 */
export function fitting({ pins, lock, detail }, { stacks, n_tokens }, side) {
  const shapeOf = (/** @type {Place} */ place) => (place.side === side ? (stacks[place.stack] ?? { n_layers: 0, n_heads: 0 }) : null);
  const kept = pins.filter((pin) => fits(pin, shapeOf));
  return {
    pins: kept.length === pins.length ? pins : kept,
    detail: detail && fits({ kind: "head", ...detail }, shapeOf) ? detail : null,
    lock: lock?.side === side ? focusWithin(lock, n_tokens) : lock,
  };
}
