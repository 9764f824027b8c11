// What is known of one head: first what it does in a plain sentence, with examples and heads like it; on demand the
// evidence, and its numbers on this sentence beside those on the corpus.

import { headNumbersTable } from "../../export/head_numbers.js";
import { numberFile } from "../../export/number_files.js";
import { saveFile } from "../../export/saving.js";
import { numberText } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem } from "../../heads/roles.js";
import { labelsInWords, tooShortInWords, whyOtherLabels } from "../../heads/sentence_labels.js";
import { element, withCode } from "../../page/dom.js";
import { headName, unbroken } from "../../page/labels.js";
import { isSameList } from "../../page/memo.js";
import { hasPin } from "../../state/pins.js";
import { isWeighted } from "../../state/selectors.js";
import { MeasureButton } from "../build/measure_button.js";
import { button } from "../parts/button.js";
import { corpusExamples } from "./corpus_examples.js";
import { headClaim } from "./head_claim.js";
import { createHeadNote } from "./head_note.js";
import { headNumbers } from "./head_numbers.js";
import { createHeadRoles } from "./head_roles.js";

const MOST_SIMILAR = 5;

export class HeadCard {
  /** @type {unknown[]} */
  #shownFrom = [];
  /** The chips of similar heads. @type {{place: HeadPlace, chip: HTMLElement}[]} */
  #similar = [];
  /** @type {SideView | null} */
  #state = null;
  /** Whether evidence and numbers are shown, also after the card was written again. */
  #isDeep = false;
  /** Whether it stands open without having been asked for. */
  #isUnasked;

  /** @param {HeadPlace} cell @param {Actions} actions @param {boolean} isOpen */
  constructor(cell, actions, isOpen) {
    this.cell = cell;
    this.actions = actions;
    this.#isUnasked = isOpen;
    this.note = createHeadNote(cell, actions);
    this.roles = createHeadRoles(cell);
    this.measure = new MeasureButton(actions);
    this.short = element("span", { class: "head-card-short" });
    this.body = element("div", { class: "head-card-body" });
    const summary = element("summary", {}, "What this head does", this.note.mark, this.short);
    this.root = element("details", { class: "head-card", open: isOpen }, summary, this.body, this.note.root);
    summary.addEventListener("click", () => (this.#isUnasked = false));
    // A closed card is empty: many pinned heads would otherwise hold thousands of elements.
    this.root.addEventListener("toggle", () => this.#state && this.render(this.#state));
  }

  /** Close it where it takes the room of other maps, unless somebody has opened it. */
  makeRoom() {
    if (this.#isUnasked) this.root.open = this.#isUnasked = false;
  }

  /** @param {SideView} state where the head is */
  render(state) {
    this.#state = state;
    this.note.render(state);
    const { analysis, metrics_catalogue, values } = state;
    const record = atlasOnScreen(state);
    const known = [record, atlasProblem(state)?.message, metrics_catalogue, values];
    const from = [this.root.open, analysis, analysis?.measures.get(this.cell.layer), ...known];
    if (!isSameList(from, this.#shownFrom)) {
      this.#shownFrom = from;
      this.#similar = [];
      this.body.replaceChildren(...(this.root.open ? this.#parts(state) : []));
      this.short.replaceChildren(...(this.root.open || !record ? [] : this.roles.short(record)));
    }
    this.measure.render(state);
    for (const { chip, place } of this.#similar) chip.setAttribute("aria-pressed", String(hasPin(state.pins, place)));
  }

  /** @param {SideView} state */
  #parts(state) {
    const record = atlasOnScreen(state);
    const problem = atlasProblem(state);
    const parts = [];
    if (record) parts.push(...headClaim(record, this.cell));
    else if (problem) parts.push(element("p", { class: "hint" }, ...withCode(problem.message)), this.measure.root);
    const labels = labelsInWords(state, this.cell);
    if (labels) {
      const where = isWeighted(state) ? "On this sentence, raw attention: " : "On this sentence: ";
      const why = record ? whyOtherLabels(state, this.cell, record) : "";
      const reason = why === "" ? [] : [element("span", { class: "evidence-rest quiet" }, unbroken(why))];
      parts.push(element("p", {}, element("b", {}, where), unbroken(labels), ...reason));
    }
    const tooShort = tooShortInWords(state);
    if (tooShort) parts.push(element("p", { class: "hint" }, unbroken(tooShort)));
    if (record) parts.push(...corpusExamples(record, this.cell), ...this.#similarHeads(record));
    return [...parts, ...this.#depth(state, record)];
  }

  /** Evidence and numbers, which open on demand. @param {SideView} state @param {Atlas | null} record */
  #depth(state, record) {
    const parts = record ? this.roles.parts(record) : [];
    if (state.metrics_catalogue && state.analysis) {
      const save = () => saveFile(numberFile(state, headNumbersTable(state, this.cell, record), "csv", new Date()));
      const label = `Save the numbers of ${headName(this.cell.layer, this.cell.head)} as CSV`;
      parts.push(headNumbers(state, this.cell, record), button("chip small more", "CSV", save, { "aria-label": label, title: label }));
    }
    if (parts.length === 0) return [];
    const summary = element("summary", {}, record ? "Evidence and numbers" : "Numbers");
    const ontoggle = () => (this.#isDeep = depth.open);
    const depth = element("details", { class: "head-depth", open: this.#isDeep, ontoggle }, summary, element("div", {}, ...parts));
    return [depth];
  }

  /** @param {Atlas} record */
  #similarHeads(record) {
    const near = record.similar[`${this.cell.layer}.${this.cell.head}`] ?? [];
    this.#similar = near.slice(0, MOST_SIMILAR).map(([layer, head, distance]) => {
      const place = { ...this.cell, layer, head };
      const title = `Jensen-Shannon divergence ${numberText(distance)} on the corpus; a click pins it`;
      return { place, chip: button("chip small", headName(layer, head), () => this.actions.togglePin(place), { title }) };
    });
    if (near.length === 0) return [];
    const label = element("span", { class: "quiet" }, "Similar heads");
    return [element("div", { class: "chips similar" }, label, ...this.#similar.map(({ chip }) => chip))];
  }
}
