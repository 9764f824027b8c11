// One map inside a panel, raw or value-weighted: its readout, its picture or table, and the note under it.

import { drawHeatmap, groundOf, heatmapHit, isLarger } from "../../drawing/heatmap.js";
import { drawLines, linesHit } from "../../drawing/lines.js";
import { allowedBy, focusedOf, strongestOf } from "../../maps/drawn_links.js";
import { axesSide, drawingOf, refusal, spotOf, whyUndrawn } from "../../maps/map_drawing.js";
import { focusRule, linkRule, percent, sharesOf, shownShare, strongestBetweenWords } from "../../maps/readout.js";
import { mapScaleWords } from "../../maps/scales.js";
import { sheetOf } from "../../maps/sources.js";
import { element, setAttribute, setHidden, setText } from "../../page/dom.js";
import { Memo, isSameList } from "../../page/memo.js";
import { whatName } from "../../state/pins.js";
import { isLockShown, isOldPin } from "../../state/selectors.js";
import { ARROW_STEPS } from "../../views/parts/arrow_steps.js";
import { AxisBands } from "./axis_bands.js";
import { InSight } from "./in_sight.js";
import { writeReadout } from "./map_readout.js";
import { createPanelTable } from "./panel_table.js";

/** @typedef {{row: number | null, col: number | null}} Hit */
/**
 * @typedef {object} Prepared what is drawn, with any focus
 * @property {Pin} pin
 * @property {Drawing} drawing
 * @property {Theme} theme
 * @property {number} mass in percent: how much of each row the lines on screen add up to
 * @property {boolean} isOld whether it answers an older question: then nothing in it can be pointed at
 */

export class MapView {
  /** @type {((x: number, y: number) => Hit | null) | null} */
  #hit = null;
  /** @type {Drawing["focus"]} */
  #spot = null;
  /** How wide the picture may be, in CSS pixels. */
  #width = 0;
  /** @type {Memo<Prepared>} */
  #preparation = new Memo();
  /** Null: there is nothing to draw. @type {Prepared | null} */
  #prepared = null;
  /** What the picture on screen was drawn from. @type {unknown[]} */
  #drawnFrom = [];
  /** What is drawn, and not described in words yet. @type {Drawing | null} */
  #unsaid = null;
  /** The heatmap without its focus. @type {Memo<import("../../drawing/heatmap.js").Ground>} */
  #ground = new Memo();
  /** The labels of the lines. @type {Memo<HTMLCanvasElement>} */
  #labels = new Memo();
  /** The strongest links. @type {Memo<ReturnType<typeof strongestOf>>} */
  #links = new Memo();
  /** The share of the weight that the filter shows. @type {Memo<number>} */
  #share = new Memo();

  /** @param {"raw" | "weighted"} values @param {Actions} actions */
  constructor(values, actions) {
    this.values = values;
    this.actions = actions;
    this.title = element("figcaption", { class: "map-title" }, values === "raw" ? "Raw" : "Value-weighted");
    this.readout = element("p", { class: "readout" });
    const description = "The view Table of this panel says the same in numbers.";
    this.canvas = element("canvas", { tabindex: 0, role: "application", "aria-description": description });
    this.scroller = element("div", { class: "panel-canvas" }, this.canvas);
    this.bands = new AxisBands(this.scroller);
    this.table = createPanelTable();
    this.waiting = element("p", { class: "panel-waiting" });
    this.scale = element("p", { class: "map-scale quiet" });
    this.note = element("p", { class: "note" });
    const parts = [this.title, this.readout, this.scroller, this.table.root, this.waiting, this.scale, this.note];
    this.root = element("figure", { class: "map-view", "data-values": values }, ...parts);
    this.sight = new InSight(this.scroller);
    this.#listen();
  }

