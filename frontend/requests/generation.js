// Having tokens written over a socket, and stopping when the text they continue is no longer the one in the boxes.

import { askedKey, question } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { Stream } from "./socket.js";

/**
 * @typedef {{type: "progress", message: string} | {type: "start", tokens: Token[]} | ({type: "token"} & WrittenToken)
 *   | {type: "done", reason: "length" | "end" | "limit", timing: {total_ms: number, load_ms: number}}
 *   | {type: "error", error: Problem}} Message what the socket says
 */

export class Generation {
  #isOpen = false;
  /** A token whose rows have not come yet. @type {WrittenToken | null} */
  #token = null;

  /** @param {string} address of the socket @param {Pick<Store, "state" | "actions" | "subscribe">} store */
  constructor(address, store) {
    this.store = store;
    this.actions = store.actions;
    this.stream = new Stream(address, {
      connection: () => {}, // the page says already that the server is lost; on the next connection the text is asked again
      message: (message) => this.#hear(/** @type {Message} */ (/** @type {unknown} */ (message))),
      frame: (rows) => {
        // A token is shown together with what led to it.
        if (this.#token !== null) this.actions.write(this.#token, rows);
        this.#token = null;
      },
    });
    store.subscribe(() => this.#leaveOldText());
  }

  get #isWriting() {
    const { writing } = this.store.state;
    return writing !== null && writing.phase !== "over";
  }

  /** Have tokens written after the text. @param {{n: number, temperature: number, top_k: number | null, seed: number}} sampling */
  write({ n, temperature, top_k, seed }) {
    const asked = question(onSide(this.store.state, "a"));
    if (asked === null || this.#isWriting) return;
    this.actions.beginWriting();
    if (!this.#isOpen) this.stream.open();
    this.#isOpen = true;
    this.#token = null;
    this.stream.ask(/** @type {Question} */ ({ ...asked, n, temperature, top_k, seed }));
  }

  /** Stop writing; what is written stays. */
  stop() {
    if (this.#isWriting) this.#end({ reason: "stopped", problem: null, ms: null });
  }

  /** Stop when the text in the boxes is no longer the one that is being continued. */
  #leaveOldText() {
    const { state } = this.store;
    if (!this.#isWriting || state.writing?.from === askedKey(onSide(state, "a"))) return;
    this.stream.cancel();
    this.actions.leaveWriting();
  }

  /** @param {Message} message */
  #hear(message) {
    if (message.type === "progress") this.actions.tellWriting(message.message);
    else if (message.type === "start") this.actions.startWriting(message.tokens);
    else if (message.type === "token") this.#token = message;
    else if (message.type === "done") {
      const { reason, timing } = message;
      this.#end({ reason, problem: null, ms: timing.total_ms - timing.load_ms });
    } else this.#end({ reason: null, problem: message.error, ms: null });
  }

  /** @param {Parameters<Actions["endWriting"]>[0]} end */
  #end(end) {
    this.stream.cancel();
    this.actions.endWriting(end);
  }
}
