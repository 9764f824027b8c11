// The labels of a heatmap that is larger than its place: bands along two edges that stay while the cells are scrolled.

import { eraseLabels, markLabels } from "../../drawing/axis_labels.js";
import { axesOf, layGround } from "../../drawing/heatmap.js";
import { element, sizeCanvas } from "../../page/dom.js";

/** @typedef {import("../../drawing/heatmap.js").Ground} Ground */

/** So much of the first column's chosen label reaches over the corner. */
const REACH = 6;

export class AxisBands {
  /** What the bands belong to; null: the whole map is in sight. @type {{drawing: Drawing, ground: Ground} | null} */
  #shown = null;
  /** How far the map is scrolled; asking the page while maps are drawn would lay it out each time. */
  #scrolled = { left: 0, top: 0 };

  /** @param {HTMLElement} scroller where the map is */
  constructor(scroller) {
    this.scroller = scroller;
    this.rows = element("canvas", { class: "axis-band rows", "aria-hidden": "true", hidden: true });
    this.cols = element("canvas", { class: "axis-band cols", "aria-hidden": "true", hidden: true });
    this.corner = element("div", { class: "axis-band corner", hidden: true });
    scroller.addEventListener("scroll", () => this.#follow(), { passive: true });
  }

  #follow() {
    this.#scrolled = { left: this.scroller.scrollLeft, top: this.scroller.scrollTop };
    const isDrawn = this.rows.hidden === !(this.#scrolled.left > 0) && this.cols.hidden === !(this.#scrolled.top > 0);
    if (!isDrawn) this.#draw();
  }

  /** @param {Drawing} drawing @param {Ground} ground */
  show(drawing, ground) {
    this.#shown = { drawing, ground };
    this.#draw();
  }

  /** A band is drawn where the map's own labels may be out of sight. */
  #draw() {
    if (this.#shown === null) return;
    const { drawing, ground } = this.#shown;
    const { left, top, width, height } = ground.geometry;
    const axes = axesOf(drawing, ground.geometry);
    const [hasRows, hasCols] = [this.#scrolled.left > 0, this.#scrolled.top > 0];
    if ((hasRows || hasCols) && !this.corner.isConnected) this.scroller.append(this.rows, this.cols, this.corner);
    for (const [band, isSeen] of /** @type {const} */ ([[this.rows, hasRows], [this.cols, hasCols], [this.corner, hasRows || hasCols]])) {
      if (band.hidden === isSeen) band.hidden = !isSeen; // hiding it again would make the browser compute its style again
    }
    [this.rows, this.cols].forEach((band, at) => {
      if (band.hidden) return;
      const context = band === this.rows ? sizeCanvas(band, left, height) : sizeCanvas(band, width, top);
      layGround(context, ground.picture, drawing.palette, ground.geometry);
      eraseLabels(context, axes[at]);
      markLabels(context, axes[at], drawing.palette);
    });
    Object.assign(this.corner.style, { width: `${left - REACH}px`, height: `${top}px` });
  }

  hide() {
    if (this.#shown === null) return;
    this.#shown = null;
    for (const band of [this.rows, this.cols, this.corner]) band.remove();
  }

  /** Which point of the picture is seen at a point: on a band, a label. @param {number} x @param {number} y @returns {[number, number]} */
  seenAt(x, y) {
    if (this.#shown === null) return [x, y];
    const { left, top } = this.#shown.ground.geometry;
    const [across, down] = [x - this.#scrolled.left, y - this.#scrolled.top];
    return [across < left ? across : x, down < top ? down : y];
  }
}