  #listen() {
    const focusAt = (/** @type {MouseEvent} */ event) => {
      const box = this.canvas.getBoundingClientRect();
      // Clicks come in whole pixels, moves do not: both find the same cell.
      const hit = this.#hit?.(Math.floor(event.clientX) - box.left, Math.floor(event.clientY) - box.top);
      return hit ? this.#focusOf(hit) : null;
    };
    const lock = (/** @type {Focus | null} */ focus, /** @type {MouseEvent} */ event) => {
      if (focus) this.actions.toggleLock(focus, event.shiftKey || event.ctrlKey || event.metaKey);
    };
    this.canvas.addEventListener("pointermove", (event) => this.actions.hover(focusAt(event)));
    this.canvas.addEventListener("pointerleave", () => this.actions.hover(null));
    this.canvas.addEventListener("click", (event) => lock(focusAt(event), event));
    this.canvas.addEventListener("keydown", (event) => this.#onKey(event));
    this.table.root.addEventListener("click", (event) => {
      const line = event.target instanceof Element ? event.target.closest("tr") : null;
      const { row, col } = line?.dataset ?? {};
      if (row !== undefined) lock(this.#focusOf({ row: Number(row), col: col === undefined ? null : Number(col) }), event);
    });
  }

  /** @param {Hit} hit @returns {Focus | null} null: nothing can be pointed at */
  #focusOf({ row, col }) {
    if (this.#prepared === null || this.#prepared.isOld) return null;
    const { pin, drawing: { sheet } } = this.#prepared;
    return {
      side: axesSide(pin),
      queries: row === null ? [] : (sheet.queries.groups[row] ?? []),
      keys: col === null ? [] : (sheet.keys.groups[col] ?? []),
    };
  }

  /** @param {KeyboardEvent} event arrows walk over rows and columns, Enter and Space lock */
  #onKey(event) {
    const step = ARROW_STEPS[event.key];
    if (step) this.#walk(...step);
    else if (event.key === "Enter" || event.key === " ") this.actions.lockFocus();
    else return;
    event.preventDefault();
  }

