// The pinned maps as numbers in files: a table, a JSON document, arrays. What is written is what is shown: after
// hiding, renormalising and merging, and only what a filter leaves.

import { whatKey } from "../state/pins.js";
import { activeFilter, question } from "../state/selectors.js";
import { onSide, sidesOf } from "../state/sides.js";

/** @typedef {Pick<ExportContent, "state" | "view" | "maps" | "now">} Exported */

const FORMAT = 1;
const COLUMNS = ["panel", "values", "query", "key", "query_text", "key_text", "weight", "treatment"];

/** What a filter leaves of a map; weights row after row. @param {Drawing} drawing */
export function shownPart({ sheet: { queries, keys, weights }, visible }) {
  if (visible === null) return { queries, keys, weights };
  const [rows, cols] = [visible.rows, visible.cols].map((flags) => [...flags.keys()].filter((at) => flags[at] === 1));
  const n = keys.labels.length;
  const left = rows.flatMap((row) => cols.map((col) => weights[row * n + col]));
  return { queries: chosen(queries, rows), keys: chosen(keys, cols), weights: Float32Array.from(left) };
}

/** @param {Axis} axis @param {number[]} lines @returns {Axis} */
function chosen({ labels, groups, groups_other }, lines) {
  const of = (/** @type {number[][]} */ list) => lines.map((at) => list[at]);
  return { labels: lines.map((at) => labels[at]), groups: of(groups), ...(groups_other ? { groups_other: of(groups_other) } : {}) };
}

/** Each head of an overlay as a map of its own. @param {ShownMap[]} maps @returns {ShownMap[]} */
function mapsOfHeads(maps) {
  return maps.flatMap((map) => {
    const { pin, drawing } = map;
    if (pin.kind !== "overlay" || !drawing.sheet.overlaid) return [map];
    return drawing.sheet.overlaid.map(({ name, sheet }, at) => {
      const title = map.title.replace(map.name, name);
      return { ...map, name, title, pin: { ...pin.heads[at], mode: pin.mode }, drawing: { ...drawing, sheet } };
    });
  });
}

/**
 * One line per weight. What was done to the weights is in every line, so that it outlives the file's name. Merged tokens
 * have all their numbers, as 3+4.
 * @param {ShownMap[]} maps
 */
export function csvOf(maps) {
  const lines = [COLUMNS.join(",")];
  for (const { name, values, drawing, treatment } of mapsOfHeads(maps)) {
    const { queries, keys, weights } = shownPart(drawing);
    const [panel, done] = [name, treatment.join(", ") || "none"].map(csvField);
    const [from, to] = [queries, keys].map(({ labels, groups }) => labels.map((label, at) => [groups[at].join("+"), csvField(label)]));
    weights.forEach((weight, at) => {
      const [query, query_text] = from[Math.floor(at / to.length)];
      const [key, key_text] = to[at % to.length];
      lines.push(`${panel},${values},${query},${key},${query_text},${key_text},${numberOf(weight)},${done}`);
    });
  }
  return `${lines.join("\n")}\n`;
}

/** A text as a field of a CSV file; quoted also where a # would begin a comment. @param {string} text */
export function csvField(text) {
  return /[",#\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The shortest number that gives the same float32 back. @param {number} weight */
function numberOf(weight) {
  return Number(weight.toPrecision(9));
}

/** The view, the tokens, where they come from, and the maps. @param {Exported} exported */
export function jsonOf(exported) {
  const panels = mapsOfHeads(exported.maps).map((map) => {
    const { queries, keys, weights } = shownPart(map.drawing);
    const n = keys.labels.length;
    const rows = queries.labels.map((_, row) => Array.from(weights.subarray(row * n, (row + 1) * n), numberOf));
    return { ...describe(map), queries, keys, weights: rows };
  });
  return `${JSON.stringify({ ...about(exported), panels })}\n`;
}

/** Arrays `map_1`, `queries_1`, `keys_1` for the first map and so on; `about` is everything else, as JSON. @param {Exported} exported */
export function arraysOf(exported) {
  /** @type {import("./npz.js").NamedArray[]} */
  const arrays = [];
  const panels = mapsOfHeads(exported.maps).map((map, at) => {
    const { queries, keys, weights } = shownPart(map.drawing);
    const [rows, cols] = [queries.labels.length, keys.labels.length];
    arrays.push(
      { name: `map_${at + 1}`, shape: [rows, cols], values: weights },
      { name: `queries_${at + 1}`, shape: [rows], values: queries.labels },
      { name: `keys_${at + 1}`, shape: [cols], values: keys.labels },
    );
    return { ...describe(map), queries: queries.groups, keys: keys.groups };
  });
  return [...arrays, { name: "about", shape: [], values: [JSON.stringify({ ...about(exported), panels })] }];
}

/** @param {ShownMap} map */
function describe({ title, pin, values, drawing: { sheet }, treatment }) {
  const { signed, dropped, renormalised, merged } = sheet;
  return { title, what: whatKey(pin), mode: pin.mode, values, signed, dropped, renormalised, merged, treatment };
}

/** What applies to all maps; what was done to each of them is beside it. @param {Exported} exported */
function about({ state, view, now }) {
  const { scale, range, sinks, hide, renormalise, words } = state;
  const sides = sidesOf(state).map((side) => {
    const seen = onSide(state, side);
    const { id, revision, device, dtype, tokens } = seen.analysis ?? {};
    return { side, ...question(seen), id, revision, device, dtype, tokens };
  });
  return {
    format: FORMAT,
    made_by: `HeadScope ${state.config?.version ?? ""}`.trim(),
    made: now.toISOString(),
    view,
    treatment: { hide, renormalise, words, filter: activeFilter(onSide(state, "a"))?.id ?? "all", scale, range, sinks },
    sides,
  };
}
