// The maps of several heads over each other as lines of one picture: one sheet that holds theirs.

import { Memo, perObject } from "../page/memo.js";
import { MOST_OVERLAID, oneHead, whatName } from "../state/pins.js";
import { analysisOf } from "../state/sides.js";

/** The overlay made last with a sheet as its first. */
const overlays = perObject((/** @type {Sheet} */ _) => /** @type {Memo<Sheet>} */ (new Memo()));

/**
 * One sheet with those of the heads in it; its own weights are the largest of theirs.
 * @param {Overlay} overlay
 * @param {Sheet[]} sheets of its heads, with the same tokens
 * @returns {Sheet}
 */
export function overlaySheet({ heads }, sheets) {
  const [first] = sheets;
  return overlays(first).get(sheets, () => ({
    ...first,
    weights: first.weights.map((_, at) => Math.max(...sheets.map(({ weights }) => weights[at]))),
    codes: first.codes.map((_, at) => Math.max(...sheets.map(({ codes }) => codes[at]))),
    exact: sheets.every(({ exact }) => exact),
    block: Math.max(...sheets.map(({ block }) => block)),
    top: Math.max(...sheets.map(({ top }) => top)),
    dropped: sheets.reduce((sum, { dropped }) => sum + dropped, 0) / sheets.length,
    // Shares of the whole weight are those of single heads.
    on_first: null,
    on_sinks: null,
    overlaid: heads.map((head, at) => ({ name: whatName(head), sheet: sheets[at] })),
  }));
}

/** Why heads cannot be drawn over each other; "": they can, or their tokens are not known yet. @param {State} state @param {Place[]} heads */
export function whyNotOverlaid(state, heads) {
  const axes = heads.map(({ side, stack }) => {
    const analysis = analysisOf(state, side);
    const found = analysis?.stacks[stack];
    if (!analysis || !found) return null;
    const texts = (/** @type {[number, number]} */ [from, to]) => analysis.tokens.slice(from, to).map(({ text }) => text);
    return JSON.stringify([texts(found.queries), texts(found.keys)]);
  });
  const isOther = new Set(axes.filter((axis) => axis !== null)).size > 1;
  return isOther ? "These heads read different tokens: only lines between the same tokens can be overlaid." : "";
}

/** The pinned heads as one overlay, and why they cannot be one; "": they can. @param {State} state @returns {{overlay: Overlay, why: string}} */
export function pinnedOverlay(state) {
  const heads = state.pins.filter((pin) => pin.kind === "head").map(oneHead);
  const overlay = { kind: /** @type {const} */ ("overlay"), heads };
  if (heads.length < 2) return { overlay, why: "Pin two heads or more to overlay their lines." };
  if (heads.length > MOST_OVERLAID) return { overlay, why: `At most ${MOST_OVERLAID} heads can be told apart: unpin ${heads.length - MOST_OVERLAID}.` };
  return { overlay, why: whyNotOverlaid(state, heads) };
}
