// A part of the view: what somebody chose, how a link carries it and how undo treats it.

/**
 * @template Value
 * @typedef {object} Choice
 * @property {string} key its name in the view
 * @property {Value} usual
 * @property {(value: Value, put: (name: string, word: string) => void) => void} write into a link; nothing while it is the usual one
 * @property {(get: (name: string) => string | null) => Value} read from a link; never fails
 * @property {(get: (name: string) => string | null) => string[]} misread the parts of a link that `read` cannot understand, as `name=word`
 * @property {"step" | "slide" | "pass"} undo undone step by step; changed while a slider moves; not undone: where one looks
 * @property {(value: Value) => Record<string, unknown>} parts what is compared, part by part, to tell whether it changed
 * @property {(view: object) => Value} of its value in a view or state
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
 * @param {(word: string) => string[]} [options.misread] of a word with several entries those that cannot be understood
 * @param {Choice<Value>["undo"]} [options.undo]
 * @param {(value: Value) => unknown} [options.compared] what of it counts for undo
 * @returns {Choice<Value>}
 */
export function choice(key, { link = key, usual, write, read, misread, undo = "step", compared = (value) => value }) {
  const notRead = misread ?? ((word) => (read(word) === null ? [word] : []));
  return {
    key,
    usual,
    undo,
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
    misread(get) {
      const word = get(link);
      return word === null ? [] : notRead(word).map((part) => `${link}=${part}`);
    },
  };
}
