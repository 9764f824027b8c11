// The numbers in words: what one map says about the chosen tokens.

import { tokenInWords, weightText } from "../page/labels.js";
import { MOST_LINKS } from "./links.js";
import { firstMasked } from "./masked.js";

/** @typedef {{label: string, weight: number, isMasked?: boolean}} ReadoutEntry isMasked: there is no weight, as no query of the link may attend to its keys */
/** @typedef {{rows: number[], cols: number[]}} Spot the chosen rows and columns of a sheet */
/** @typedef {(row: number, col: number) => boolean} Allowed */
/**
 * @typedef {object} Readout
 * @property {string} lead what the entries belong to, such as `it →`
 * @property {ReadoutEntry[]} entries
 * @property {boolean} exact whether the numbers are the model's own, not the overview's
 */

const MOST_ENTRIES = 3;
const MOST_NAMED = 3;

/**
 * Where a focus lies on a sheet; null: nowhere.
 * @param {Sheet} sheet
 * @param {Focus | null} focus in the tokens of the sheet's axes
 * @returns {Spot | null}
 */
export function spotOn(sheet, focus) {
  if (focus === null) return null;
  const among = (/** @type {Axis} */ axis, /** @type {number[]} */ tokens) =>
    tokens.length === 0 ? [] : axis.groups.flatMap((group, at) => (group.some((one) => tokens.includes(one)) ? [at] : []));
  const spot = { rows: among(sheet.queries, focus.queries), cols: among(sheet.keys, focus.keys) };
  // Where queries and keys are two texts, a token that is chosen alone is shown at the end it has.
  const isAlone = focus.queries.length === 0 || focus.keys.length === 0;
  if (isAlone && spot.rows.length + spot.cols.length === 0) {
    const turned = { rows: among(sheet.queries, focus.keys), cols: among(sheet.keys, focus.queries) };
    return turned.rows.length + turned.cols.length === 0 ? null : turned;
  }
  // A chosen token that this sheet does not show must not turn a link into a whole row.
  const isLost = (focus.queries.length > 0 && spot.rows.length === 0) || (focus.keys.length > 0 && spot.cols.length === 0);
  return isLost || spot.rows.length + spot.cols.length === 0 ? null : spot;
}

/**
 * For chosen rows and columns one value, the mean over the rows of what the columns get together; for rows or columns
 * alone the three strongest partners that the filter shows.
 * @param {Sheet} sheet
 * @param {Spot} spot
 * @param {Allowed} allowed
 * @returns {Readout}
 */
export function readout(sheet, { rows, cols }, allowed) {
  if (sheet.overlaid) return overlaidReadout(sheet.overlaid, { rows, cols }, allowed);
  const { exact, queries, keys } = sheet;
  const n_keys = keys.labels.length;
  const weight = (/** @type {number} */ row, /** @type {number} */ col) =>
    allowed(row, col) ? sheet.weights[row * n_keys + col] : 0;
  const meanOver = (/** @type {number} */ col, among = rows) =>
    among.length === 0 ? 0 : among.reduce((sum, row) => sum + weight(row, col), 0) / among.length;
  const sumOver = (/** @type {number} */ row) => cols.reduce((sum, col) => sum + weight(row, col), 0);
  if (rows.length > 0 && cols.length > 0) {
    // As where heads are ranked by a link: only queries that can see any of the keys count.
    const seeing = rows.filter((row) => cols.some((col) => col < firstMasked(sheet, row)));
    const weight = cols.reduce((sum, col) => sum + meanOver(col, seeing), 0);
    const entry = { label: named(keys, cols), weight, ...(seeing.length === 0 ? { isMasked: true } : {}) };
    return { lead: `${named(queries, rows)} →`, entries: [entry], exact };
  }
  if (rows.length > 0) return { lead: `${named(queries, rows)} →`, entries: strongest(keys, meanOver), exact };
  return { lead: `→ ${named(keys, cols)} from`, entries: strongest(queries, sumOver), exact };
}

/**
 * The strongest link of the chosen row that is not to a special token, the first token or the row itself, and the sink that
 * gets more; null: none.
 * @param {Sheet} sheet
 * @param {Spot} spot
 */
export function strongestBetweenWords({ weights, signed, queries, keys, sinks }, { rows, cols }) {
  if (signed || rows.length !== 1) return null;
  const own = queries.groups[rows[0]];
  const among = cols.length > 0 ? cols : [...keys.labels.keys()].filter((col) => sinks[col] === 0 && !keys.groups[col].some((one) => own.includes(one)));
  const weightAt = (/** @type {number} */ col) => weights[rows[0] * keys.labels.length + col];
  const [best] = among.sort((one, other) => weightAt(other) - weightAt(one));
  if (best === undefined || weightAt(best) === 0) return null;
  const isPair = cols.length > 0;
  const most = isPair ? best : [...keys.labels.keys()].reduce((one, other) => (weightAt(other) > weightAt(one) ? other : one), best);
  const isItself = !isPair && keys.groups[most].some((one) => own.includes(one));
  const isSink = !isItself && sinks[most] === 1;
  return { from: nameOf(queries, rows[0]), to: nameOf(keys, best), weight: weightAt(best), isPair, isItself, sink: isSink ? nameOf(keys, most) : null };
}