  /** @param {number} down @param {number} right */
  #walk(down, right) {
    if (this.#prepared === null) return;
    const { queries, keys } = this.#prepared.drawing.sheet;
    const moved = (/** @type {number | undefined} */ from, /** @type {number} */ by, /** @type {number} */ n) => {
      if (from === undefined) return by === 0 ? null : by > 0 ? 0 : n - 1;
      return Math.min(n - 1, Math.max(0, from + by));
    };
    const row = moved(this.#spot?.rows[0], down, queries.labels.length);
    const col = moved(this.#spot?.cols[0], right, keys.labels.length);
    const focus = this.#focusOf({ row, col });
    if (focus === null) return;
    // Keys may follow each other faster than maps are drawn.
    this.#spot = { rows: row === null ? [] : [row], cols: col === null ? [] : [col] };
    this.actions.moveFocus(focus);
  }

  /** @param {boolean} isShown @param {boolean} isAlone whether there is no map of the other values beside it */
  arrange(isShown, isAlone) {
    setHidden(this.root, !isShown);
    setHidden(this.title, isAlone && this.values === "raw");
  }

  /** Read the width that there is. @returns {boolean} whether it has changed */
  measure() {
    const before = this.#width;
    this.#width = Math.floor(this.root.clientWidth);
    return this.#width !== before;
  }

  /** Find out what is to be drawn, but for the focus. @param {State} state @param {Pin} pin @param {Theme} theme */
  prepare(state, pin, theme) {
    const sheet = sheetOf(state, pin, this.values);
    const undrawn = whyUndrawn(state, pin, sheet);
    const isEmpty = sheet !== null && sheet.weights.length === 0;
    const wait = (isEmpty ? null : refusal(state, pin, this.values)) ?? undrawn;
    setText(this.waiting, wait);
    setHidden(this.waiting, wait === "");
    const isDrawn = sheet !== null && undrawn === "";
    setHidden(this.scroller, !isDrawn || pin.mode === "table");
    setHidden(this.table.root, !isDrawn || pin.mode !== "table");
    setAttribute(this.root, "data-exact", String(sheet?.exact ?? false));
    setAttribute(this.canvas, "aria-label", `${whatName(pin)} as ${pin.mode}; arrow keys move over the tokens, Enter chooses one`);
    setHidden(this.scale, !isDrawn || pin.mode !== "heatmap");
    if (!isDrawn) return this.#clear();
    setText(this.scale, mapScaleWords(state.scale, sheet));
    const { mass, layout } = state;
    const isOld = isOldPin(state, pin);
    const drawing = drawingOf(state, pin, sheet, this.#width, theme);
    const ofLines = pin.mode === "lines" ? [layout, mass] : [];
    const from = [sheet, drawing.visible, theme, this.#width, window.devicePixelRatio, pin.mode, isOld, ...ofLines];
    this.#prepared = this.#preparation.get(from, () => ({ pin, drawing, theme, mass, isOld }));
  }

  #clear() {
    this.#hit = null;
    this.#prepared = null;
    this.#drawnFrom = [];
    this.sight.forget();
    this.readout.replaceChildren();
    setText(this.note, "");
  }

  /** @param {State} state draw what is prepared with the focus, unless it is on screen already; `write` follows */
  draw(state) {
    if (this.#prepared === null) return;
    const { pin, drawing, theme, mass } = this.#prepared;
    const focus = spotOf(state, pin, drawing.sheet);
    const locked = isLockShown(state);
    this.#spot = focus;
    const from = [this.#prepared, locked, JSON.stringify(focus)];
    if (isSameList(from, this.#drawnFrom)) return;
    this.#drawnFrom = from;
    const focused = { ...drawing, focus, locked };
    this.sight.draw(this.#prepared, () => {
      if (pin.mode === "heatmap") this.#drawHeatmap(focused, theme);
      if (pin.mode === "lines") this.#drawLines(focused, mass);
    });
    this.#unsaid = focused;
  }

  /** The strongest link of the chosen tokens between words, in words; null: nothing is chosen, or it attends to none. */
  strongestLink() {
    if (this.#prepared === null || this.#spot === null) return null;
    const { sheet } = this.#prepared.drawing;
    return strongestBetweenWords(sheet, this.#spot);
  }

  /** Write the texts about what was drawn. */
  write() {
    const drawing = this.#unsaid;
    this.#unsaid = null;
    if (this.#prepared === null || drawing === null) return;
    const { pin, mass, isOld } = this.#prepared;
    const { sheet, visible } = drawing;
    const rule = pin.mode === "lines" ? this.#rule(drawing, mass) : "";
    if (pin.mode === "table") this.table.render(whatName(pin), drawing);
    const share = visible && this.#share.get([sheet, visible], () => shownShare(sheet, allowedBy(drawing)));
    const shown = share === null ? "" : `${percent(share)} of this map's weight is shown.`;
    setText(this.note, [...sharesOf(sheet), shown, rule, ...sheet.limits].filter(Boolean).join(" "));
    writeReadout(this.readout, drawing, !isOld);
  }

  /** @param {Drawing} drawing @param {Theme} theme */
  #drawHeatmap(drawing, theme) {
    const from = [drawing.sheet, drawing.visible, theme, drawing.width, window.devicePixelRatio];
    const ground = this.#ground.get(from, () => groundOf(drawing));
    drawHeatmap(this.canvas, drawing, ground);
    if (isLarger(ground.geometry, drawing.width)) this.bands.show(drawing, ground);
    else this.bands.hide();
    this.#hit = (x, y) => heatmapHit(ground.geometry, ...this.bands.seenAt(x, y));
  }

  /** @param {Drawing} drawing @param {number} mass in percent */
  #drawLines(drawing, mass) {
    const { focus } = drawing;
    const links = focus ? focusedOf(drawing, focus) : this.#strongest(drawing, mass).links;
    this.bands.hide();
    const geometry = drawLines(this.canvas, drawing, links, this.#labels);
    this.canvas.dataset.links = String(links.length);
    this.#hit = (x, y) => linesHit(geometry, x, y);
  }

  /** @param {Drawing} drawing @param {number} mass in percent */
  #strongest(drawing, mass) {
    return this.#links.get([drawing.sheet, drawing.visible, mass], () => strongestOf(drawing, mass));
  }

  /** @param {Drawing} drawing @param {number} mass in percent @returns {string} by which rule the links were chosen */
  #rule(drawing, mass) {
    if (drawing.focus) return focusRule(drawing.sheet, Number(this.canvas.dataset.links));
    return linkRule(this.#strongest(drawing, mass), mass, drawing.visible !== null, drawing.dimmed != null);
  }
}
