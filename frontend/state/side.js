// The state as it is seen from one side, a or b, and at one attention of its model: whoever draws a grid, a head or an
// order reads it there and need not know that there are several.

/** @typedef {import("./state.js").Standing} Standing */
/** @typedef {import("./view.js").Side} Side */

/** @type {Place} */
export const FIRST = { side: "a", stack: 0 };

/**
 * @param {State} state
 * @param {Side} side
 * @returns {Analysis | null}
 */
export function analysisOf(state, side) {
  return side === "a" ? state.analysis : state.against && state.other.analysis;
}

/**
 * What side b asks and how it stands, under the names that side a has.
 * @param {State} state
 * @returns {State}
 */
function seenFromB(state) {
  const { model, text, text_pair } = state.against ?? { model: null, text: null, text_pair: null };
  const isSame = (model === null || model === state.model) && text === null;
  return {
    ...state,
    ...state.other,
    seen_from: "b",
    model: model ?? state.model,
    text: text ?? state.text,
    text_pair: text_pair ?? (text === null ? state.text_pair : null),
    // Ids of tokens mean nothing to another model, nor after another text.
    continuation: isSame ? state.continuation : [],
  };
}

/** One object for each analysis and stack, so that identity tells whether anything changed. @type {WeakMap<Analysis, Analysis[]>} */
const atStacks = new WeakMap();

/**
 * @param {Analysis} analysis
 * @param {number} stack
 * @returns {Analysis | null} null: the model has no such attention
 */
export function atStack(analysis, stack) {
  const known = atStacks.get(analysis) ?? analysis.stacks.map((one) => ({ ...analysis, ...pick(one) }));
  atStacks.set(analysis, known);
  return stack === 0 ? analysis : (known[stack] ?? null);
}

/** @param {Stack} stack */
function pick({ n_layers, n_heads, layers, measures, opportunities }) {
  return { n_layers, n_heads, layers, measures, opportunities };
}

/** @type {WeakMap<State, Map<string, State>>} */
const seen = new WeakMap();

/**
 * @param {State} state
 * @param {Place} place
 * @returns {State} the cursor only when it is there
 */
export function seenFrom(state, { side, stack }) {
  const views = seen.get(state) ?? new Map();
  seen.set(state, views);
  const name = `${side}${stack}`;
  const known = views.get(name);
  if (known) return known;
  const whole = side === "a" ? state : seenFromB(state);
  const analysis = whole.analysis && atStack(whole.analysis, stack);
  const isThere = state.cursor?.side === side && state.cursor.stack === stack;
  const view = { ...whole, analysis, cursor: isThere ? state.cursor : null };
  views.set(name, view);
  return view;
}

/** What changes when something changes on side b. */
export const STANDING = /** @type {const} */ (["asked", "run", "analysis", "exact", "refused", "atlas", "measured"]);

/**
 * A holder through which side b is changed as side a is.
 * @param {Holder} holder
 * @returns {Holder}
 */
export function holderOfB(holder) {
  return {
    get state() {
      // Whoever changes something has to know where the pointer is, on whichever attention.
      return { ...seenFrom(holder.state, { side: "b", stack: 0 }), cursor: holder.state.cursor };
    },
    update(patch) {
      const isStanding = (/** @type {string} */ key) => STANDING.some((one) => one === key);
      const [mine, shared] = [true, false].map((wanted) =>
        Object.fromEntries(Object.entries(patch).filter(([key]) => isStanding(key) === wanted)),
      );
      holder.update({ ...shared, other: { ...holder.state.other, .../** @type {Partial<Standing>} */ (mine) } });
    },
  };
}
