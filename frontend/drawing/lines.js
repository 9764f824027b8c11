// One sheet as a bipartite picture: queries opposite keys, a line for each link that is shown. Vertical has queries
// left and keys right, horizontal has queries above and keys below.

import { drawingContext, layPicture, sizeCanvas } from "../page/dom.js";
import { longestWidth } from "../page/labels.js";
import { countLabels, drawLabels, eraseLabels, hasRoomForAll, markLabels } from "./axis_labels.js";

/** @typedef {import("../maps/links.js").Link} Link whose query and key are a row and a column of the sheet */
/**
 * @typedef {object} Geometry
 * @property {"vertical" | "horizontal"} layout
 * @property {number} pitch pixels between two neighbours of a side
 * @property {number} from where the lines leave the queries: x, or y when horizontal
 * @property {number} to where they reach the keys
 * @property {number} size of the labels' font
 * @property {{x: number, y: number}[]} legend where the name of each overlaid head is written
 * @property {End} queries
 * @property {End} keys
 * @property {number} width of the whole picture, more than there is where tokens would lie too close
 * @property {number} height
 */
/** @typedef {{n: number, start: number, room: number}} End start: pixels along the side; room: for its labels */
/** @typedef {ReturnType<typeof endsOf>[number]} Tokens of one end of the links */

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
/** At the least pitch all labels are written, in the smallest font. */
const LEAST_PITCH = 9;
const LONGEST_SIDE = 3000;

/** Steps of the colour scale for lines: of one arm, and of the two arms of a signed sheet. */
const LINE_STEP = 185;
const POSITIVE_STEP = 218;
const NEGATIVE_STEP = 37;

/** Where heads are overlaid: a row of the legend, a sample of a line, and the blank after a name. */
const LEGEND = { row: 18, sample: 26, gap: 16, size: 12 };
/** Colours of heads are not told apart by everybody, dashes are. */
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [12, 3], [2, 2, 6, 2]];
/** How strong a line to a dimmed key is, of what it would be; and labels that are set aside, dark enough to be read. */
const [DIM_LINE, DIM_LABEL] = [0.3, 0.7];
/** Pixels between lines of two heads for the same link. */
const APART = 2.5;

/** @param {Palette} palette @param {number} size */
const fontOf = ({ font }, size) => `${size}px ${font}`;

/** The largest font with which all labels are written; the usual one where some are left out anyway. @param {number} pitch */
function sizeFor(pitch) {
  return pitch >= LABEL_PITCH || pitch < LEAST_PITCH ? FONT_SIZE : Math.min(FONT_SIZE - 1, Math.floor(pitch) - 1);
}

/** @param {Surface} context @param {Drawing} drawing @returns {Geometry} */
export function linesGeometry(context, { sheet, width, palette, layout, fixed }) {
  const [rows, cols] = [sheet.queries.labels, sheet.keys.labels];
  const n = Math.max(rows.length, cols.length);
  const isVertical = layout === "vertical";
  // A picture that is too large for its labels is scrolled: turned labels make it wider, others taller.
  const least = Math.min(isVertical ? LEAST_PITCH : LABEL_PITCH, LONGEST_SIDE / n);
  const pitch = fixed?.pitch ?? Math.min(LARGEST_PITCH, Math.max(least, (isVertical ? FIT : width - 4) / n));
  const size = sizeFor(pitch);
  const legend = legendPlaces(context, sheet, palette, fixed ? SPAN : width);
  const above = WORDS + (legend.length > 0 ? legend[legend.length - 1].y + LEGEND.row / 2 : 0);
  context.font = fontOf(palette, size);
  const longest = fixed?.longest ?? (isVertical ? Math.min(LONGEST_LABEL, width * 0.32) : LONGEST_LABEL);
  const [before, after] = [rows, cols].map((labels) => Math.ceil(Math.min(longest, longestWidth(context, labels))));
  const side = Math.ceil(pitch * n) + 4;
  const from = before + 2 * GAP + (isVertical ? 0 : above);
  const to = isVertical && !fixed ? width - after - 2 * GAP : from + SPAN;
  const across = to + after + 2 * GAP;
  const picture = isVertical
    ? { width: across, height: above + side }
    : { width: fixed ? side : Math.max(width, side), height: across + WORDS };
  const endOf = (/** @type {string[]} */ labels, /** @type {number} */ room) => ({
    n: labels.length,
    start: isVertical ? above + ((n - labels.length) * pitch) / 2 : (picture.width - labels.length * pitch) / 2,
    room,
  });
  return { layout, pitch, size, legend, from, to, queries: endOf(rows, before), keys: endOf(cols, after), ...picture };
}

