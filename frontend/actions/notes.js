// Writing about single heads.

import { withNote } from "../storage/notes.js";

/** @param {Holder} holder */
export function notesActions(holder) {
  return {
    /** @param {State["notes"]} notes all there are */
    recallNotes: (notes) => holder.update({ notes }),
    /** @param {string} key of the head, see noteKey @param {string} text "" removes the note */
    writeNote(key, text) {
      const { notes } = holder.state;
      if (notes !== null) holder.update({ notes: { ...notes, texts: withNote(notes.texts, key, text) } });
    },
  };
}
