// How the model writes, as a part of the view.

import { choice } from "../../state/choice.js";

/**
 * @typedef {object} Sampling
 * @property {number} temperature 0: the most probable token each time
 * @property {number | null} top_k drawn from so many most probable tokens; null: from all
 * @property {number} seed
 * @property {number} n how many tokens are written at once
 */

/** What the server takes at most: a test compares these with its own numbers. Links are read before the server has sent any. */
export const MOST = { temperature: 10, n: 200, seed: Number.MAX_SAFE_INTEGER };

export const samplingChoice = choice("sampling", {
  usual: /** @type {Sampling} */ ({ temperature: 0, top_k: null, seed: 0, n: 20 }),
  write: ({ temperature, top_k, seed, n }) => [temperature, top_k ?? "", seed, n].join(","),
  read(word) {
    const match = /^(\d{1,2}(?:\.\d{1,3})?),(\d{0,7}),(\d{1,16}),(\d{1,3})$/.exec(word);
    if (!match) return null;
    const [temperature, top_k, seed, n] = match.slice(1).map(Number);
    const isWithin = temperature <= MOST.temperature && seed <= MOST.seed && n > 0 && n <= MOST.n;
    const isKnown = isWithin && (match[2] === "" || top_k > 0);
    return isKnown ? { temperature, top_k: match[2] === "" ? null : top_k, seed, n } : null;
  },
  undo: "slide",
});
