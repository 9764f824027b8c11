// The stream of analyses: one socket, one current question, reconnection with growing pauses. Whatever does not belong
// to the current question is dropped here.

import { BASE, FrameError, decodeFrame } from "./wire.js";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4000;

/** @typedef {{model: string, text: string, text_pair?: string, continuation?: number[], chat?: boolean}} Question */
/** @typedef {Question & {values?: "raw" | "weighted"}} StreamQuestion whose maps and metrics are wanted with it */
/** @typedef {{type: "progress", request: number, message: string, done: number, total: number}} Progress */
/**
 * @typedef {Pick<Analysis, "id" | "model" | "revision" | "device" | "dtype" | "value_weights" | "tokens" | "n_tokens"> & {
 *   type: "start", request: number, stacks: Omit<Stack, "layers" | "measures" | "opportunities">[],
 *   opportunities: Record<string, Opportunity>, decoder_opportunities: Record<string, Opportunity> | null,
 * }} Start decoder_opportunities: of an encoder-decoder's output
 */
/** @typedef {{type: "metrics", request: number, layer: number, stack: Stack["stack"]} & Measures} Measured */
/** @typedef {{type: "done", request: number, timing: Record<string, number>}} Done */
/** @typedef {{type: "error", request: number | null, error: Problem}} Failure null: the server could not read the request */
/** @typedef {Progress | Start | Measured | Done | Failure} Message */
/**
 * @typedef {object} Handlers
 * @property {(connection: State["connection"]) => void} connection
 * @property {(message: Message) => void} message
 * @property {(frame: Frame) => void} frame
 */

/** @param {"stream" | "generate" | "learn/events" | "learn/loops"} name of a socket of the API @returns {string} */
export function socketAddress(name) {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${BASE}/${name}`;
}

export class Stream {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {StreamQuestion | null} */
  #question = null;
  #request = 0;
  /** The request whose frames are arriving. @type {number | null} */
  #owner = null;
  #pause = FIRST_PAUSE_MS;

  /** @param {string} url @param {Handlers} handlers */
  constructor(url, handlers) {
    this.url = url;
    this.handlers = handlers;
  }

  /** Open the socket; from then on it opens itself again whenever it is lost. */
  open() {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#owner = null;
    socket.onopen = () => {
      this.#pause = FIRST_PAUSE_MS;
      this.handlers.connection("open");
      this.#send();
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(event.data);
    };
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.handlers.connection("lost");
      setTimeout(() => this.open(), this.#pause);
      this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
    };
  }

  /** Ask a question and forget every earlier one. Without a connection it is asked on the next one. @param {StreamQuestion} question */
  ask(question) {
    this.#question = question;
    this.#request += 1;
    this.#send();
  }

  /** Forget the current question and tell the server to stop working on it. */
  cancel() {
    this.#question = null;
    this.#request += 1;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ cancel: true }));
  }

  #send() {
    if (this.#question === null || this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ request: this.#request, ...this.#question }));
  }

  /** @param {string | ArrayBuffer} data */
  #receive(data) {
    if (typeof data !== "string") {
      if (this.#owner === this.#request) this.#receiveFrame(data);
      return;
    }
    const message = /** @type {Message} */ (JSON.parse(data));
    if (message.type === "start") this.#owner = message.request;
    if (message.type === "done" || message.type === "error") this.#owner = null;
    if (message.request === this.#request || message.request === null) this.handlers.message(message);
  }

  /** @param {ArrayBuffer} data a frame that cannot be read ends its run */
  #receiveFrame(data) {
    try {
      this.handlers.frame(decodeFrame(data));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#owner = null;
      const problem = { code: "bad_frame", message: error.message, details: null };
      this.handlers.message({ type: "error", request: this.#request, error: problem });
    }
  }
}
