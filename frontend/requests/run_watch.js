// Following the training run on screen: its events as they are written, orders to start and stop runs, and the list of
// runs while one of them is being trained.

import { ServerError } from "./answer_questions.js";

const EVERY_MS = 2000;

/** @typedef {import("../training/record.js").RunEvent} RunEvent */
/**
 * @typedef {{type: "event", event: RunEvent} | {type: "restart"} | {type: "done", state: import("../training/runs.js").RunState}
 *   | {type: "error", error: Problem}} RunMessage
 */
/** @typedef {Pick<Actions, "followRun" | "receiveRunEvent" | "restartRun" | "endRun" | "receiveOrder" | "refreshRuns">} RunActions */
/**
 * @typedef {object} RunUse
 * @property {typeof import("./training_api.js").requestRun} request
 * @property {(handlers: import("./socket.js").Handlers) => Pick<import("./socket.js").Stream, "open" | "ask" | "cancel">} connect
 * @property {(state: State) => string | null} watchedRun the run whose events matter now
 * @property {(state: State, run: string) => number} knownEvents how many of them are known
 * @property {(state: State) => boolean} isWaiting whether the list of runs may change by itself while somebody looks
 */

export class RunWatch {
  /** @type {string | null} */
  #run = null;
  /** @type {State["training"]["ordered"]} */
  #ordered = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isOpen = false;

  /** @param {RunActions} actions @param {RunUse} use */
  constructor(actions, use) {
    this.actions = actions;
    this.use = use;
    this.stream = use.connect({
      connection: () => {}, // the page says already that the server is lost; the next connection asks for what is missing
      message: (message) => this.#hear(/** @type {RunMessage} */ (/** @type {unknown} */ (message))),
      frame: () => {},
    });
  }

  /** @param {State} state @param {() => State} now the state whenever it is asked for */
  update(state, now) {
    const { ordered } = state.training;
    if (ordered !== this.#ordered) {
      this.#ordered = ordered;
      if (ordered !== null) void this.#order(ordered);
    }
    const run = this.use.watchedRun(state);
    if (run !== this.#run) {
      this.#run = run;
      this.#follow(run, now);
    }
    if (!this.use.isWaiting(state)) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setTimeout(() => this.#refresh(), EVERY_MS);
  }

  /** @param {string | null} run @param {() => State} now */
  #follow(run, now) {
    if (run === null) return this.stream.cancel();
    const known = () => this.use.knownEvents(now(), run);
    this.actions.followRun(run, known());
    if (!this.#isOpen) this.stream.open();
    this.#isOpen = true;
    // Read whenever the question is sent: a new connection asks only for what has not come yet.
    const question = { run, get skip() { return known(); } };
    this.stream.ask(/** @type {import("./socket.js").Question} */ (/** @type {unknown} */ (question)));
  }

  #refresh() {
    this.#timer = undefined;
    this.actions.refreshRuns();
  }

  /** @param {RunMessage} message of the run that is followed: the socket drops those of others */
  #hear(message) {
    const run = this.#run;
    if (run === null) return;
    if (message.type === "event") this.actions.receiveRunEvent(run, message.event);
    else if (message.type === "restart") this.actions.restartRun(run);
    else if (message.type === "done") this.#end(run, message.state);
    else this.#end(run, null);
  }

  /** @param {string} run @param {import("../training/runs.js").RunState | null} state null: the server says of it no more */
  #end(run, state) {
    this.stream.cancel();
    this.actions.endRun(run, state);
  }

  /** @param {NonNullable<State["training"]["ordered"]>} ordered */
  async #order(ordered) {
    try {
      this.actions.receiveOrder(ordered, await this.use.request(ordered), null);
    } catch (error) {
      const message = "The server gave no answer: the order may not have reached it.";
      const problem = error instanceof ServerError ? error.problem : { code: "unreachable", message, details: null };
      this.actions.receiveOrder(ordered, null, problem);
    }
  }
}
