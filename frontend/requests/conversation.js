// Putting the question of one side to the server: now, or after a pause while somebody types; never twice the same.

import { chosenModel, isWeighted, overlong, question, questionKey } from "../state/selectors.js";
import { seenFrom } from "../state/side.js";
import { Stream } from "./socket.js";

/** @typedef {import("../state/view.js").Side} Side */

const TYPING_PAUSE_MS = 400;
const EMPTY = { code: "empty_text", message: "Type a sentence, or choose one of the examples.", details: null };

/**
 * @typedef {object} Surroundings
 * @property {() => State} state
 * @property {RunActions} actions of the side
 * @property {(connection: "connecting" | "open" | "lost") => void} connection
 * @property {() => void} loaded a model came into memory
 */

export class Conversation {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #asking;
  /** What was put to the server last. */
  #asked = "";
  /** The same, or what will be put to it after a pause. */
  #scheduled = "";
  #opened = false;

  /**
   * @param {Side} side
   * @param {string} address of the stream
   * @param {Surroundings} surroundings
   */
  constructor(side, address, surroundings) {
    this.side = side;
    this.surroundings = surroundings;
    const { actions } = surroundings;
    /** @type {"raw" | "weighted"} */
    this.values = "raw";
    this.stream = new Stream(address, {
      connection: surroundings.connection,
      message: (message) => {
        if (message.type === "progress") actions.progress(message);
        else if (message.type === "start") actions.begin(message, this.values);
        else if (message.type === "metrics") actions.receiveMeasures(message);
        else if (message.type === "done") {
          actions.finish(message.timing);
          if (!chosenModel(this.#seen())?.loaded) surroundings.loaded();
        } else actions.fail(message.error);
      },
      frame: (frame) => actions.receive(frame),
    });
  }

  #seen() {
    return seenFrom(this.surroundings.state(), { side: this.side, stack: 0 });
  }

  #key() {
    const seen = this.#seen();
    return `${questionKey(question(seen))} ${isWeighted(seen) ? "weighted" : "raw"}`;
  }

  /** Open the stream, once there is something to ask: in a moment, for what made it so may still be told to others. */
  open() {
    if (this.#opened) return;
    this.#opened = true;
    this.stream.open();
    this.want();
  }

  get isOpen() {
    return this.#opened;
  }

  /** Look whether the question has changed since it was last asked. */
  want() {
    if (!this.#opened || this.#key() === this.#scheduled) return;
    this.#scheduled = this.#key();
    clearTimeout(this.#asking);
    if (this.#scheduled === this.#asked) return; // typed and taken back
    this.#asking = setTimeout(() => this.ask(), this.surroundings.state().typing ? TYPING_PAUSE_MS : 0);
  }

  /** Put the question in the boxes to the server now. */
  ask() {
    clearTimeout(this.#asking);
    const seen = this.#seen();
    if (seen.config === null || !this.#opened) return;
    this.#asked = this.#scheduled = this.#key();
    const wanted = question(seen);
    const problem = wanted === null ? EMPTY : overlong(wanted, seen.config);
    if (wanted === null || problem !== null) {
      this.stream.cancel();
      this.surroundings.actions.fail(problem ?? EMPTY);
      return;
    }
    this.values = isWeighted(seen) ? "weighted" : "raw";
    this.surroundings.actions.pend();
    this.stream.ask(this.values === "raw" ? wanted : { ...wanted, values: this.values });
  }

  /** Forget the question: nobody wants its answer any more. */
  rest() {
    clearTimeout(this.#asking);
    this.#asked = this.#scheduled = "";
    if (this.#opened) this.stream.cancel();
  }
}
