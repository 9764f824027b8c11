// Which lines of the bipartite view are drawn: never all T x T of them. The weights may be signed: a strong link is
// one far from zero.

/** No view draws more links than this. */
export const MOST_LINKS = 400;

/**
 * @typedef {object} Link
 * @property {number} query a row of the map
 * @property {number} key a column
 * @property {number} weight
 */

/**
 * @typedef {object} Pattern the weights of one map: of tokens, words or whatever its rows and columns are
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
 * @param {number} mass 0: none, 1: all
 * @param {number} [most]
 * @returns {{links: Link[], dropped: number}}
 */
export function strongestLinks(pattern, allowed, mass, most = MOST_LINKS) {
  const keys = upTo(pattern.n_keys);
  /** @type {Link[]} */
  const links = [];
  for (let query = 0; query < pattern.n_queries; query += 1) {
    const row = linksBetween(pattern, [query], keys, allowed).sort(byStrengthFalling);
    const total = row.reduce((sum, link) => sum + Math.abs(link.weight), 0);
    let covered = 0;
    for (const link of row) {
      // Rounding must not leave out the last of all links.
      if (mass < 1 && covered >= mass * total) break;
      links.push(link);
      covered += Math.abs(link.weight);
    }
  }
  links.sort(byStrengthFalling);
  const dropped = Math.max(0, links.length - most);
  return { links: links.slice(0, most).reverse(), dropped };
}

/**
 * All links of the focused rows, or of the focused columns (of the rows alone when there are both, since
 * the columns are then ends of theirs), weakest first.
 * @param {Pattern} pattern
 * @param {{rows: number[], cols: number[]}} focus each once
 * @param {Allowed} allowed
 * @returns {Link[]}
 */
export function focusedLinks(pattern, { rows, cols }, allowed) {
  const [queries, keys] = rows.length > 0 ? [rows, upTo(pattern.n_keys)] : [upTo(pattern.n_queries), cols];
  return linksBetween(pattern, queries, keys, allowed).sort(byStrengthFalling).reverse();
}

/** @param {number} n */
function upTo(n) {
  return Array.from({ length: n }, (_, at) => at);
}

/** @param {Pattern} pattern @param {number[]} queries @param {number[]} keys @param {Allowed} allowed @returns {Link[]} */
function linksBetween({ weights, n_keys }, queries, keys, allowed) {
  /** @type {Link[]} */
  const links = [];
  for (const query of queries) {
    for (const key of keys) {
      const weight = weights[query * n_keys + key];
      if (weight !== 0 && allowed(query, key)) links.push({ query, key, weight });
    }
  }
  return links;
}

/** @param {Link} one @param {Link} other */
function byStrengthFalling(one, other) {
  return Math.abs(other.weight) - Math.abs(one.weight);
}
