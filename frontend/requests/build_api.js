// The REST side of measuring a model's heads: which sections there are, how a build stands, starting and stopping it.

import { post, request } from "./api.js";

/** @typedef {import("../heads/atlas.js").SectionName} SectionName */
/**
 * @typedef {object} SectionStatus
 * @property {SectionName} section
 * @property {string} label
 * @property {string} measures in a sentence
 * @property {string | null} needs why it cannot be measured here, and what would change that; null: it can
 * @property {string | null} measured the date; null: not for the weights that are here
 */
/**
 * @typedef {object} Build the last build of a model in this server
 * @property {"idle" | "running" | "stopped" | "failed" | "done"} state
 * @property {string} message what it is doing now, or how it ended
 * @property {SectionName | null} section the one under way
 * @property {SectionName[]} sections those it measures, in order
 * @property {number} done of the step in `message`
 * @property {number} total 0: unknown
 * @property {string | null} started
 * @property {Problem | null} error
 */
/** @typedef {{model: string, sections: SectionStatus[], build: Build}} BuildStatus */

/** @param {string} model */
const pathOf = (model) => `/models/${encodeURIComponent(model)}/atlas/build`;

/** @param {string} model @returns {Promise<BuildStatus>} */
export async function fetchBuild(model) {
  return (await request(pathOf(model))).json();
}

/** Measure all sections that can be measured and are not measured yet. @param {string} model @returns {Promise<BuildStatus>} */
export async function startBuild(model) {
  return (await post(pathOf(model), {})).json();
}

/** Stop soon; what is measured is kept. @param {string} model @returns {Promise<BuildStatus>} */
export async function stopBuild(model) {
  return (await request(pathOf(model), { method: "DELETE" })).json();
}