/** The names of overlaid heads in rows. @param {Surface} context @param {Sheet} sheet @param {Palette} palette @param {number} width there is */
function legendPlaces(context, { overlaid = [] }, palette, width) {
  context.font = fontOf(palette, LEGEND.size);
  let [x, y] = [0, LEGEND.row / 2];
  return overlaid.map(({ name }) => {
    const wide = LEGEND.sample + Math.ceil(context.measureText(name).width);
    if (x > 0 && x + wide > width) [x, y] = [0, y + LEGEND.row];
    const at = { x, y };
    x += wide + LEGEND.gap;
    return at;
  });
}

/** A sample line and the name of each overlaid head. @param {Surface} context @param {Geometry} geometry @param {Drawing} drawing */
function drawLegend(context, { legend }, { sheet: { overlaid = [] }, palette }) {
  context.save();
  context.font = fontOf(palette, LEGEND.size);
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.direction = "ltr";
  overlaid.forEach(({ name }, head) => {
    const { x, y } = legend[head];
    context.strokeStyle = palette.tones[head];
    context.lineWidth = 3;
    context.setLineDash(DASHES[head]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + LEGEND.sample - 6, y);
    context.stroke();
    context.fillStyle = palette.ink;
    context.fillText(name, x + LEGEND.sample, y);
  });
  context.restore();
}

/**
 * Draw on a canvas of the page.
 * @param {HTMLCanvasElement} canvas
 * @param {Drawing} drawing
 * @param {Link[]} links weakest first
 * @param {import("../page/memo.js").Memo<HTMLCanvasElement>} labels the labels as a picture, which stays while the focus moves
 * @returns {Geometry}
 */
export function drawLines(canvas, drawing, links, labels) {
  const { sheet, visible, palette, width, layout } = drawing;
  const geometry = linesGeometry(drawingContext(canvas), drawing);
  const context = sizeCanvas(canvas, geometry.width, geometry.height);
  const ends = endsOf(geometry, drawing, links);
  const from = [sheet, visible, palette, width, layout, window.devicePixelRatio, ...ends.flatMap(({ usual, axis }) => [usual, axis.first.join()])];
  drawLinks(context, geometry, drawing, links);
  layPicture(context, labels.get(from, () => labelsPicture(geometry, ends, drawing)));
  context.font = fontOf(palette, geometry.size);
  canvas.dataset.labels = ends.map(({ axis }) => countLabels(axis)).join("+");
  for (const { axis } of ends) eraseLabels(context, axis);
  for (const tokens of ends) drawPartners(context, geometry, drawing, tokens);
  for (const { axis } of ends) markLabels(context, axis, palette);
  return geometry;
}

/** @param {Geometry} geometry @param {Tokens[]} ends @param {Drawing} drawing all labels, none of them chosen, and the legend */
function labelsPicture(geometry, ends, drawing) {
  const { palette } = drawing;
  const picture = document.createElement("canvas");
  const context = sizeCanvas(picture, geometry.width, geometry.height);
  context.font = fontOf(palette, geometry.size);
  for (const { axis } of ends) drawLabels(context, { ...axis, chosen: [] });
  drawWords(context, geometry, palette);
  drawLegend(context, geometry, drawing);
  return picture;
}

/** @param {Surface} context @param {Drawing} drawing @param {Link[]} links weakest first @param {Geometry} geometry */
export function paintLines(context, drawing, links, geometry) {
  drawLinks(context, geometry, drawing, links);
  context.font = fontOf(drawing.palette, geometry.size);
  for (const tokens of endsOf(geometry, drawing, links)) {
    drawPartners(context, geometry, drawing, tokens);
    drawLabels(context, tokens.axis);
    markLabels(context, tokens.axis, drawing.palette);
  }
  drawWords(context, geometry, drawing.palette);
  drawLegend(context, geometry, drawing);
}

/**
 * Where a token's lines end.
 * @param {Geometry} geometry
 * @param {"query" | "key"} end
 * @param {number} at
 * @param {number} [beyond] pixels further out
 * @param {number} [beside] pixels further along the side
 * @returns {[number, number]}
 */
function placeOf({ layout, pitch, from, to, queries, keys }, end, at, beyond = 0, beside = 0) {
  const along = (end === "query" ? queries : keys).start + (at + 0.5) * pitch + beside;
  const across = end === "query" ? from - beyond : to + beyond;
  return layout === "vertical" ? [across, along] : [along, across];
}

