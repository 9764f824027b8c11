// A person's own words on one head, written where the head is shown.

import { element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { LONGEST_NOTE, noteKey, noteOn } from "../../storage/notes.js";

/** @param {HeadPlace} cell @param {Actions} actions */
export function createHeadNote(cell, actions) {
  let key = "";
  const mark = element("span", { class: "note-mark", hidden: true }, "✎ note");
  const hint = element("span", { class: "hint" });
  const placeholder = "Your own words on this head…";
  const label = `Note on ${headName(cell.layer, cell.head)}`;
  const box = element("textarea", { rows: 2, dir: "auto", maxlength: LONGEST_NOTE, placeholder, "aria-label": label });
  box.addEventListener("input", () => actions.writeNote(key, box.value));
  const title = element("span", { class: "head-note-title" }, element("b", {}, "Note"), " ", hint);
  const root = element("label", { class: "head-note" }, title, box);

  /** @param {SideView} state where the head is */
  function render(state) {
    const { notes, analysis } = state;
    const text = noteOn(state, cell);
    root.hidden = notes === null || analysis === null;
    mark.hidden = text === "";
    if (notes === null || analysis === null) return;
    key = noteKey(analysis.model, cell);
    // Blanks alone are no note, but somebody may be about to write on.
    const isBegun = text === "" && box.value.trim() === "" && box === document.activeElement;
    if (box.value !== text && !isBegun) box.value = text;
    setText(hint, notes.kept ? "kept in this browser, for this model" : "this browser keeps nothing: it is gone when the page is closed");
  }
  return { root, mark, render };
}
