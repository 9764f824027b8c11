// A model that writes on: asking what comes next, having tokens written over a socket, stopping when the text they go
// on from is no longer the one in the boxes.

import { post } from "../requests/api.js";
import { Latest } from "../requests/latest.js";
import { Stream } from "../requests/socket.js";
import { isStale, question, questionKey, writes } from "../state/selectors.js";
import { branchesOf, grown, stemOf, writtenOn } from "./branches.js";

/** @typedef {import("../actions/generation.js").WrittenToken} WrittenToken */
/** @typedef {{id: number, text: string, piece: string, probability: number}} Candidate */
/** @typedef {{tokens: Token[], n_tokens: number, candidates: Candidate[], rest: number, entropy: number}} Next */
/** @typedef {Question & {top: number}} NextQuestion */
/**
 * @typedef {{type: "progress", message: string} | {type: "start", tokens: Token[]} | ({type: "token"} & WrittenToken)
 *   | {type: "done", reason: "length" | "end" | "limit", timing: {total_ms: number, load_ms: number}}
 *   | {type: "error", error: Problem}} Message what the socket says
 */

const CANDIDATES = 20;

/**
 * @param {NextQuestion} asked
 * @param {AbortSignal} signal
 * @returns {Promise<Next>}
 */
export async function fetchNext(asked, signal) {
  return (await post("/next", asked, signal)).json();
}

/** @param {State} state whether tokens are being written now */
export function isWriting({ writing }) {
  return writing !== null && writing.phase !== "over";
}

/**
 * What the server is to be asked of the next token: nothing while the tab is closed, tokens are being written, or the
 * text in the boxes has no answer of its own yet.
 * @param {State} state
 * @returns {NextQuestion | null}
 */
export function nextQuestion(state) {
  const asked = question(state);
  if (asked === null || state.tab !== "generate" || !writes(state) || isWriting(state)) return null;
  if (state.connection === "lost" || state.analysis === null || isStale(state)) return null;
  return { ...asked, top: CANDIDATES };
}

/**
 * What is known of the next token; nothing that was said of another text.
 * @param {State} state
 */
export function shownNext(state) {
  const asked = nextQuestion(state);
  return asked !== null && state.next?.asked === JSON.stringify(asked) ? state.next : null;
}

export class Generation {
  /** @type {Latest<Next>} */
  #latest = new Latest();
  #isOpen = false;
  /** A token whose rows have not come yet. @type {WrittenToken | null} */
  #token = null;

  /**
   * @param {string} address of the socket
   * @param {{state: () => State, actions: Actions}} surroundings
   * @param {{fetchOne: typeof fetchNext, StreamClass: typeof Stream}} [means] what a test replaces
   */
  constructor(address, { state, actions }, means = { fetchOne: fetchNext, StreamClass: Stream }) {
    this.state = state;
    this.actions = actions;
    this.fetchOne = means.fetchOne;
    this.stream = new means.StreamClass(address, {
      connection: () => {}, // the page tells of a lost server already; on the next connection the text is asked again
      message: (message) => this.#hear(/** @type {Message} */ (/** @type {unknown} */ (message))),
      frame: (frame) => this.#receive(frame),
    });
  }

  /** Have tokens written after the text. @param {number} [n] how many; without it as many as are chosen */
  write(n = this.state().sampling.n) {
    const state = this.state();
    const asked = question(state);
    if (asked === null || isWriting(state)) return;
    const { temperature, top_k, seed } = state.sampling;
    this.actions.beginWriting();
    if (!this.#isOpen) this.stream.open();
    this.#isOpen = true;
    this.#token = null;
    this.stream.ask(/** @type {Question} */ ({ ...asked, n, temperature, top_k, seed }));
  }

  /** Stop writing; what is written stays. */
  stop() {
    if (isWriting(this.state())) this.#end({ reason: "stopped", problem: null, ms: null });
  }

  /** Look whether the text is still the one that is being gone on with, and what is to be known of it. */
  want() {
    const before = this.state();
    if (isWriting(before) && before.writing?.from !== questionKey(question(before))) {
      this.stream.cancel();
      this.actions.leaveWriting();
    }
    const state = this.state();
    const asked = nextQuestion(state);
    const key = JSON.stringify(asked);
    const fetched = asked && ((/** @type {AbortSignal} */ signal) => this.fetchOne(asked, signal));
    void this.#latest.want([key], fetched, (known) => this.actions.receiveNext({ asked: key, ...known }));
    const written = writtenOn(state);
    const branches = branchesOf(state);
    const now = written === null ? branches : grown(branches, written);
    if (now !== branches) this.actions.keepBranches(stemOf(state), now);
  }

  /** @param {Message} message */
  #hear(message) {
    if (message.type === "progress") this.actions.tellWriting(message.message);
    else if (message.type === "start") this.actions.startWriting(message.tokens);
    else if (message.type === "token") this.#token = message;
    else if (message.type === "done") this.#end({ reason: message.reason, problem: null, ms: message.timing.total_ms - message.timing.load_ms });
    else this.#end({ reason: null, problem: message.error, ms: null });
  }

  /** @param {Frame} rows a token is shown together with what led to it */
  #receive(rows) {
    if (this.#token !== null) this.actions.write(this.#token, rows);
    this.#token = null;
  }

  /** @param {Parameters<Actions["endWriting"]>[0]} end */
  #end(end) {
    this.stream.cancel();
    this.actions.endWriting(end);
  }
}
