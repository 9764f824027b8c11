// How things are: the connection, the progress of a run, what went wrong, and the spoken region.

import { comparison, focusOn } from "../compare/comparison.js";
import { exactMaps, shownValues } from "../maps/exact.js";
import { readout, spoken, spotOn } from "../maps/readout.js";
import { allowedOn, sheetOf } from "../maps/sources.js";
import { byId, element, setText } from "../page/dom.js";
import { partsOf, whatName } from "../state/pins.js";
import { isOldPin, shownFocus } from "../state/selectors.js";
import { atPlace } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { button } from "./parts/button.js";

/** @type {Record<string, string>} */
const TITLES = {
  empty_text: "Nothing to read yet",
  text_too_long: "The text is too long",
  unknown_model: "No such model",
  model_unavailable: "This model is not available here",
  model_failed: "The model could not be loaded",
  weights_mismatch: "The weights are not the expected ones",
  pair_not_supported: "This model takes one sentence",
  out_of_memory: "Not enough memory",
};
const CHOOSE_ANOTHER = ["unknown_model", "model_unavailable", "model_failed", "weights_mismatch", "pair_not_supported"];
const SPEAK_AFTER_MS = 500;
const MOST_SPOKEN = 4;

/** @param {Actions} actions @returns {PageView[]} */
export function createStatus(actions) {
  const banner = byId("banner", HTMLElement);
  const problem = byId("problem", HTMLElement);
  const viewBar = byId("view-bar", HTMLElement);
  const explore = byId("explore", HTMLElement);
  const progress = byId("progress", HTMLElement);
  const bar = byId("progress-bar", HTMLProgressElement);
  const live = byId("live", HTMLElement);
  let speaking = 0;

  return [
    pageView(({ connection }) => [connection], (connection) => void (banner.hidden = connection !== "lost")),
    pageView(({ sides: { a }, models }) => [a.run.problem, a.analysis, a.model, models], (found, analysis, chosen, models) => {
      problem.hidden = found === null;
      problem.dataset.code = found?.code ?? "";
      // Without any map there is nothing to look at in another way, nor in detail.
      const isBare = found !== null && analysis === null;
      viewBar.hidden = isBare;
      explore.classList.toggle("bare", isBare);
      if (found === null) return;
      const parts = [element("h2", {}, TITLES[found.code] ?? "That did not work"), element("p", {}, found.message)];
      if (CHOOSE_ANOTHER.includes(found.code)) {
        const others = models.filter(({ available, id }) => available && id !== chosen);
        const buttons = others.map(({ id, name }) => button("chip", name, () => actions.chooseModel(id)));
        parts.push(element("div", { class: "chips" }, element("span", { class: "quiet" }, "Choose"), ...buttons));
      }
      problem.replaceChildren(...parts);
    }),
    pageView(({ sides: { a } }) => [a.run, a.analysis], ({ phase, layers, progress: loading, timing }, analysis) => {
      const total = analysis ? layerCount(analysis) : 0;
      const isLoading = phase === "pending" || (phase === "streaming" && layers === 0);
      bar.parentElement?.classList.toggle("busy", isLoading || phase === "streaming");
      if (isLoading) {
        setText(progress, loading?.message ?? (phase === "pending" ? "Asking the model…" : "Running…"));
        if (loading && loading.total > 0) bar.value = loading.done / loading.total;
        else bar.removeAttribute("value");
      } else if (phase === "streaming") {
        setText(progress, `layer ${layers} of ${total}`);
        bar.value = total ? layers / total : 0;
      } else {
        const time = timing ? ` in ${Math.round(timing.total_ms - timing.load_ms)} ms` : "";
        setText(progress, phase === "done" ? `${total} layers${time}` : "");
        bar.value = phase === "done" ? 1 : 0;
      }
    }),
    {
      reads(state) {
        const { sides, hover, lock, pins, filter, values, hide, renormalise, words, answers } = state;
        const maps = [pins, filter, values, hide, renormalise, words, answers.get(exactMaps), comparison.of(state)];
        return [sides.a.run, sides.b?.run, sides.b?.analysis, hover, lock, ...maps];
      },
      render(state) {
        clearTimeout(speaking);
        speaking = setTimeout(() => setText(live, spokenState(state)), SPEAK_AFTER_MS);
      },
    },
  ];
}

/** What a screen reader says of the state. @param {State} state */
function spokenState(state) {
  const { analysis, run } = state.sides.a;
  if (run.problem) return run.problem.message;
  const focus = shownFocus(state);
  if (analysis && focus && state.pins.length > 0) {
    const said = state.pins.slice(0, MOST_SPOKEN).flatMap((pin) => {
      const [first] = partsOf(pin);
      const sheet = sheetOf(state, pin, shownValues(state, pin)[0]);
      const spot = sheet && !isOldPin(state, pin) && spotOn(sheet, focusOn(state, focus, first.side));
      const allowed = sheet && allowedOn(atPlace(state, first), sheet);
      return spot && allowed ? [spoken(whatName(pin), readout(sheet, spot, allowed))] : [];
    });
    return `${state.lock ? "Locked. " : ""}${said.join("; ")}`;
  }
  if (analysis && run.phase === "done") {
    return `Done: ${analysis.n_tokens} tokens, ${analysis.n_layers} layers of ${analysis.n_heads} heads.`;
  }
  return run.progress?.message ?? "";
}

/** How many layers an answer brings, of all its attentions. @param {Analysis} analysis */
export function layerCount({ stacks }) {
  return stacks.reduce((sum, { n_layers }) => sum + n_layers, 0);
}
