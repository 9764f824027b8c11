// How things stand: the connection, the progress of a run, what went wrong, and the spoken region.

import { comparison, focusOn } from "../compare/comparison.js";
import { exactMaps, shownValues } from "../maps/exact.js";
import { readout, spoken, spotOn } from "../maps/readout.js";
import { allowedOn, sheetOf } from "../maps/sources.js";
import { byId, element, setText } from "../page/dom.js";
import { partsOf, whatName } from "../state/pins.js";
import { isOldPin, shownFocus } from "../state/selectors.js";
import { atPlace, onSide } from "../state/sides.js";

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
  const look = byId("look", HTMLElement);
  const explore = byId("explore", HTMLElement);
  const progress = byId("progress", HTMLElement);
  const bar = byId("progress-bar", HTMLProgressElement);
  const live = byId("live", HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let speaking;
  /** @type {State | null} */
  let shown = null;

  /** @param {SideView} state */
  function renderProblem(state) {
    const found = state.run.problem;
    problem.hidden = found === null;
    problem.dataset.code = found?.code ?? "";
    // Without any map there is nothing to look at in another way, nor in detail.
    const isBare = found !== null && state.analysis === null;
    look.hidden = isBare;
    explore.classList.toggle("bare", isBare);
    if (found === null) return;
    const parts = [element("h2", {}, TITLES[found.code] ?? "That did not work"), element("p", {}, found.message)];
    if (CHOOSE_ANOTHER.includes(found.code)) {
      const choices = state.models.filter((model) => model.available && model.id !== state.model);
      const buttons = choices.map((model) =>
        element("button", { type: "button", class: "chip", onclick: () => actions.chooseModel(model.id) }, model.name),
      );
      parts.push(element("div", { class: "chips" }, element("span", { class: "quiet" }, "Choose"), ...buttons));
    }
    problem.replaceChildren(...parts);
  }

  /** @param {SideView} state */
  function renderProgress({ run, analysis }) {
    const total = analysis?.stacks.reduce((sum, { n_layers }) => sum + n_layers, 0) ?? 0;
    const isLoading = run.phase === "pending" || (run.phase === "streaming" && run.layers === 0);
    bar.parentElement?.classList.toggle("busy", isLoading || run.phase === "streaming");
    if (isLoading) {
      const loading = run.progress;
      setText(progress, loading ? loading.message : run.phase === "pending" ? "Asking the model…" : "Running…");
      if (loading && loading.total > 0) bar.value = loading.done / loading.total;
      else bar.removeAttribute("value");
    } else if (run.phase === "streaming") {
      setText(progress, `layer ${run.layers} of ${total}`);
      bar.value = total ? run.layers / total : 0;
    } else {
      bar.value = run.phase === "done" ? 1 : 0;
      const ms = run.timing ? run.timing.total_ms - run.timing.load_ms : undefined;
      setText(
        progress,
        run.phase === "done" ? `${total} layers${ms === undefined ? "" : ` in ${Math.round(ms)} ms`}` : "",
      );
    }
  }

  /** @param {State} state */
  function spokenState(state) {
    const { analysis, run } = onSide(state, "a");
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

  return [
    {
      reads: ({ connection }) => [connection],
      render: ({ connection }) => void (banner.hidden = connection !== "lost"),
    },
    {
      reads: ({ sides: { a }, models }) => [a.run.problem, a.analysis, a.model, models],
      render: (state) => renderProblem(onSide(state, "a")),
    },
    {
      reads: ({ sides: { a } }) => [a.run, a.analysis],
      render: (state) => renderProgress(onSide(state, "a")),
    },
    {
      reads: (state) => [
        ...[state.sides.a.run, state.sides.b?.run, state.sides.b?.analysis, state.hover, state.lock, state.pins, state.filter],
        ...[state.answers.get(exactMaps), comparison.of(state)],
      ],
      render(state) {
        shown = state;
        clearTimeout(speaking);
        speaking = setTimeout(() => shown && setText(live, spokenState(shown)), SPEAK_AFTER_MS);
      },
    },
  ];
}
