// Sending the question of one side to the server: now, or after a pause while somebody types; never twice the same.

import { askedKey, chosenModel, isWeighted, question } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { overlong } from "../state/too_long.js";
import { Stream } from "./socket.js";

const TYPING_PAUSE_MS = 400;
const EMPTY = { code: "empty_text", message: "Type a sentence, or choose one of the examples.", details: null };

export class Conversation {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #asking;
  /** What was sent to the server last. */
  #asked = "";
  /** The same, or what will be sent after a pause. */
  #scheduled = "";
  isOpen = false;

  /**
   * @param {Side} side
   * @param {string} address of the stream
   * @param {Pick<Store, "state" | "actions">} store
   * @param {{connection: (connection: State["connection"]) => void, loaded: () => void}} listeners loaded: a model came into memory
   */
  constructor(side, address, store, listeners) {
    this.side = side;
    this.store = store;
    this.actions = store.actions.sides[side];
    const { actions } = this;
    /** @type {"raw" | "weighted"} */
    this.values = "raw";
    this.stream = new Stream(address, {
      connection: listeners.connection,
      message: (message) => {
        if (message.type === "progress") actions.progress(message);
        else if (message.type === "start") actions.begin(message, this.values);
        else if (message.type === "metrics") actions.receiveMeasures(message);
        else if (message.type === "done") {
          actions.finish(message.timing);
          if (!chosenModel(this.#seen())?.loaded) listeners.loaded();
        } else actions.fail(message.error);
      },
      frame: (frame) => actions.receive(frame),
    });
  }

  #seen() {
    return onSide(this.store.state, this.side);
  }

  #key() {
    const seen = this.#seen();
    return `${askedKey(seen)} ${isWeighted(seen) ? "weighted" : "raw"}`;
  }

  /** Open the stream. The question follows a moment later: other listeners may not know yet of the change that led here. */
  open() {
    if (this.isOpen) return;
    this.isOpen = true;
    this.stream.open();
    this.update();
  }

  /** Ask the question if it has changed since it was last asked. */
  update() {
    if (!this.isOpen || this.#key() === this.#scheduled) return;
    this.#scheduled = this.#key();
    clearTimeout(this.#asking);
    if (this.#scheduled === this.#asked) return; // typed and taken back
    this.#asking = setTimeout(() => this.ask(), this.store.state.typing ? TYPING_PAUSE_MS : 0);
  }

  /** Send the question in the boxes to the server now. */
  ask() {
    clearTimeout(this.#asking);
    const seen = this.#seen();
    if (seen.config === null || !this.isOpen) return;
    this.#asked = this.#scheduled = this.#key();
    const wanted = question(seen);
    const problem = wanted === null ? EMPTY : overlong(wanted, seen.config);
    if (wanted === null || problem !== null) {
      this.stream.cancel();
      this.actions.fail(problem ?? EMPTY);
      return;
    }
    this.values = isWeighted(seen) ? "weighted" : "raw";
    this.actions.pend();
    this.stream.ask(this.values === "raw" ? wanted : { ...wanted, values: this.values });
  }

  /** Forget the question: nobody wants its answer any more. */
  rest() {
    clearTimeout(this.#asking);
    this.#asked = this.#scheduled = "";
    if (this.isOpen) this.stream.cancel();
  }
}
