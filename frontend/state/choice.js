// A part of the view: what somebody chose, how a link carries it and how undo treats it.

/**
 * @template Value
 * @typedef {object} Choice
 * @property {string} key its name in the view
 * @property {Value} usual
 * @property {(value: Value, put: (name: string, word: string) => void) => void} write into a link; nothing while it is the usual one
 * @property {(get: (name: string) => string | null) => Value} read from a link; never fails
 * @property {UndoKind} undo
 * @property {(value: Value) => Record<string, unknown>} parts what is compared, part by part, to tell whether it changed
 * @property {MapTokens<Value> | null} mapTokens of a choice that speaks of tokens of side a; null: it does not
 * @property {(view: object) => Value} of its value in a view or state
 */
/** @typedef {"step" | "slide" | "pass"} UndoKind undone step by step; changed while a slider moves; not undone: where one looks */
/**
 * @template Value
 * @typedef {(value: Value, map: (tokens: number[]) => number[] | null) => Value | null} MapTokens the same choice for other
 *   tokens; null: they are not there
 */

/**
 * A choice that is one word in a link.
 * @template Value
 * @param {string} key
 * @param {object} options
 * @param {string} [options.link] its name in a link; without it the key
 * @param {Value} options.usual
 * @param {(value: Value) => string | null} options.write null: the link says nothing of it
 * @param {(word: string) => Value | null} options.read null: the word cannot be understood
 * @param {UndoKind} [options.undo]
 * @param {(value: Value) => unknown} [options.compared] what of it counts for undo
 * @param {MapTokens<Value>} [options.mapTokens]
 * @returns {Choice<Value>}
 */
export function choice(key, { link = key, usual, write, read, undo = "step", compared = (value) => value, mapTokens }) {
  return {
    key,
    usual,
    undo,
    mapTokens: mapTokens ?? null,
    of: (view) => /** @type {any} */ (view)[key],
    parts: (value) => ({ [key]: compared(value) }),
    write(value, put) {
      const word = write(value);
      if (word !== null && word !== write(usual)) put(link, word);
    },
    read(get) {
      const word = get(link);
      return (word === null ? null : read(word)) ?? usual;
    },
  };
}
