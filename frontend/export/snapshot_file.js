// The request for a snapshot: the analysis on screen as one HTML file, made by the server.

import { mapQuestion, shownValues } from "../maps/exact.js";
import { blockSize } from "../maps/maps.js";
import { partsOf } from "../state/pins.js";
import { question } from "../state/selectors.js";
import { analysisOf, onSide } from "../state/sides.js";
import { notesByHead } from "../storage/notes.js";

/** @typedef {Omit<MapQuestion, "model" | "text" | "text_pair" | "continuation" | "chat">} KeptMap */

/** Side a, how it is viewed, the notes on its heads, and the pinned maps. @param {State} state @param {string} view as a link writes it */
export function snapshotQuestion(state, view) {
  const a = onSide(state, "a");
  const { maps } = keptMaps(state);
  return { ...question(a), view, notes: notesByHead(a), ...(maps.length > 0 ? { maps } : {}) };
}

/** The maps behind the pins of side a, as many pins as a file has room for. @param {State} state */
function keptMaps(state) {
  const analysis = analysisOf(state, "a");
  /** @type {Map<string, KeptMap>} */
  const maps = new Map();
  let [room, n_pins, n_left_out] = [state.config?.limits.max_snapshot_cells ?? 0, 0, 0];
  for (const pin of state.pins) {
    if (!analysis || !partsOf(pin).every(({ side, stack }) => side === "a" && analysis.stacks[stack])) continue;
    const parts = mapsBehind(state, analysis, pin).filter(({ key }) => !maps.has(key));
    const cells = parts.reduce((sum, part) => sum + part.cells, 0);
    if (cells > room) n_left_out += 1;
    else {
      room -= cells;
      n_pins += 1;
      for (const { key, map } of parts) maps.set(key, map);
    }
  }
  return { maps: [...maps.values()], n_pins, n_left_out };
}

/** The maps that a pin is made of. @param {State} state @param {Analysis} analysis @param {Pin} pin */
function mapsBehind(state, analysis, pin) {
  return partsOf(pin).flatMap((what) => {
    const { queries, keys } = analysis.stacks[what.stack];
    return shownValues(state, pin).map((values) => {
      const { model: _model, text: _text, text_pair: _pair, continuation: _ids, chat: _chat, ...map } = mapQuestion(analysis, what, values);
      return { key: JSON.stringify(map), map, cells: (queries[1] - queries[0]) * (keys[1] - keys[0]) };
    });
  });
}

/** What the file will hold, in words. @param {State} state */
export function snapshotWords(state) {
  const { n_pins, n_left_out } = keptMaps(state);
  const [frame] = analysisOf(state, "a")?.layers.values() ?? [];
  const block = frame ? blockSize(frame) : 1;
  const pooled = `every head at one value for ${block} × ${block} tokens, as the text is long`;
  const heads = block > 1 ? pooled : "every head, its weights rounded";
  const several = n_pins === 1 ? "the pinned map exactly" : `${n_pins} pinned maps exactly`;
  const pinned = n_pins > 0 ? `; ${several}` : block > 1 ? "; pin the maps you want in it exactly" : "";
  const left = n_left_out > 0 ? ` There is no room for ${n_left_out} more: unpin others to keep them.` : "";
  const side = state.sides.b === null ? "" : " Only side A is saved.";
  return `One HTML file that opens in any browser, without HeadScope: ${heads}${pinned}; your notes.${left}${side}`;
}