/**
 * What each overlaid head says: its value of a link, else its strongest partner.
 * @param {NonNullable<Sheet["overlaid"]>} heads
 * @param {Spot} spot
 * @param {Allowed} allowed
 * @returns {Readout}
 */
function overlaidReadout(heads, spot, allowed) {
  const said = heads.map(({ name, sheet }) => ({ name, ...readout(sheet, spot, allowed) }));
  const isLink = spot.rows.length > 0 && spot.cols.length > 0;
  const target = isLink ? ` ${named(heads[0].sheet.keys, spot.cols)}` : "";
  const entries = said.flatMap(({ name, entries: [first] }) => (first ? [{ ...first, label: isLink ? name : `${name} ${first.label}` }] : []));
  return { lead: `${said[0].lead}${target}`, entries, exact: said.every(({ exact }) => exact) };
}

/** One token in words, with its running number where the same text occurs more than once. @param {Axis} axis @param {number} at */
function nameOf({ labels, groups }, at) {
  const name = tokenInWords({ text: labels[at] });
  return labels.indexOf(labels[at]) === labels.lastIndexOf(labels[at]) ? name : `${name} ·${groups[at][0]}`;
}

/** Chosen tokens in words. @param {Axis} axis @param {number[]} chosen */
export function named(axis, chosen) {
  const words = chosen.slice(0, MOST_NAMED).map((at) => nameOf(axis, at));
  const more = chosen.length - words.length;
  return `${words.join(" + ")}${more > 0 ? ` + ${more} more` : ""}`;
}

/** @param {Axis} axis @param {(at: number) => number} weightOf @returns {ReadoutEntry[]} */
function strongest(axis, weightOf) {
  return axis.labels
    .map((_, at) => ({ at, weight: weightOf(at) }))
    .filter((entry) => entry.weight !== 0)
    .sort((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
    .slice(0, MOST_ENTRIES)
    .map(({ at, weight }) => ({ label: nameOf(axis, at), weight }));
}

/** What stands for a number where there is none. */
export const MASKED = "masked: it comes later";

/** The readout as a sentence for a screen reader. @param {string} name of what is read @param {Readout} said */
export function spoken(name, said) {
  const about = said.exact ? "" : "about ";
  const number = (/** @type {ReadoutEntry} */ { weight, isMasked }) => (isMasked ? MASKED : `${about}${weightText(weight)}`);
  const entries = said.entries.map((entry) => `${entry.label} ${number(entry)}`).join(", ");
  return `${name}: ${said.lead} ${entries || "nothing shown"}`;
}

/** Which share of a sheet's whole weight a filter shows. @param {Sheet} sheet @param {Allowed} allowed @returns {number} 0 to 1 */
export function shownShare({ weights, keys }, allowed) {
  let [shown, total] = [0, 0];
  const n_keys = keys.labels.length;
  weights.forEach((weight, at) => {
    const size = Math.abs(weight);
    total += size;
    if (allowed(Math.floor(at / n_keys), at % n_keys)) shown += size;
  });
  return total > 0 ? shown / total : 0;
}

/** Where the weight lies that says little, and what the controls took away. @param {Sheet} sheet @returns {string[]} */
export function sharesOf({ on_first, on_sinks, sinks, dimmed, dropped, renormalised, unaligned }) {
  const said = [];
  // Of two compared maps the shares would be neither's.
  if (unaligned === null && on_first !== null && on_sinks !== null) {
    const which = on_sinks > on_first ? `the first token ${percent(on_first)}, special tokens after it ${percent(on_sinks - on_first)}` : "all of it the first token";
    said.push(`Sinks take ${percent(on_sinks)} of the attention in this map${dimmed && sinks.includes(1) ? " (dimmed)" : ""}: ${which}.`);
  }
  if (dropped > 0) said.push(`Hidden: ${percent(dropped)} of the weight${renormalised ? "; rows renormalised" : ""}.`);
  if (unaligned && unaligned.one + unaligned.other > 0.005) {
    said.push(`On tokens without a counterpart: ${percent(unaligned.one)} and ${percent(unaligned.other)}.`);
  }
  return said;
}

/** @param {number} part 0 to 1 */
export function percent(part) {
  return `${Math.round(100 * part)} %`;
}

/**
 * By which rule lines were chosen when no token is in focus.
 * @param {{links: unknown[], dropped: number}} chosen
 * @param {number} mass in percent
 * @param {boolean} isFiltered
 * @param {boolean} isDimmed whether links to sinks were chosen apart from the others
 */
export function linkRule({ links, dropped }, mass, isFiltered, isDimmed) {
  const cut = dropped > 0 ? `, the top ${MOST_LINKS} of ${links.length + dropped}` : "";
  return `Strongest links, ${mass} % of each row's ${isFiltered ? "shown " : ""}mass${isDimmed ? " apart from sinks" : ""}${cut}.`;
}

/** Which lines are drawn for the chosen tokens: of overlaid heads not more than `MOST_LINKS`. @param {Sheet} sheet @param {number} n_links drawn */
export function focusRule({ overlaid }, n_links) {
  return overlaid && n_links === MOST_LINKS ? `The top ${MOST_LINKS} links of the chosen tokens.` : "All links of the chosen tokens.";
}
