// The maps a snapshot holds, and those that can be made of them without a server: value-weighted ones, several heads
// as one, rollout. They have the precision of the record; those that were pinned are kept nearly as they were.

import { blockSize, codesOf } from "../maps/maps.js";
import { ServerError } from "../requests/answer_questions.js";
import { headValues, weightOfCode } from "../requests/wire.js";

/** @typedef {{[name in "stack" | "cells" | "up_to" | "values"]?: MapQuestion[name] | null} & Pick<MapQuestion, "combine">} MapName */
/** @typedef {MapName & {rows: number, cols: number}} Kept a map that is kept nearly as it was */

const OVERVIEW = 1;
const LARGEST_CODE = 65_535;

export class Recording {
  /** @type {Frame[]} */
  #frames;
  /** How long the vectors of the keys are, heads x keys of each layer; null: not known. @type {Uint16Array[] | null} */
  #norms;
  /** @type {Map<string, Float32Array>} */
  #kept;

  /**
   * @param {Omit<Frame, "kind" | "first_head" | "values">[]} layers
   * @param {Uint8Array} codes of all layers, heads x rows x cols
   * @param {Uint16Array | null} norms of all layers, heads x cols, in parts of each head's largest
   * @param {Kept[]} [kept]
   * @param {Uint16Array} [keptCodes] of all kept maps, rows x cols
   */
  constructor(layers, codes, norms, kept = [], keptCodes = new Uint16Array()) {
    const maps = split(codes, layers.map(({ heads, rows, cols }) => heads * rows * cols));
    this.#frames = layers.map((layer, at) => ({ ...layer, kind: OVERVIEW, first_head: 0, values: maps[at] }));
    this.#norms = norms && split(norms, layers.map(({ heads, cols }) => heads * cols));
    const each = split(keptCodes, kept.map(({ rows, cols }) => rows * cols));
    this.#kept = new Map(kept.map((one, at) => [nameOf(one), Float32Array.from(each[at], (code) => (code / LARGEST_CODE) ** 2)]));
  }

  /** The overview, layer by layer, as a stream would bring it. @param {"raw" | "weighted"} values @returns {Frame[]} */
  frames(values) {
    if (values === "raw") return this.#frames;
    return this.#frames.map((frame) => {
      const weighted = { ...frame, values: new Uint8Array(frame.values.length) };
      for (let head = 0; head < frame.heads; head += 1) headValues(weighted, head).set(codesOf(this.#weights(frame, head, values)));
      return weighted;
    });
  }

  /** One map, queries x keys, as a server would answer. @param {MapName} asked @returns {import("../requests/api.js").ExactWeights} */
  map(asked) {
    const kept = this.#kept.get(nameOf(asked));
    return { weights: kept ?? this.#made(asked), exact: kept !== undefined };
  }

  /** @param {MapName} asked @returns {Float32Array} */
  #made({ stack, combine, cells, up_to, values }) {
    const frames = this.#frames.filter((frame) => frame.stack === (stack ?? this.#frames[0].stack));
    if (frames[0].pooled) {
      const block = blockSize(frames[0]);
      const reason = `this file holds one value for ${block} × ${block} tokens, as its text is long`;
      throw notRecorded(`${reason}, and exactly what was pinned when it was saved.`);
    }
    const mapsOf = (/** @type {Frame} */ frame) =>
      headsOf(frame, cells ?? [{ layer: frame.layer, head: null }]).map((head) => this.#weights(frame, head, values ?? "raw"));
    if (combine === "rollout") {
      const through = frames.filter(({ layer }) => layer <= (up_to ?? frames.length - 1));
      return rollout(through.map((frame) => mean(mapsOf(frame))), frames[0].rows);
    }
    const chosen = frames.flatMap(mapsOf);
    return combine === "max" ? largest(chosen) : mean(chosen);
  }

  /** @param {Frame} frame @param {number} head @param {"raw" | "weighted"} values */
  #weights(frame, head, values) {
    const { cols } = frame;
    const weights = Float32Array.from(headValues(frame, head), weightOfCode);
    if (values === "raw") return weights;
    const norms = this.#norms?.[this.#frames.indexOf(frame)].subarray(head * cols, (head + 1) * cols);
    if (!norms) throw notRecorded("value-weighted maps are not available for this model.");
    for (let start = 0; start < weights.length; start += cols) {
      const row = weights.subarray(start, start + cols);
      row.forEach((weight, key) => (row[key] = weight * norms[key]));
      const received = row.reduce((sum, weight) => sum + weight, 0);
      // A row that receives nothing stays nothing.
      if (received > 0) row.forEach((weight, key) => (row[key] = weight / received));
    }
    return weights;
  }
}

/** @param {string} message */
function notRecorded(message) {
  return new ServerError({ code: "not_recorded", message, details: null });
}

/** What tells a map from all others. @param {MapName} asked */
function nameOf({ stack, combine, cells, up_to, values }) {
  return JSON.stringify([stack ?? null, combine, cells?.map(({ layer, head }) => [layer, head]) ?? null, up_to ?? null, values ?? "raw"]);
}

/** The heads of a layer that take part, each once and in the order they are named. @param {Frame} frame @param {Member[]} cells */
function headsOf({ layer, heads }, cells) {
  const all = Array.from({ length: heads }, (_, head) => head);
  return [...new Set(cells.filter((cell) => cell.layer === layer).flatMap(({ head }) => (head === null ? all : [head])))];
}

/**
 * @template {Uint8Array | Uint16Array} Numbers
 * @param {Numbers} numbers
 * @param {number[]} sizes
 * @returns {Numbers[]} views of as many as each size says, one after the other
 */
function split(numbers, sizes) {
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return /** @type {Numbers} */ (numbers.subarray(at - size, at));
  });
}

/** @param {Float32Array[]} maps */
function mean(maps) {
  return maps[0].map((_, at) => maps.reduce((sum, map) => sum + map[at], 0) / maps.length);
}

/** @param {Float32Array[]} maps */
function largest(maps) {
  return maps[0].map((_, at) => maps.reduce((most, map) => Math.max(most, map[at]), 0));
}

/**
 * Attention followed down through layers: each passes on half of what was there and half of what its heads looked at.
 * @param {Float32Array[]} layers the mean of each layer's heads, first layer first
 * @param {number} side
 */
function rollout(layers, side) {
  let rolled = Float32Array.from({ length: side * side }, (_, at) => (at % (side + 1) === 0 ? 1 : 0));
  for (const layer of layers) {
    const next = new Float32Array(side * side);
    for (let query = 0; query < side; query += 1) {
      const into = next.subarray(query * side, (query + 1) * side);
      const row = layer.slice(query * side, (query + 1) * side);
      row[query] += 1;
      const total = row.reduce((sum, weight) => sum + weight, 0);
      row.forEach((weight, middle) => {
        const below = rolled.subarray(middle * side, (middle + 1) * side);
        for (let key = 0; key < side; key += 1) into[key] += (weight / total) * below[key];
      });
    }
    rolled = next;
  }
  return rolled;
}
