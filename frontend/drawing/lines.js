// One sheet as a bipartite picture: queries opposite keys, a line for each link that is shown. Vertical has queries
// left and keys right, horizontal has queries above and keys below.

import { longestWidth } from "../maps/labels.js";
import { drawingContext, sizeCanvas } from "../page/dom.js";
import { drawLabels, markLabels } from "./axis_labels.js";

/** @typedef {import("../maps/links.js").Link} Link whose query and key are a row and a column of the sheet */
/**
 * @typedef {object} Geometry
 * @property {"vertical" | "horizontal"} layout
 * @property {number} pitch pixels between two neighbours of a side
 * @property {number} from where the lines leave the queries: x, or y when horizontal
 * @property {number} to where they reach the keys
 * @property {End} queries
 * @property {End} keys
 * @property {number} width of the whole picture, more than there is where tokens would lie too close
 * @property {number} height
 */
/** @typedef {{n: number, start: number, room: number}} End start: pixels along the side; room: for its labels */

const FONT_SIZE = 12;
const LABEL_PITCH = 14;
const LONGEST_LABEL = 96;
const LARGEST_PITCH = 24;
const FIT = 420;
const GAP = 8;
/** Above, and below when horizontal: the words that say which side is which. */
const WORDS = 22;
/** Between the two sides where no width sets it. */
const SPAN = 220;
/** So many tokens are squeezed into what is on screen; more are given their least pitch, and are scrolled. */
const MOST_SQUEEZED = 80;
const LEAST_PITCH = 7;
const LONGEST_SIDE = 3000;

/** Steps of the colour scale for lines: of one arm, and of the two arms of a signed sheet. */
const LINE_STEP = 185;
const POSITIVE_STEP = 218;
const NEGATIVE_STEP = 37;

/** @param {Palette} palette */
const fontOf = ({ font }) => `${FONT_SIZE}px ${font}`;

/**
 * @param {Surface} context
 * @param {Drawing} drawing
 * @returns {Geometry}
 */
