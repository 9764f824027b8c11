// Watching how a model's heads are measured: asked once, then about once a second while a build runs and somebody sees
// the page; orders to start and stop.

import { ServerError } from "./answer_questions.js";

/** @typedef {(model: string) => Promise<BuildStatus>} Request */
/**
 * @typedef {object} BuildServer
 * @property {Request} fetchBuild
 * @property {Request} startBuild
 * @property {Request} stopBuild
 */

const EVERY_MS = 1000;

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
   * @param {(state: State) => string | null} watchedModel the model whose build matters now
   * @param {() => boolean} isSeen whether somebody sees the page
   */
  constructor(actions, server, watchedModel, isSeen) {
    this.actions = actions;
    this.server = server;
    this.watchedModel = watchedModel;
    this.isSeen = isSeen;
  }

  /** @param {State} state */
  update(state) {
    const { ordered } = state.build;
    const model = this.watchedModel(state);
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

  /** Somebody looks at the page again: what happened meanwhile is asked for. */
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

/** @param {Promise<BuildStatus>} asked @returns {Promise<{status: BuildStatus | null, problem: Problem | null}>} */
async function answerOf(asked) {
  try {
    return { status: await asked, problem: null };
  } catch (error) {
    if (error instanceof ServerError) return { status: null, problem: error.problem };
    const message = "The server gave no answer; a build that runs goes on without this page.";
    return { status: null, problem: { code: "unreachable", message, details: null } };
  }
}
