// How the model writes: one token or several, always the most probable one or drawn by chance; whether it replies.

import { isWriting } from "../../generate/next.js";
import { element, setText } from "../../page/dom.js";
import { isChat, takesChat } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { switchBox } from "../../views/parts/switch.js";
import { explain } from "../../views/parts/term.js";
import { MOST, samplingChoice } from "./sampling_choice.js";

/** @typedef {import("./sampling_choice.js").Sampling} Sampling */
/** @typedef {{key: keyof Sampling, label: string, min: number, max: number, step: number, empty?: string}} Field */

/** @type {Field[]} */
const FIELDS = [
  { key: "n", label: "Tokens", min: 1, max: MOST.n, step: 1 },
  { key: "temperature", label: "Temperature", min: 0, max: MOST.temperature, step: 0.1 },
  { key: "top_k", label: "Top k", min: 1, max: 9_999_999, step: 1, empty: "all" },
  { key: "seed", label: "Seed", min: 0, max: MOST.seed, step: 1 },
];

/** What was typed as a number that the server takes; null: no number. @param {string} typed @param {Omit<Field, "key" | "label">} range */
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

/**
 * @param {Store} store
 * @param {Pick<import("../../requests/generation.js").Generation, "write" | "stop">} generation
 * @param {(state: State) => boolean} canWrite
 * @param {(state: State) => string} statusOf how far the writing is, in words
 */
export function createSampling(store, generation, canWrite, statusOf) {
  const chosen = () => samplingChoice.of(store.state);
  const write = (/** @type {Partial<Sampling>} */ change) => generation.write({ ...chosen(), ...change });
  const step = element("button", { type: "button", class: "chip", onclick: () => write({ n: 1 }) }, "Step");
  const stream = element("button", { type: "button", class: "primary" });
  stream.addEventListener("click", () => (isWriting(store.state) ? generation.stop() : write({})));
  const tools = FIELDS.map((field) => {
    const { key, label, min, max, step: by, empty } = field;
    const typing = { placeholder: empty, inputmode: by === 1 ? "numeric" : "decimal" };
    const input = element("input", { type: "number", id: `sampling-${key}`, min, max, step: by, ...typing });
    input.addEventListener("change", () => {
      const typed = numberWithin(input.value, field);
      const value = typed === null && empty === undefined ? chosen()[key] : typed; // what is no number is taken back
      input.value = String(value ?? "");
      if (value !== chosen()[key]) store.actions.choose(samplingChoice, { ...chosen(), [key]: value });
    });
    return { key, input, root: element("div", { class: "tool" }, element("label", { for: input.id }, label), input) };
  });
  const chat = switchBox("chat-template", "Chat template", store.actions.wrapText);
  explain(chat.field, "chat");
  const words = element("p", { class: "hint" });
  const said = element("p", { class: "generate-said", role: "status" });
  const root = element(
    "div",
    { class: "sampling" },
    element("div", { class: "sampling-go" }, step, stream),
    element("div", { class: "sampling-tools" }, ...tools.map((tool) => tool.root)),
    chat.field,
    element("div", { class: "sampling-foot" }, words, said),
  );
  /** @type {Sampling | null} */
  let written = null;

  const fields = pageView((state) => [samplingChoice.of(state)], (sampling) => {
    for (const { key, input } of tools) {
      // Only what has changed is written: somebody may be typing the rest.
      if (written?.[key] !== sampling[key]) input.value = String(sampling[key] ?? "");
    }
    written = sampling;
    setText(words, samplingInWords(sampling));
  });
  const buttons = pageView(
    (state) => [isWriting(state), canWrite(state), samplingChoice.of(state).n, statusOf(state)],
    (isBusy, canBegin, n, status) => {
      setText(said, status);
      step.disabled = !canBegin || isBusy;
      stream.disabled = !canBegin && !isBusy;
      setText(stream, isBusy ? "Stop" : `Stream ${n} ${n === 1 ? "token" : "tokens"}`);
    },
  );
  const wrapping = pageView((state) => [takesChat(onSide(state, "a")), isChat(onSide(state, "a"))], (isOffered, isOn) => {
    chat.field.hidden = !isOffered;
    chat.box.checked = isOn;
  });
  return { root, views: [fields, buttons, wrapping] };
}
