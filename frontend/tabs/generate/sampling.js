// How the model writes on: one token or several, always the most probable one or drawn by chance.

import { element, setText } from "../../page/dom.js";
import { MOST } from "../../state/view.js";

/** @typedef {{write: (n?: number) => void, stop: () => void}} Writer */

/** @type {{key: keyof Sampling, label: string, min: number, max: number, step: number, empty?: string}[]} */
const FIELDS = [
  { key: "n", label: "Tokens", min: 1, max: MOST.n, step: 1 },
  { key: "temperature", label: "Temperature", min: 0, max: MOST.temperature, step: 0.1 },
  { key: "top_k", label: "Top k", min: 1, max: 9_999_999, step: 1, empty: "all" },
  { key: "seed", label: "Seed", min: 0, max: MOST.seed, step: 1 },
];

/**
 * What was typed as a number that the server takes.
 * @param {string} typed
 * @param {{min: number, max: number, step: number}} range
 * @returns {number | null} null: no number at all
 */
export function numberWithin(typed, { min, max, step }) {
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value)) return null;
  const rounded = step === 1 ? Math.round(value) : Math.round(1000 * value) / 1000;
  return Math.min(max, Math.max(min, rounded));
}

/** @param {Sampling} sampling in words */
export function samplingInWords({ temperature, top_k, seed }) {
  if (temperature === 0) return "Temperature 0: the most probable token each time.";
  const among = top_k === null ? "all tokens" : `the ${top_k === 1 ? "most probable one" : `${top_k} most probable ones`}`;
  return `Drawn from ${among}; seed ${seed} draws the same again.`;
}

export class SamplingTools {
  /** @param {Actions} actions @param {Writer} writer */
  constructor(actions, writer) {
    this.step = element("button", { type: "button", class: "chip", onclick: () => writer.write(1) }, "Step");
    this.stream = element("button", { type: "button", class: "primary" });
    this.isWriting = false;
    this.stream.addEventListener("click", () => (this.isWriting ? writer.stop() : writer.write()));
    this.inputs = FIELDS.map((field) => {
      const { key, min, max, step, empty } = field;
      const typing = { placeholder: empty ?? null, inputmode: step === 1 ? "numeric" : "decimal" };
      const input = element("input", { type: "number", id: `sampling-${key}`, min, max, step, ...typing });
      input.addEventListener("change", () => {
        const value = numberWithin(input.value, field);
        if (value === null && empty === undefined) this.#write(); // what is no number is taken back
        else actions.sample({ [key]: value });
      });
      return input;
    });
    this.words = element("p", { class: "hint" });
    this.said = element("p", { class: "generate-said", role: "status" });
    const tools = FIELDS.map(({ label, key }, at) =>
      element("div", { class: "tool" }, element("label", { for: `sampling-${key}` }, label), this.inputs[at]),
    );
    this.root = element(
      "div",
      { class: "sampling" },
      element("div", { class: "sampling-go" }, this.step, this.stream),
      element("div", { class: "sampling-tools" }, ...tools),
      element("div", { class: "sampling-foot" }, this.words, this.said),
    );
    /** @type {Sampling | null} */
    this.sampling = null;
  }

  /** @param {Sampling | null} [before] only what is no longer so is written: the rest may be being typed */
  #write(before = null) {
    const { sampling } = this;
    if (sampling === null) return;
    FIELDS.forEach(({ key }, at) => {
      if (before?.[key] !== sampling[key] || before === null) this.inputs[at].value = String(sampling[key] ?? "");
    });
  }

  /** @param {Sampling} sampling @param {{isWriting: boolean, canWrite: boolean, said: string}} standing */
  render(sampling, { isWriting, canWrite, said }) {
    this.isWriting = isWriting;
    if (sampling !== this.sampling) {
      const before = this.sampling;
      this.sampling = sampling;
      this.#write(before);
      setText(this.words, samplingInWords(sampling));
    }
    setText(this.said, said);
    this.step.disabled = !canWrite || isWriting;
    this.stream.disabled = !canWrite && !isWriting;
    setText(this.stream, isWriting ? "Stop" : `Stream ${sampling.n} ${sampling.n === 1 ? "token" : "tokens"}`);
  }
}
