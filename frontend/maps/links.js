// Which lines of the bipartite view are drawn: never all T x T of them. The weights may be signed: a strong link is
// one far from zero.

/** No view draws more links than this. */
export const MOST_LINKS = 400;

/** @typedef {{query: number, key: number, weight: number, head?: number}} Link a row of a map, a column, and the weight where
 *   they cross; head: whose weight it is, where several heads are overlaid */
/** @typedef {Pick<Sheet, "weights" | "queries" | "keys">} Weights of a map: its lines are tokens, words or units */
/** @typedef {(query: number, key: number) => boolean} Allowed */

/**
 * Per query, the strongest keys until they hold `mass` of what the row shows; of all those the strongest
 * `MOST_LINKS`, weakest first so that strong lines are drawn on top.
 * @param {Weights} map
 * @param {Allowed} allowed
 * @param {number} mass 0: none, 1: all
 */
export function strongestLinks(map, allowed, mass) {
  const keys = [...map.keys.labels.keys()];
  /** @type {Link[]} */
  const links = [];
  for (const query of map.queries.labels.keys()) {
    const row = linksBetween(map, [query], keys, allowed).sort(byStrengthFalling);
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
  return { links: links.slice(0, MOST_LINKS).reverse(), dropped: Math.max(0, links.length - MOST_LINKS) };
}

/**
 * All links of the focused rows, or of the focused columns (of the rows alone when there are both, since
 * the columns are then ends of theirs), weakest first.
 * @param {Weights} map
 * @param {{rows: number[], cols: number[]}} focus each once
 * @param {Allowed} allowed
 */
export function focusedLinks(map, { rows, cols }, allowed) {
  const [queries, keys] = rows.length > 0 ? [rows, [...map.keys.labels.keys()]] : [[...map.queries.labels.keys()], cols];
  return linksBetween(map, queries, keys, allowed).sort(byStrengthFalling).reverse();
}

/**
 * The links of several heads as those of one picture: the strongest `MOST_LINKS`, weakest first.
 * @param {{links: Link[], dropped: number}[]} heads
 */
export function overlaidLinks(heads) {
  const all = heads.flatMap(({ links }, head) => links.map((link) => ({ ...link, head }))).sort(byStrengthFalling);
  const dropped = heads.reduce((sum, head) => sum + head.dropped, Math.max(0, all.length - MOST_LINKS));
  return { links: all.slice(0, MOST_LINKS).reverse(), dropped };
}

/** @param {Weights} map @param {number[]} queries @param {number[]} keys @param {Allowed} allowed */
function linksBetween({ weights, keys: { labels } }, queries, keys, allowed) {
  /** @type {Link[]} */
  const links = [];
  for (const query of queries) {
    for (const key of keys) {
      const weight = weights[query * labels.length + key];
      if (weight !== 0 && allowed(query, key)) links.push({ query, key, weight });
    }
  }
  return links;
}

/** @param {Link} one @param {Link} other */
function byStrengthFalling(one, other) {
  return Math.abs(other.weight) - Math.abs(one.weight);
}
