// The analysis on screen as one HTML file, made by the server. It must not know what becomes of it.

import { post } from "./api.js";
import { notesByHead } from "./notes.js";
import { writeLink } from "./permalink.js";
import { question } from "./selectors.js";
import { viewOf } from "./view.js";

/** @typedef {import("./state.js").State} State */

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
