// How things are: the connection, the progress of a run, what went wrong, and the spoken region.

import { comparison, focusOn } from "../compare/comparison.js";
import { headsOnScreen } from "../heads/grid_side.js";
import { exactMaps, shownValues } from "../maps/exact.js";
import { readout, spoken, spotOn } from "../maps/readout.js";
import { allowedOn, sheetOf } from "../maps/sources.js";
import { byId, setText } from "../page/dom.js";
import { durationText } from "../page/labels.js";
import { partsOf, whatName } from "../state/pins.js";
import { isOldPin, shownFocus } from "../state/selectors.js";
import { atPlace, onSide } from "../state/sides.js";
import { pageView } from "./draw_views.js";
import { showProblem } from "./parts/problem.js";

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
  const waiting = byId("grid-waiting", HTMLElement);
  /** @type {import("./parts/problem.js").Remedies} */
  const remedies = { replace: (field, text) => actions.replaceText("a", field, text), chooseModel: actions.chooseModel };
  let speaking = 0;

  return [
    pageView(({ connection }) => [connection], (connection) => void (banner.hidden = connection !== "lost")),
    {
      reads(state) {
        const { run, analysis, model } = state.sides.a;
        return [run.problem, analysis === null, model, state.models];
      },
      render(state) {
        const seen = onSide(state, "a");
        showProblem(problem, seen, remedies);
        // Without any map there is nothing to look at in another way, nor in detail.
        const isBare = seen.run.problem !== null && seen.analysis === null;
        viewBar.hidden = isBare;
        explore.classList.toggle("bare", isBare);
      },
    },
    pageView((state) => [state.sides.a.run, state.sides.a.analysis, headsOnScreen(state).run, headsOnScreen(state).analysis], (run, analysis, shownRun, shown) => {
      const { phase, layers, progress: loading } = run;
      const total = analysis ? layerCount(analysis) : 0;
      const isLoading = phase === "pending" || (phase === "streaming" && layers === 0);
      bar.parentElement?.classList.toggle("busy", isLoading || phase === "streaming");
      // A model that is loaded takes its time: that is said where one looks.
      waiting.hidden = !isLoading || loading === null;
      setText(waiting, loading?.message ?? "");
      if (isLoading) {
        setText(progress, loading ? "" : phase === "pending" ? "· asking the model…" : "· running…");
        if (loading && loading.total > 0) bar.value = loading.done / loading.total;
        else bar.removeAttribute("value");
      } else if (phase === "streaming") {
        setText(progress, `· layer ${layers} of ${total}`);
        bar.value = total ? layers / total : 0;
      } else {
        const { timing } = shownRun;
        const time = timing ? ` in ${durationText(timing.total_ms - timing.load_ms)}` : "";
        setText(progress, shownRun.phase === "done" && shown ? `· ${layerCount(shown)} layers${time}` : "");
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
    return `${state.lock ? "Chosen. " : ""}${said.join("; ")}`;
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
