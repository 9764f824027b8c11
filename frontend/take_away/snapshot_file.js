// The analysis on screen as one HTML file, made by the server. It must not know what becomes of it.

import { post } from "../server/api.js";
import { notesByHead } from "../state/notes.js";
import { writeLink } from "../state/permalink.js";
import { question } from "../state/selectors.js";
import { viewOf } from "../state/view.js";

/** @typedef {import("../state/state.js").State} State */

/**
 * What is asked of the server: side a, how it is looked at, and the notes on its heads.
 * @param {State} state
 */
export function snapshotQuestion(state) {
  return { ...question(state), view: writeLink(viewOf(state)), notes: notesByHead(state) };
}

/**
 * @param {State} state
 * @returns {Promise<Blob>}
 */
export async function fetchSnapshot(state) {
  return (await post("/snapshot", snapshotQuestion(state))).blob();
}
