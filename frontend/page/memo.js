// Computing something once for as long as what it is made from stays the same.

/** @template Value */
export class Memo {
  /** @type {{from: unknown[], value: Value} | null} */
  #kept = null;

  /** @param {unknown[]} from compared item by item, by identity @param {() => Value} make @returns {Value} */
  get(from, make) {
    if (this.#kept === null || !isSameList(from, this.#kept.from)) this.#kept = { from, value: make() };
    return this.#kept.value;
  }
}

/** Whether two lists hold the same items, by identity. @param {unknown[]} one @param {unknown[]} other */
export function isSameList(one, other) {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/**
 * A function of one object that computes once for each object.
 * @template {object} Key
 * @template Value
 * @param {(key: Key) => Value} compute
 * @returns {(key: Key) => Value}
 */
export function perObject(compute) {
  /** @type {WeakMap<Key, Value>} */
  const known = new WeakMap();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return /** @type {Value} */ (known.get(key));
  };
}
