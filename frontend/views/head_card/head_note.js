// A person's own words on one head, written where the head is shown.

import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { LONGEST_NOTE, noteKey, noteOn } from "../../storage/notes.js";

export class HeadNote {
  /** @type {string | null} */
  #key = null;

  /** @param {HeadPlace} cell @param {Actions} actions */
  constructor(cell, actions) {
    this.cell = cell;
    this.mark = element("span", { class: "note-mark", hidden: true }, "✎ note");
    this.box = element("textarea", { rows: 2, dir: "auto", maxlength: LONGEST_NOTE, placeholder: "Your own words on this head…" });
    this.box.setAttribute("aria-label", `Note on ${headName(cell.layer, cell.head)}`);
    this.hint = element("span", { class: "hint" });
    this.root = element("label", { class: "head-note" }, element("span", { class: "head-note-title" }, element("b", {}, "Note"), " ", this.hint), this.box);
    this.box.addEventListener("input", () => this.#key && actions.writeNote(this.#key, this.box.value));
  }

  /** @param {SideView} state where the head is */
  render(state) {
    const { notes, analysis } = state;
    this.root.hidden = notes === null || analysis === null;
    const text = noteOn(state, this.cell);
    this.mark.hidden = text === "";
    if (notes === null || analysis === null) return;
    this.#key = noteKey(analysis.model, this.cell);
    // Blanks alone are no note, but somebody may be about to write on.
    const isBegun = text === "" && this.box.value.trim() === "" && this.box === document.activeElement;
    if (this.box.value !== text && !isBegun) this.box.value = text;
    setText(this.hint, notes.kept ? "kept in this browser, for this model" : "this browser keeps nothing: it is gone when the page is closed");
  }
}