/** @param {Surface} context @param {Geometry} geometry @param {Drawing} drawing @param {Link[]} links */
function drawLinks(context, geometry, { sheet, focus, palette, css, dimmed }, links) {
  const bend = -0.4 * (geometry.to - geometry.from);
  const isPair = focus !== null && focus.rows.length > 0 && focus.cols.length > 0;
  const n_heads = sheet.overlaid?.length ?? 1;
  const apart = Math.min(APART, (geometry.pitch - 2) / n_heads);
  context.save();
  for (const { query, key, weight, head } of links) {
    const isChosen = isPair && focus.rows.includes(query) && focus.cols.includes(key);
    const isDim = dimmed?.cols[key] === 1 && !focus?.cols.includes(key);
    const { width, strength, step, dashes } = lineOf(weight, sheet);
    const beside = head === undefined ? 0 : (head - (n_heads - 1) / 2) * apart;
    context.beginPath();
    context.moveTo(...placeOf(geometry, "query", query, 0, beside));
    context.bezierCurveTo(
      ...placeOf(geometry, "query", query, bend, beside),
      ...placeOf(geometry, "key", key, bend, beside),
      ...placeOf(geometry, "key", key, 0, beside),
    );
    context.lineWidth = isChosen ? 3 : width;
    context.globalAlpha = isChosen ? 1 : (0.2 + 0.8 * strength) * (isPair ? 0.5 : 1) * (isDim ? DIM_LINE : 1);
    context.strokeStyle = head !== undefined ? palette.tones[head] : isChosen ? palette.accent : isDim ? palette.muted : css[step];
    context.setLineDash(head === undefined ? dashes : DASHES[head]);
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

/** @param {Surface} context @param {Geometry} geometry @param {Drawing} drawing @param {Tokens} tokens */
function drawPartners(context, geometry, { sheet, css, palette, dimmed, focus }, { end, partners }) {
  const size = Math.max(2, Math.min(geometry.pitch - 2, 8));
  for (const [at, { query, key, head }] of partners) {
    const [x, y] = placeOf(geometry, end, at, 2.5);
    const colours = dimmed?.cols[key] === 1 && !focus?.cols.includes(key) ? dimmed.css : css;
    context.fillStyle = head === undefined ? colours[sheet.codes[query * sheet.keys.labels.length + key]] : palette.tones[head];
    if (geometry.layout === "vertical") context.fillRect(x - 2.5, y - size / 2, 5, size);
    else context.fillRect(x - size / 2, y - 2.5, size, 5);
  }
}

/** The queries, then the keys. @param {Geometry} geometry @param {Drawing} drawing @param {Link[]} links weakest first */
function endsOf(geometry, { sheet, focus, palette, visible, dimmed }, links) {
  const { rows, cols } = focus ?? { rows: [], cols: [] };
  const turn = geometry.layout === "vertical" ? 0 : Math.PI / 2;
  const common = { pitch: geometry.pitch, needed: geometry.size === FONT_SIZE ? LABEL_PITCH : geometry.size + 1, turn, colour: palette.ink };
  return /** @type {const} */ (["query", "key"]).map((end) => {
    const isQuery = end === "query";
    const [chosen, others] = isQuery ? [rows, cols] : [cols, rows];
    // With rows and columns chosen the links are those of the rows.
    const hasPartners = others.length > 0 && !(isQuery && rows.length > 0);
    /** The tokens that links of the chosen ones lead to, each with its strongest link. */
    const partners = new Map(hasPartners ? links.map((link) => [link[end], link]) : []);
    const shown = visible && (isQuery ? visible.rows : visible.cols);
    const usual = chosen.length + partners.size > 0 ? DIM_LABEL : 0.85;
    // A line must not end at a token without a name: the ends of strong links are named before other tokens.
    const first = hasRoomForAll(common) ? [] : [...new Set(links.map((link) => link[end]).reverse())];
    const axis = {
      ...common,
      first,
      labels: (isQuery ? sheet.queries : sheet.keys).labels,
      chosen,
      room: (isQuery ? geometry.queries : geometry.keys).room,
      align: /** @type {"left" | "right"} */ (isQuery ? "right" : "left"),
      place: (/** @type {number} */ at) => placeOf(geometry, end, at, GAP),
      alpha: (/** @type {number} */ at) => (shown !== null && shown[at] !== 1 ? 0.35 : !isQuery && dimmed?.cols[at] === 1 ? DIM_LABEL : usual),
    };
    return { end, axis, partners, usual };
  });
}

/** @param {Surface} context @param {Geometry} geometry @param {Palette} palette */
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
