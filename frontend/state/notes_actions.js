// Writing about single heads.

import { withNote } from "./notes.js";

/** @typedef {import("./notes.js").Notes} Notes */
/** @typedef {import("./state.js").Holder} Holder */

/** @param {Holder} holder */
export function notesActions(holder) {
  return {
    /** @param {Notes} notes all there are */
    recallNotes(notes) {
      holder.update({ notes });
    },
    /** @param {string} key of the head, see notes.js @param {string} text "" takes the note away */
    writeNote(key, text) {
      const { notes } = holder.state;
      if (notes !== null) holder.update({ notes: { ...notes, texts: withNote(notes.texts, key, text) } });
    },
  };
}
