// Writing about single heads.

import { withNote } from "../storage/notes.js";

/** @typedef {import("../storage/notes.js").Notes} Notes */

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
