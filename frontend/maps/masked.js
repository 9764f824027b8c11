// What the queries of a causal map cannot see: the keys after them.

/** The first column that a row cannot see any token of; the number of columns: it sees all. @param {Pick<Sheet, "causal" | "queries" | "keys">} sheet @param {number} row */
export function firstMasked({ causal, queries, keys }, row) {
  const last = Math.max(...queries.groups[row]);
  const at = causal ? keys.groups.findIndex((group) => Math.min(...group) > last) : -1;
  return at < 0 ? keys.groups.length : at;
}

/** Whether no query of a link may attend to any of its keys, in any attention of a model. @param {Analysis} analysis @param {{queries: number[], keys: number[]}} link */
export function isMaskedLink({ stacks }, { queries, keys }) {
  const holds = (/** @type {[number, number]} */ [from, to], /** @type {number[]} */ tokens) => tokens.every((token) => from <= token && token < to);
  const holding = stacks.filter((stack) => holds(stack.queries, queries) && holds(stack.keys, keys));
  return holding.length > 0 && holding.every(({ causal }) => causal) && Math.max(...queries) < Math.min(...keys);
}
