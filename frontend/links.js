// Which lines of the bipartite view are drawn: never all T x T of them.
// It must not know canvases or state: weights in, links out.

/** The part of each row's shown weight that the strongest links cover. */
export const MASS = 0.5;
/** No view draws more links than this. */
export const MOST_LINKS = 400;

/**
 * @typedef {object} Link
 * @property {number} query
 * @property {number} key
 * @property {number} weight
 */

/**
 * @typedef {object} Pattern the weights of one head
 * @property {ArrayLike<number>} weights queries x keys
 * @property {number} n_queries
 * @property {number} n_keys
 */

/** @typedef {(query: number, key: number) => boolean} Allowed */

/**
 * Per query, the strongest keys until they hold `mass` of what the row shows; of all those the
 * strongest `most`, weakest first so that strong lines are drawn on top.
 * @param {Pattern} pattern
 * @param {Allowed} allowed
 * @param {number} [mass]
 * @param {number} [most]
 * @returns {{links: Link[], dropped: number}}
 */
export function strongestLinks(pattern, allowed, mass = MASS, most = MOST_LINKS) {
  const { weights, n_queries, n_keys } = pattern;
  /** @type {Link[]} */
  const links = [];
  for (let query = 0; query < n_queries; query += 1) {
    let total = 0;
    /** @type {Link[]} */
    const row = [];
    for (let key = 0; key < n_keys; key += 1) {
      const weight = weights[query * n_keys + key];
      if (weight > 0 && allowed(query, key)) {
        row.push({ query, key, weight });
        total += weight;
      }
    }
    row.sort(byWeightFalling);
    let covered = 0;
    for (const link of row) {
      if (covered >= mass * total) break;
      links.push(link);
      covered += link.weight;
    }
  }
  links.sort(byWeightFalling);
  const dropped = Math.max(0, links.length - most);
  return { links: links.slice(0, most).reverse(), dropped };
}

/**
 * All links of the focused query and of the focused key (of the query alone when both are given, since
 * the key is then one end of its row), weakest first.
 * @param {Pattern} pattern
 * @param {{query: number | null, key: number | null}} focus
 * @param {Allowed} allowed
 * @returns {Link[]}
 */
export function focusedLinks(pattern, focus, allowed) {
  const { weights, n_queries, n_keys } = pattern;
  /** @type {Link[]} */
  const links = [];
  const add = (/** @type {number} */ query, /** @type {number} */ key) => {
    const weight = weights[query * n_keys + key];
    if (weight > 0 && allowed(query, key)) links.push({ query, key, weight });
  };
  if (focus.query !== null) for (let key = 0; key < n_keys; key += 1) add(focus.query, key);
  else if (focus.key !== null) for (let query = 0; query < n_queries; query += 1) add(query, focus.key);
  return links.sort(byWeightFalling).reverse();
}

/**
 * @param {Link} one
 * @param {Link} other
 */
function byWeightFalling(one, other) {
  return other.weight - one.weight;
}
