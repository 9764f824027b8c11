// The REST side of measuring a model's heads: which sections there are, how far a build is, starting and stopping it.

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
 * @property {Problem | null} error
 */
/** @typedef {{model: string, sections: SectionStatus[], build: Build}} BuildStatus */

/**
 * @param {string} model
 * @param {"status" | "start" | "stop"} what starting measures all sections that can be measured and are not measured yet; stopping
 *   keeps what is measured
 * @returns {Promise<BuildStatus>}
 */
export async function requestBuild(model, what) {
  const path = `/models/${encodeURIComponent(model)}/atlas/build`;
  const response = what === "start" ? post(path, {}) : request(path, { method: what === "stop" ? "DELETE" : "GET" });
  return (await response).json();
}
