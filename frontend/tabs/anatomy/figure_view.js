// One matrix of the picture as an element: caption, cells, marks; what the pointer and the keys do on it.

import { drawMarks, drawMatrix, MARGIN, cellAt } from "../../drawing/matrix_cells.js";
import { scaleText, shapeText, sharedText, turned, valueAt } from "../../anatomy/figures.js";
import { captionWidth } from "../../anatomy/stage_layout.js";
import { element, setText } from "../../page/dom.js";
import { ARROW_STEPS } from "../../views/parts/arrow_steps.js";

/** @typedef {import("../../anatomy/figures.js").Figure} Figure */
/** @typedef {import("../../anatomy/fit.js").Box} Box */
/**
 * @typedef {object} FigureEvents places are those of the matrix, not as drawn
 * @property {(figure: Figure, place: [number, number] | null) => void} point
 * @property {(figure: Figure, place: [number, number]) => void} pin
 * @property {() => boolean} leave whether there was something to leave
 * @property {(head: number) => void} chooseHead
 * @property {(token: number) => void} chooseWord
 */
/** @typedef {import("../../drawing/matrix_cells.js").Matrix} Matrix */

export class FigureView {
  /** @type {Figure | null} */
  figure = null;
  /** @type {Box | null} */
  box = null;
  /** @type {Matrix | null} */
  #matrix = null;
  /** Where the arrow keys are, as drawn. @type {[number, number]} */
  #cursor = [0, 0];

  /** @param {FigureEvents} events */
  constructor(events) {
    this.events = events;
    this.symbol = element("b", { class: "matrix-symbol" });
    this.shape = element("span", { class: "matrix-shape" });
    this.scale = element("span", { class: "matrix-scale" });
    this.caption = element("div", { class: "matrix-caption" }, this.symbol, element("span", { class: "matrix-facts" }, this.shape, this.scale));
    this.canvas = element("canvas", { class: "matrix-cells", tabindex: 0, role: "application" });
    this.marks = element("canvas", { class: "matrix-marks", "aria-hidden": "true" });
    this.root = element("div", { class: "matrix" }, this.caption, element("div", { class: "matrix-picture" }, this.canvas, this.marks));
    this.canvas.addEventListener("pointermove", (event) => this.#point(this.#cellOf(event)));
    this.canvas.addEventListener("pointerleave", () => this.#point(null));
    this.canvas.addEventListener("click", (event) => this.#click(event));
    this.canvas.addEventListener("keydown", (event) => this.#press(event));
    this.canvas.addEventListener("focus", () => this.canvas.matches(":focus-visible") && this.#point(this.#cursor));
    this.canvas.addEventListener("blur", () => this.#point(null));
    this.symbol.addEventListener("click", () => this.figure && this.figure.id.includes("@") && this.events.chooseHead(this.figure.head));
  }

  /** @param {Figure} figure @param {Box} box @param {string[]} rowNames @param {string[]} columnNames @param {Theme} theme */
  draw(figure, box, rowNames, columnNames, theme) {
    [this.figure, this.box] = [figure, box];
    const { rows, columns, look, scale, heads, rowAxis, columnAxis } = figure;
    const blocks = { rows: isOfHeads(rowAxis) ? heads : 1, columns: isOfHeads(columnAxis) ? heads : 1 };
    const value = (/** @type {number} */ row, /** @type {number} */ column) => valueAt(figure, row, column);
    this.#matrix = { rows, columns, value, look, top: scale.top, rowNames, columnNames, blocks };
    this.#cursor = [Math.min(this.#cursor[0], rows - 1), Math.min(this.#cursor[1], columns - 1)];
    setText(this.symbol, figure.symbol);
    setText(this.shape, shapeText(figure));
    const shared = sharedText(box);
    const largest = shared === "" ? "" : `${shared}, of which the largest is drawn. `;
    setText(this.scale, [shared, scaleText(figure)].filter(Boolean).join(" · "));
    this.caption.style.maxWidth = `${Math.max(box.width, captionWidth(figure)) + box.labels + 2 * MARGIN}px`;
    this.caption.title = `${figure.kind.meaning} ${largest}Colours: ${scaleText(figure)}.`;
    this.root.dataset.matrix = figure.name;
    this.root.dataset.figure = figure.id;
    this.root.dataset.head = String(figure.head);
    this.root.dataset.cells = [box.labels + MARGIN, box.columnLabels + MARGIN, box.column, box.row].join();
    this.root.classList.toggle("thin", rows === 1);
    this.root.classList.toggle("other-head", figure.id.includes("@"));
    this.canvas.setAttribute("aria-label", `${figure.symbol}, ${shapeText(figure)}: ${figure.kind.meaning} Arrow keys move over the numbers, Enter shows where one comes from.`);
    this.root.style.left = `${box.x - box.labels - MARGIN}px`;
    this.root.style.top = `${box.y - box.columnLabels - MARGIN - (rows === 1 ? 17 : 34)}px`;
    this.caption.style.paddingLeft = `${box.labels + MARGIN}px`;
    drawMatrix(this.canvas, this.#matrix, box, theme);
    this.marks.width = 1;
  }

  /** @param {[number, number][]} cells of the matrix @param {[number, number][]} from @param {Theme} theme */
  mark(cells, from, theme) {
    const { figure, box } = this;
    if (!figure || !box) return;
    this.root.dataset.lit = String(from.length);
    const drawn = (/** @type {[number, number][]} */ places) => places.map(([row, column]) => turned(figure, row, column));
    drawMarks(this.marks, { cells: drawn(cells), from: drawn(from) }, box, theme);
  }

  /** @param {MouseEvent} event */
  #cellOf(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    return this.#matrix && this.box && cellAt(this.#matrix, this.box, event.clientX - left, event.clientY - top);
  }

  /** @param {[number, number] | null} cell as drawn */
  #point(cell) {
    if (cell) this.#cursor = cell;
    if (this.figure) this.events.point(this.figure, cell && turned(this.figure, ...cell));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const cell = this.#cellOf(event);
    if (this.figure && cell) return this.events.pin(this.figure, turned(this.figure, ...cell));
    const { box, figure } = this;
    if (!box || figure?.rowAxis !== "token" || box.labels === 0) return;
    const row = Math.floor((event.clientY - this.canvas.getBoundingClientRect().top - MARGIN - box.columnLabels) / box.row);
    if (row >= 0 && row < figure.rows) this.events.chooseWord(row);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { figure } = this;
    if (!figure || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROW_STEPS[event.key];
    if (step) {
      const clamp = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, at));
      this.#point([clamp(this.#cursor[0] + step[0], figure.rows), clamp(this.#cursor[1] + step[1], figure.columns)]);
    } else if (event.key === "Enter" || event.key === " ") this.events.pin(figure, turned(figure, ...this.#cursor));
    else if (event.key !== "Escape" || !this.events.leave()) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {string} axis */
const isOfHeads = (axis) => axis === "all_heads" || axis === "key_heads";
