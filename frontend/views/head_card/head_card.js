// What is known of one head: what a corpus proved of it, its numbers on this sentence beside those on the corpus, heads
// like it, and examples.

import { numberText } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem } from "../../heads/roles.js";
import { labelsInWords, tooShortInWords } from "../../heads/sentence_labels.js";
import { headName, unbroken } from "../../maps/labels.js";
import { element, withCode } from "../../page/dom.js";
import { hasPin } from "../../state/pins.js";
import { isWeighted } from "../../state/selectors.js";
import { CorpusExamples, exampleGroups } from "./corpus_examples.js";
import { HeadNote } from "./head_note.js";
import { headNumbers } from "./head_numbers.js";
import { HeadRoles } from "./head_roles.js";
import { MeasureButton } from "../build/measure_button.js";

/** @typedef {import("../../heads/atlas.js").Atlas} Atlas */

const MOST_SIMILAR = 5;

export class HeadCard {
  /** @type {unknown[]} */
  #shownFrom = [];
  /** @type {CorpusExamples | null} */
  #examples = null;
  /** The chips of heads like it. @type {{layer: number, head: number, chip: HTMLElement}[]} */
  #likes = [];
  /** @type {State | null} */
  #state = null;
  #width = 0;

  /**
   * @param {HeadPlace} cell
   * @param {Actions} actions
   * @param {boolean} isOpen
   */
  constructor(cell, actions, isOpen) {
    this.cell = cell;
    this.actions = actions;
    this.note = new HeadNote(cell, actions);
    this.roles = new HeadRoles(cell);
    this.measure = new MeasureButton(actions);
    this.short = element("span", { class: "head-card-short" });
    this.summary = element("summary", {}, "What this head does", this.note.mark, this.short);
    this.body = element("div", { class: "head-card-body" });
    this.root = element("details", { class: "head-card", open: isOpen }, this.summary, this.note.root, this.body);
    // A closed card is empty: many pinned heads would otherwise hold thousands of elements.
    this.root.addEventListener("toggle", () => this.#state && this.render(this.#state, this.#width));
  }

  /**
   * @param {State} state seen from where the head is
   * @param {number} width of the panel, which arrows between words depend on
   */
  render(state, width) {
    this.#state = state;
    this.note.render(state);
    const { layer } = this.cell;
    const { analysis, atlas, metrics_catalogue, values } = state;
    const from = [this.root.open, analysis, analysis?.measures.get(layer), atlas, metrics_catalogue, values];
    const isOther = from.some((item, at) => item !== this.#shownFrom[at]);
    if (isOther) {
      this.#shownFrom = from;
      this.#examples = null;
      this.#likes = [];
      this.body.replaceChildren(...(this.root.open ? this.#parts(state) : []));
      const record = atlasOnScreen(state);
      this.short.replaceChildren(...(this.root.open || !record ? [] : this.roles.short(record)));
    }
    this.measure.render(state);
    for (const { chip, ...cell } of this.#likes) {
      const isPinned = hasPin(state.pins, { ...this.cell, ...cell });
      chip.setAttribute("aria-pressed", String(isPinned));
    }
    // Reading where words stand lays the page out: not while the pointer only wanders over a map.
    if (isOther || width !== this.#width) this.#examples?.draw();
    this.#width = width;
  }

  /** @param {State} state */
  #parts(state) {
    const record = atlasOnScreen(state);
    const problem = atlasProblem(state);
    const parts = [];
    if (record) parts.push(...this.roles.parts(record));
    else if (problem) parts.push(element("p", { class: "hint" }, ...withCode(problem.message)), this.measure.root);
    const labels = labelsInWords(state, this.cell);
    if (labels) {
      const where = isWeighted(state) ? "On this sentence, raw attention: " : "On this sentence: ";
      parts.push(element("p", {}, element("b", {}, where), unbroken(labels)));
    }
    const tooShort = tooShortInWords(state);
    if (tooShort) parts.push(element("p", { class: "hint" }, unbroken(tooShort)));
    if (state.metrics_catalogue && state.analysis) parts.push(headNumbers(state, this.cell, record));
    if (record) parts.push(...this.#similar(record), ...this.#corpusExamples(record));
    return parts;
  }

  /** @param {Atlas} record */
  #similar(record) {
    const near = record.similar[`${this.cell.layer}.${this.cell.head}`] ?? [];
    if (near.length === 0) return [];
    this.#likes = near.slice(0, MOST_SIMILAR).map(([layer, head, distance]) => {
      const title = `Jensen-Shannon divergence ${numberText(distance)} on the corpus; a click pins it`;
      const onclick = () => this.actions.togglePin({ ...this.cell, layer, head });
      const chip = element("button", { type: "button", class: "chip small", title, onclick }, headName(layer, head));
      return { layer, head, chip };
    });
    const label = element("span", { class: "quiet" }, "Similar heads");
    return [element("div", { class: "chips similar" }, label, ...this.#likes.map(({ chip }) => chip))];
  }

  /** @param {Atlas} record */
  #corpusExamples(record) {
    const groups = exampleGroups(record, this.cell);
    if (groups.length === 0) return [];
    this.#examples = new CorpusExamples(record, groups, headName(this.cell.layer, this.cell.head));
    return [this.#examples.root];
  }
}
