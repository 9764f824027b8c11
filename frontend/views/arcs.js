// Arcs over the tokens: the links of the head in focus, from the chosen token or the strongest of all.

import { comparison, focusOn } from "../compare/comparison.js";
import { headOfArcs } from "../heads/focus_head.js";
import { exactMaps } from "../maps/exact.js";
import { focusedLinks, strongestLinks } from "../maps/links.js";
import { spotOn } from "../maps/readout.js";
import { sheetOf } from "../maps/sources.js";
import { byId, element, setAttribute, setText, sizeCanvas } from "../page/dom.js";
import { headName } from "../page/labels.js";
import { Memo } from "../page/memo.js";
import { isStaleOn, isWeighted, shownFocus } from "../state/selectors.js";
import { analysisOf } from "../state/sides.js";

const MOST_ARCS = 24;
const FAINTEST = 0.02; // a weaker link is not drawn
const DIM = 0.4; // how strong an arc to a dimmed sink is, of what it would be
const BEYOND = 24; // CSS pixels
const LONG = 320; // CSS pixels: where no link is longer, arcs are lower
const [LOW, LINE] = [6, 3.5]; // CSS pixels: the least height of an arc, the width of a link of weight 1

/** @returns {PageView[]} */
export function createArcs() {
  return [
    arcsOver("a", byId("tokens", HTMLElement), byId("arcs", HTMLCanvasElement)),
    arcsOver("b", byId("tokens-b", HTMLElement), byId("arcs-b", HTMLCanvasElement)),
  ];
}

/** @param {Side} side @param {HTMLElement} strip with a button for each token @param {HTMLCanvasElement} canvas above it @returns {PageView} */
function arcsOver(side, strip, canvas) {
  /** @type {(() => void) | null} */
  let drawAgain = null;
  let scrolled = 0;
  strip.addEventListener(
    "scroll",
    () => {
      scrolled = strip.scrollLeft;
      drawAgain?.();
    },
    { passive: true },
  );
  /** Where the tokens are: reading that lays the page out, which a move of the pointer must not do. @type {Memo<Places>} */
  const places = new Memo();
  /** What an empty canvas was sized for. @type {Places | null} */
  let emptyFor = null;
  const whose = element("span", { class: "arcs-of", "aria-hidden": "true" });
  canvas.after(whose);

  return {
    reads(state, theme) {
      const head = headOfArcs(state);
      const { values, scale, sinks, hide, renormalise, words, answers } = state;
      const shown = [analysisOf(state, side), state.sides[side]?.run.layers, isStaleOn(state, side), values, scale, sinks, hide, renormalise, words];
      return [theme, side, head && `${head.side}${head.stack}.${head.layer}.${head.head}`, shownFocus(state), answers.get(exactMaps), comparison.of(state), ...shown];
    },
    render(state, theme) {
      const links = linksOf(state, side);
      const head = headOfArcs(state);
      setText(whose, head && links.length > 0 ? `Arcs: ${headName(head.layer, head.head)}` : "");
      // Marks of changed tokens make them wider; a window of another size brings another theme.
      const found = places.get([analysisOf(state, side)?.tokens, comparison.of(state), theme], () => {
        scrolled = strip.scrollLeft;
        return placesIn(strip);
      });
      setAttribute(canvas, "data-links", String(links.length));
      drawAgain = () => draw(sizeCanvas(canvas, found.width, found.floor), found, scrolled, links, theme);
      if (found !== emptyFor || links.length > 0) drawAgain();
      emptyFor = links.length === 0 ? found : null;
    },
  };
}

/** @typedef {{width: number, floor: number, middles: number[]}} Places of a strip: its width, where arcs end, the middle of each token */

/** @param {HTMLElement} strip @returns {Places} */
function placesIn(strip) {
  const chips = /** @type {HTMLElement[]} */ ([...strip.querySelectorAll("[data-token]")]);
  return {
    width: strip.clientWidth,
    floor: chips[0]?.offsetTop ?? 0,
    middles: chips.map((chip) => chip.offsetLeft + chip.offsetWidth / 2),
  };
}

/** @typedef {{from: number, to: number, weight: number, isDim: boolean}} Arc between tokens, by their running indices; isDim: to a sink that is set aside */

/** @param {State} state @param {Side} side @returns {Arc[]} weakest first */
export function linksOf(state, side) {
  const head = headOfArcs(state);
  const analysis = analysisOf(state, side);
  if (head === null || head.side !== side || analysis === null || isStaleOn(state, side)) return [];
  const sheet = sheetOf(state, { kind: "head", side, stack: head.stack, layer: head.layer, head: head.head }, isWeighted(state) ? "weighted" : "raw");
  if (sheet === null || sheet.block > 1) return [];
  const spot = spotOn(sheet, focusOn(state, shownFocus(state), side));
  const found = spot ? focusedLinks(sheet, spot, () => true) : strongestLinks(sheet, (_, col) => sheet.sinks[col] === 0, 0.3).links;
  const isDim = (/** @type {number} */ col) => sheet.dimmed && sheet.sinks[col] === 1 && !spot?.cols.includes(col);
  return found
    .filter(({ weight, query, key }) => weight >= FAINTEST && (!spot || spot.cols.length === 0 || (spot.rows.includes(query) && spot.cols.includes(key)) || spot.rows.length === 0))
    .slice(-MOST_ARCS)
    .map(({ query, key, weight }) => ({ from: sheet.queries.groups[query][0], to: sheet.keys.groups[key][0], weight, isDim: isDim(key) }));
}

/** @param {CanvasRenderingContext2D} context @param {Places} places @param {number} scrolled pixels @param {Arc[]} links @param {Theme} theme */
function draw(context, { width, floor, middles }, scrolled, links, { palette }) {
  const room = floor - 4;
  const spans = links.map(({ from, to }) => Math.abs(middles[to] - middles[from])).filter((span) => !Number.isNaN(span));
  const longest = Math.min(width, Math.max(LONG, ...spans));
  for (const { from, to, weight, isDim } of links) {
    const span = Math.abs(middles[to] - middles[from]);
    if (Number.isNaN(span)) continue;
    // An arc to a token far outside the strip leaves it just beyond its edge: as long as it is it would be flat.
    const [start, end] = [from, to].map((token) => Math.min(width + BEYOND, Math.max(-BEYOND, middles[token] - scrolled)));
    const height = from === to ? LOW + 4 : LOW + (room - LOW) * Math.sqrt(Math.min(1, span / longest));
    context.globalAlpha = Math.min(1, 0.2 + weight) * (isDim ? DIM : 1);
    context.lineWidth = 0.75 + LINE * weight;
    context.strokeStyle = isDim ? palette.muted : palette.accent;
    context.beginPath();
    if (from === to) context.ellipse(start, floor, 5, height, 0, Math.PI, 2 * Math.PI);
    else {
      context.moveTo(start, floor);
      context.bezierCurveTo(start, floor - 1.3 * height, end, floor - 1.3 * height, end, floor);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}
