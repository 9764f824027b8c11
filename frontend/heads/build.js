// Watching how a model's heads are measured: asked once, then about once a second while a build runs and somebody sees
// the page; orders to start and stop.

import { ServerError } from "../requests/api.js";
import { atlasOnScreen, atlasProblem } from "./roles.js";

/** @typedef {(model: string) => Promise<BuildStatus>} Request */
/**
 * @typedef {object} BuildServer
 * @property {Request} fetchBuild
 * @property {Request} startBuild
 * @property {Request} stopBuild
 */

const EVERY_MS = 1000;
/** Problems that a build ends: there is no atlas, or one that cannot be read and would be replaced. */
const ENDED_BY_BUILD = ["no_atlas", "unreadable_atlas"];

/**
 * The model whose build matters now: that of the open panel, else the one on screen where something is not measured.
 * @param {State} state
 * @returns {string | null}
 */
export function watchedModel(state) {
  const { build, atlas, model } = state;
  if (build.open !== null) return build.open;
  if (atlas === null || atlas.model !== model || !canMeasure(state, model)) return null;
  const isMissing = isUnmeasured(atlas.problem) || (atlas.record?.missing.length ?? 0) > 0;
  return isMissing || runningBuild(state, model) !== null ? model : null;
}

/**
 * The build of a model that is under way; null: none that is known of.
 * @param {Pick<State, "build">} state
 * @param {string | null} model
 */
export function runningBuild({ build: { status } }, model) {
  return status !== null && status.model === model && status.build.state === "running" ? status.build : null;
}

/**
 * Whether a model is here to be measured.
 * @param {Pick<State, "models">} state
 * @param {string | null} model
 */
export function canMeasure({ models }, model) {
  return models.find(({ id }) => id === model)?.available ?? false;
}

/** @param {Problem | null} problem why there is no atlas; whether measuring the model would end it */
export function isUnmeasured(problem) {
  return problem !== null && ENDED_BY_BUILD.includes(problem.code);
}

/**
 * The model on screen whose weights were not measured but could be; null: none.
 * @param {State} state
 * @returns {string | null}
 */
export function unmeasuredModel(state) {
  const model = state.analysis?.model ?? state.model;
  const isOther = atlasOnScreen(state)?.revision_matches === false;
  return (isOther || isUnmeasured(atlasProblem(state))) && canMeasure(state, model) ? model : null;
}

export class BuildWatch {
  /** @type {string | null} */
  #model = null;
  /** @type {State["build"]["ordered"]} */
  #ordered = null;
  /** How many requests were made: an answer is dropped when another was made after it. */
  #turn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isRunning = false;

  /**
   * @param {Pick<Actions, "receiveBuild">} actions
   * @param {BuildServer} server
   * @param {() => boolean} isSeen whether somebody sees the page
   */
  constructor(actions, server, isSeen) {
    this.actions = actions;
    this.server = server;
    this.isSeen = isSeen;
  }

  /** @param {State} state */
  want(state) {
    const { ordered } = state.build;
    const model = watchedModel(state);
    if (ordered !== null && ordered !== this.#ordered) {
      this.#model = ordered.model;
      void this.#ask(ordered.model, ordered.what === "start" ? this.server.startBuild : this.server.stopBuild);
    } else if (model !== this.#model) {
      this.#model = model;
      if (model !== null) void this.#ask(model, this.server.fetchBuild);
      else this.#rest();
    }
    this.#ordered = ordered;
  }

  /** Somebody looks at the page again: what went on meanwhile is asked for. */
  look() {
    if (this.#isRunning && this.#model !== null) void this.#ask(this.#model, this.server.fetchBuild);
  }

  #rest() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#isRunning = false;
  }

  /** @param {string} model @param {Request} request */
  async #ask(model, request) {
    clearTimeout(this.#timer);
    this.#turn += 1;
    const turn = this.#turn;
    const { status, problem } = await answerOf(request(model));
    if (turn !== this.#turn) return;
    // Where no answer came, a build that ran still runs.
    if (status !== null) this.#isRunning = status.build.state === "running";
    this.#timer = setTimeout(() => this.isSeen() && this.look(), EVERY_MS);
    this.actions.receiveBuild({ status, problem });
  }
}

/**
 * @param {Promise<BuildStatus>} asked
 * @returns {Promise<{status: BuildStatus | null, problem: Problem | null}>}
 */
async function answerOf(asked) {
  try {
    return { status: await asked, problem: null };
  } catch (error) {
    if (error instanceof ServerError) return { status: null, problem: error.problem };
    const message = "The server gave no answer; a build that runs goes on without this page.";
    return { status: null, problem: { code: "unreachable", message, details: null } };
  }
}
