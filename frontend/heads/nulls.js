// What was found where there is nothing to find: null models and exchanged answers, in words and as rows of a table.

/** @typedef {import("./atlas.js").NullResult} NullResult */
/** @typedef {{what: string, results: NullResult[]}} NullKind one null in all sections that were measured on it */

/** @param {Pick<Atlas, "nulls">} atlas the nulls whose roles are false ones */
export function falseNulls({ nulls }) {
  return nulls.filter(({ counts_as_false }) => counts_as_false);
}

/** @param {Pick<Atlas, "nulls">} atlas those whose roles may be real, so they are listed apart */
export function otherNulls({ nulls }) {
  return nulls.filter(({ counts_as_false }) => !counts_as_false);
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Whether roles were found in the nulls, and how many of the model's own are therefore expected to be false.
 * @param {Pick<Atlas, "nulls" | "roles">} atlas
 * @returns {string} empty where there was no null
 */
export function nullWords(atlas) {
  const nulls = falseNulls(atlas);
  const runs = sum(nulls.map((one) => one.runs));
  const found = sum(nulls.map((one) => one.roles));
  if (runs === 0) return "";
  const counted = (/** @type {number} */ n, /** @type {string} */ one) => `${n} ${one}${n === 1 ? "" : "s"}`;
  const where = `In ${counted(runs, "run")} of ${counted(nullKinds(nulls).length, "null")}, where there is nothing to find,`;
  if (found === 0) return `${where} no role was found.`;
  const own = sum(atlas.roles.map(({ heads }) => heads.length));
  const expects = `${amountText(expectedFalse(nulls))} of this model's ${counted(own, "role")} are expected to be false`;
  return `${where} ${counted(found, "role")} ${found === 1 ? "was" : "were"} found: ${expects}.`;
}

/** @param {NullResult[]} nulls false roles to expect in all sections, by the null that finds most in each */
function expectedFalse(nulls) {
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const { section, expected } of nulls) most.set(section, Math.max(most.get(section) ?? 0, expected));
  return sum([...most.values()]);
}

/** Each null once, with its result in every section. @param {NullResult[]} nulls @returns {NullKind[]} */
export function nullKinds(nulls) {
  const whats = [...new Set(nulls.map(({ what }) => what))];
  return whats.map((what) => ({ what, results: nulls.filter((one) => one.what === what) }));
}

/** @param {number} amount an expected number of roles, as short as it can be without becoming nothing */
export function amountText(amount) {
  if (amount === 0) return "0";
  return amount < 0.005 ? "< 0.01" : amount < 1 ? amount.toFixed(2) : amount.toFixed(1);
}
