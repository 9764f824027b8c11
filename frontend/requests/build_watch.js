// Watching how a model's heads are measured: asked once, then about once a second while a build runs and somebody looks
// at the page; orders to start and stop.

import { ServerError } from "./answer_questions.js";

const EVERY_MS = 1000;

export class BuildWatch {
  /** @type {string | null} */
  #model = null;
  /** @type {State["build"]["ordered"]} */
  #ordered = null;
  /** How many requests were made: only the last one's answer counts. */
  #requests = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isRunning = false;

  /**
   * @param {Pick<Actions, "receiveBuild">} actions
   * @param {typeof import("./build_api.js").requestBuild} request
   * @param {(state: State) => string | null} watchedModel the model whose build matters now
   * @param {() => boolean} isSeen whether somebody looks at the page
   */
  constructor(actions, request, watchedModel, isSeen) {
    this.actions = actions;
    this.request = request;
    this.watchedModel = watchedModel;
    this.isSeen = isSeen;
  }

  /** @param {State} state */
  update(state) {
    const { ordered } = state.build;
    const model = this.watchedModel(state);
    if (ordered !== null && ordered !== this.#ordered) {
      this.#model = ordered.model;
      void this.#ask(ordered.what);
    } else if (model !== this.#model) {
      this.#model = model;
      void this.#ask("status");
    }
    this.#ordered = ordered;
  }

  /** Somebody looks at the page again: ask what happened meanwhile. */
  askAgain() {
    if (this.#isRunning) void this.#ask("status");
  }

  /** @param {"status" | "start" | "stop"} what */
  async #ask(what) {
    clearTimeout(this.#timer);
    this.#requests += 1;
    const mine = this.#requests;
    if (this.#model === null) {
      this.#isRunning = false;
      return;
    }
    const { status, problem } = await answerOf(this.request(this.#model, what));
    if (mine !== this.#requests) return;
    // Without an answer, a build that ran still runs.
    if (status !== null) this.#isRunning = status.build.state === "running";
    this.#timer = setTimeout(() => this.isSeen() && this.askAgain(), EVERY_MS);
    this.actions.receiveBuild({ status, problem });
  }
}

/** @param {Promise<BuildStatus>} asked @returns {Promise<{status: BuildStatus | null, problem: Problem | null}>} */
async function answerOf(asked) {
  try {
    return { status: await asked, problem: null };
  } catch (error) {
    if (error instanceof ServerError) return { status: null, problem: error.problem };
    const message = "The server gave no answer; a running build continues without this page.";
    return { status: null, problem: { code: "unreachable", message, details: null } };
  }
}