export function linesGeometry(context, { sheet, width, palette, layout, fixed }) {
  context.font = fontOf(palette);
  const [rows, cols] = [sheet.queries.labels, sheet.keys.labels];
  const n = Math.max(rows.length, cols.length);
  const isVertical = layout === "vertical";
  const longest = fixed?.longest ?? (isVertical ? Math.min(LONGEST_LABEL, width * 0.32) : LONGEST_LABEL);
  const [before, after] = [rows, cols].map((labels) => Math.ceil(Math.min(longest, longestWidth(context, labels))));
  if (isVertical) {
    const least = n > MOST_SQUEEZED ? Math.min(LEAST_PITCH, LONGEST_SIDE / n) : 2;
    const pitch = fixed?.pitch ?? Math.min(LARGEST_PITCH, Math.max(least, Math.min(FIT, width) / n));
    const whole = fixed ? before + after + SPAN + 4 * GAP : width;
    const end = (/** @type {string[]} */ labels, /** @type {number} */ room) => ({
      n: labels.length,
      start: WORDS + ((n - labels.length) * pitch) / 2,
      room,
    });
    const [from, to] = [before + 2 * GAP, whole - after - 2 * GAP];
    const height = WORDS + Math.ceil(pitch * n) + 4;
    return { layout, pitch, from, to, queries: end(rows, before), keys: end(cols, after), width: whole, height };
  }
  // Turned labels need no width, so all of them are written and the picture grows sideways.
  const pitch = fixed?.pitch ?? Math.min(LARGEST_PITCH, Math.max(Math.min(LABEL_PITCH, LONGEST_SIDE / n), (width - 4) / n));
  const needed = Math.ceil(pitch * n) + 4;
  const whole = fixed ? needed : Math.max(width, needed);
  const end = (/** @type {string[]} */ labels, /** @type {number} */ room) => ({
    n: labels.length,
    start: (whole - labels.length * pitch) / 2,
    room,
  });
  const from = WORDS + before + 2 * GAP;
  const to = from + SPAN;
  const height = to + after + 2 * GAP + WORDS;
  return { layout, pitch, from, to, queries: end(rows, before), keys: end(cols, after), width: whole, height };
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {Drawing} drawing
 * @param {Link[]} links weakest first
 * @returns {Geometry}
 */
export function drawLines(canvas, drawing, links) {
  const geometry = linesGeometry(drawingContext(canvas), drawing);
  paintLines(sizeCanvas(canvas, geometry.width, geometry.height), drawing, links, geometry);
  return geometry;
}

/**
 * @param {Surface} context
 * @param {Drawing} drawing
 * @param {Link[]} links weakest first
 * @param {Geometry} geometry
 */
export function paintLines(context, drawing, links, geometry) {
  drawLinks(context, geometry, drawing, links);
  context.font = fontOf(drawing.palette);
  drawSide(context, geometry, drawing, "query", links);
  drawSide(context, geometry, drawing, "key", links);
  drawWords(context, geometry, drawing.palette);
}

/**
 * Where a token's lines end.
 * @param {Geometry} geometry
 * @param {"query" | "key"} side
 * @param {number} at
 * @param {number} [beyond] pixels further out
 * @returns {[number, number]}
 */
function placeOf({ layout, pitch, from, to, queries, keys }, side, at, beyond = 0) {
  const along = (side === "query" ? queries : keys).start + (at + 0.5) * pitch;
  const across = side === "query" ? from - beyond : to + beyond;
  return layout === "vertical" ? [across, along] : [along, across];
}

/**
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Drawing} drawing
 * @param {Link[]} links
 */
function drawLinks(context, geometry, { sheet, focus, palette, css }, links) {
  const bend = -0.4 * (geometry.to - geometry.from);
  const isPair = focus !== null && focus.rows.length > 0 && focus.cols.length > 0;
  context.save();
  for (const { query, key, weight } of links) {
    const isChosen = isPair && focus.rows.includes(query) && focus.cols.includes(key);
    const { width, strength, step, dashes } = lineOf(weight, sheet);
    context.beginPath();
    context.moveTo(...placeOf(geometry, "query", query));
    context.bezierCurveTo(
      ...placeOf(geometry, "query", query, bend),
      ...placeOf(geometry, "key", key, bend),
      ...placeOf(geometry, "key", key),
    );
    context.lineWidth = isChosen ? 3 : width;
    context.globalAlpha = isChosen ? 1 : (0.2 + 0.8 * strength) * (isPair ? 0.5 : 1);
    context.strokeStyle = isChosen ? palette.accent : css[step];
    context.setLineDash(dashes);
    context.stroke();
  }
  context.restore();
}

/**
 * How a link of this weight is drawn: thicker when stronger, dashed when below zero so that colour need not tell it.
 * @param {number} weight
 * @param {{top: number, signed: boolean}} sheet
 */
export function lineOf(weight, { top, signed }) {
  const strength = Math.sqrt(Math.min(1, Math.abs(weight) / top));
  const step = !signed ? LINE_STEP : weight < 0 ? NEGATIVE_STEP : POSITIVE_STEP;
  return { width: 0.6 + 2.6 * strength, strength, step, dashes: weight < 0 ? [5, 3] : [] };
}

/**
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Drawing} drawing
 * @param {"query" | "key"} side
 * @param {Link[]} links
 */
function drawSide(context, geometry, { sheet, focus, palette, css, visible }, side, links) {
  const { layout, pitch } = geometry;
  const isQuery = side === "query";
  const isVertical = layout === "vertical";
  const tints = partners(links, side, focus);
  const size = Math.max(2, Math.min(pitch - 2, 8));
  for (const [at, { query, key }] of tints) {
    const [x, y] = placeOf(geometry, side, at, 2.5);
    context.fillStyle = css[sheet.codes[query * sheet.keys.labels.length + key]];
    if (isVertical) context.fillRect(x - 2.5, y - size / 2, 5, size);
    else context.fillRect(x - size / 2, y - 2.5, size, 5);
  }
  const chosen = (isQuery ? focus?.rows : focus?.cols) ?? [];
  const shown = visible && (isQuery ? visible.rows : visible.cols);
  const usual = chosen.length === 0 && tints.size === 0 ? 0.85 : 0.6;
  /** @type {import("./axis_labels.js").Side} */
  const axis = {
    labels: (isQuery ? sheet.queries : sheet.keys).labels,
    chosen,
    pitch,
    needed: LABEL_PITCH,
    room: (isQuery ? geometry.queries : geometry.keys).room,
    align: isQuery ? "right" : "left",
    turn: isVertical ? 0 : Math.PI / 2,
    place: (at) => placeOf(geometry, side, at, GAP),
    alpha: (at) => (shown === null || shown[at] === 1 ? usual : 0.35),
    colour: palette.ink,
  };
  drawLabels(context, axis);
  markLabels(context, axis, palette);
}

/**
 * The tokens at the other end of the chosen ones' links, each with its strongest link.
 * @param {Link[]} links weakest first
 * @param {"query" | "key"} side
 * @param {Drawing["focus"]} focus
 * @returns {Map<number, Link>}
 */
function partners(links, side, focus) {
  const hasRows = focus !== null && focus.rows.length > 0;
  const isPartner = side === "key" ? hasRows : !hasRows && focus !== null && focus.cols.length > 0;
  return new Map(isPartner ? links.map((link) => [link[side], link]) : []);
}

/**
 * @param {Surface} context
 * @param {Geometry} geometry
 * @param {Palette} palette
 */
function drawWords(context, { layout, from, to, queries, keys, height }, palette) {
  context.save();
  context.font = `600 10px ${palette.font}`;
  context.fillStyle = palette.muted;
  context.textBaseline = "middle";
  context.direction = "ltr";
  const isVertical = layout === "vertical";
  context.textAlign = isVertical ? "right" : "left";
  context.fillText("QUERY", isVertical ? from - GAP : queries.start, isVertical ? queries.start - LABEL_PITCH : 8);
  context.textAlign = "left";
  context.fillText("KEY", isVertical ? to + GAP : keys.start, isVertical ? keys.start - LABEL_PITCH : height - 8);
  context.restore();
}

/**
 * Which token lies under a point: the half towards the queries holds queries, the other one keys.
 * @param {Geometry} geometry
 * @param {number} x CSS pixels inside the canvas
 * @param {number} y
 * @returns {{row: number | null, col: number | null} | null}
 */
export function linesHit({ layout, pitch, from, to, queries, keys }, x, y) {
  const [across, along] = layout === "vertical" ? [x, y] : [y, x];
  const isQuery = across < (from + to) / 2;
  const { n, start } = isQuery ? queries : keys;
  const at = Math.floor((along - start) / pitch);
  if (at < 0 || at >= n) return null;
  return isQuery ? { row: at, col: null } : { row: null, col: at };
}
