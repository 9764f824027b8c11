// The numbers in words: what one head says about the focused tokens. Pure; it must not know the page.

import { headName, tokenInWords, weightText } from "./labels.js";
import { MASS, MOST_LINKS } from "./links.js";
import { weightAt } from "./selectors.js";

/** @typedef {import("./selectors.js").HeadMap} HeadMap */
/** @typedef {import("./api.js").Token} Token */
/** @typedef {import("./permalink.js").Focus} Focus */
/** @typedef {{label: string, weight: number}} Entry */
/**
 * @typedef {object} Readout
 * @property {string} lead what the entries belong to, such as `it →`
 * @property {Entry[]} entries
 * @property {boolean} exact whether the numbers are the model's own, not the overview's
 */

const MOST_ENTRIES = 3;

/**
 * One value for a pair of tokens; for one token alone the three strongest partners the filter shows.
 * @param {HeadMap} map
 * @param {Token[]} tokens
 * @param {Focus} focus
 * @param {(query: number, key: number) => boolean} allowed
 * @returns {Readout}
 */
export function readout(map, tokens, focus, allowed) {
  const exact = map.weights !== null;
  const { query, key } = focus;
  if (query !== null && key !== null) {
    const entry = { label: tokenInWords(tokens[key]), weight: weightAt(map, query, key) };
    return { lead: `${tokenInWords(tokens[query])} →`, entries: [entry], exact };
  }
  if (query !== null) {
    const entries = strongest(tokens, (other) => (allowed(query, other) ? weightAt(map, query, other) : 0));
    return { lead: `${tokenInWords(tokens[query])} →`, entries, exact };
  }
  const at = key ?? 0;
  const entries = strongest(tokens, (other) => (allowed(other, at) ? weightAt(map, other, at) : 0));
  return { lead: `→ ${tokenInWords(tokens[at])} from`, entries, exact };
}

/**
 * @param {Token[]} tokens
 * @param {(token: number) => number} weightOf
 * @returns {Entry[]}
 */
function strongest(tokens, weightOf) {
  return tokens
    .map((token) => ({ label: tokenInWords(token), weight: weightOf(token.index) }))
    .filter((entry) => entry.weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MOST_ENTRIES);
}

/**
 * The readout as a sentence for a screen reader.
 * @param {number} layer
 * @param {number} head
 * @param {Readout} said
 */
export function spoken(layer, head, said) {
  const about = said.exact ? "" : "about ";
  const entries = said.entries.map((entry) => `${entry.label} ${about}${weightText(entry.weight)}`).join(", ");
  return `${headName(layer, head)}: ${said.lead} ${entries || "nothing shown"}`;
}

/**
 * Which share of the head's whole weight a filter shows.
 * @param {HeadMap} map
 * @param {(query: number, key: number) => boolean} allowed
 * @returns {number} 0 to 1
 */
export function shownShare(map, allowed) {
  let [shown, total] = [0, 0];
  for (let query = 0; query < map.n_queries; query += 1) {
    for (let key = 0; key < map.n_keys; key += 1) {
      const weight = weightAt(map, query, key);
      total += weight;
      if (allowed(query, key)) shown += weight;
    }
  }
  return total > 0 ? shown / total : 0;
}

/** @param {number} part 0 to 1 */
export function percent(part) {
  return `${Math.round(100 * part)} %`;
}

/**
 * By which rule lines were chosen when no token is in focus.
 * @param {{links: unknown[], dropped: number}} chosen
 * @param {boolean} isFiltered
 */
export function linkRule({ links, dropped }, isFiltered) {
  const cut = dropped > 0 ? `, the top ${MOST_LINKS} of ${links.length + dropped}` : "";
  return `Strongest links, ${percent(MASS)} of each row's ${isFiltered ? "shown " : ""}mass${cut}.`;
}
