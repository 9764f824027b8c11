// The walk: the steps, the lesson beside the picture, what can be changed, and what is wrong where nothing can be shown.

import { editsChoice, ofLayer, withMask } from "../../anatomy/edits.js";
import { trailChoice } from "../../anatomy/trail.js";
import { isOpen, shownAnswer, shownEdits, shownWalk } from "../../anatomy/walk.js";
import { element, setHidden } from "../../page/dom.js";
import { onSide } from "../../state/sides.js";
import { button } from "../../views/parts/button.js";
import { problemParts } from "../../views/parts/problem.js";
import { createChangeCard } from "./change_card.js";
import { createLessonCard } from "./lesson_card.js";
import { createMistakes } from "./mistakes.js";
import { SMALL_MODEL, createRail, goStep, smallModel, takeSmallModel } from "./rail.js";
import { createReadout } from "./readout.js";
import { createStage } from "./stage.js";
import { createStepExercises } from "./step_exercises.js";
import { createTraceCard } from "./trace_card.js";

const READOUT_HEIGHT = 62;
const WIDE = "(min-width: 1000px)";
const OWN_KEYS = "input, select, textarea, canvas, [role=tab], [role=application], dialog *";

/** @param {Store} store @returns {{root: HTMLElement, head: HTMLElement, views: PageView[]}} */
export function createWalk(store) {
  const { actions } = store;
  const rail = createRail(store);
  const lesson = createLessonCard(store);
  const trace = createTraceCard(store);
  const mistakes = createMistakes(store);
  const changes = createChangeCard(store);
  const exercises = createStepExercises(store);
  const readout = createReadout(store);
  let last = "";
  const main = element("div", { class: "walk-main card" });
  const problem = element("section", { class: "problem walk-problem", role: "alert", hidden: true });

  /** @param {import("../../anatomy/trail.js").Spot} spot a number of the mask is switched, any other one is pinned */
  function pin(spot) {
    if (spot.matrix !== "visible") return trace.pin(spot);
    const edits = ofLayer(shownEdits(store.state), shownWalk(store.state).layer);
    actions.choose(editsChoice, withMask(edits, spot.row, spot.column));
  }

  const stage = createStage(store, pin, trace.leave, () => {
    if (!window.matchMedia(WIDE).matches) return Infinity;
    const panel = root.closest("[role=tabpanel]");
    if (!(panel instanceof HTMLElement)) return Infinity;
    const style = getComputedStyle(main);
    const pads = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    return panel.clientHeight - (main.getBoundingClientRect().top - panel.getBoundingClientRect().top) - pads - READOUT_HEIGHT - 6;
  });
  main.append(stage.root, readout.root);
  const beside = element("div", { class: "walk-side" }, trace.root, lesson.root, mistakes.root, changes.root, exercises.root);
  const take = button("chip", "Use the small model and its sentence", () => takeSmallModel(store));
  const empty = element("div", { class: "empty", hidden: true }, element("p", { class: "empty-title" }, "The walk needs a sentence"), element("p", {}, "It shows the numbers of a model that reads it."), element("p", {}, take));
  const body = element("div", { class: "walk-body" }, beside, main);
  const root = element("div", { class: "walk" }, rail.root, problem, empty, body);

  document.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: /** @type {const} */ (-1), ArrowRight: /** @type {const} */ (1) }[event.key];
    if (way === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !isOpen(store.state)) return;
    const { target } = event;
    const isHere = target === document.body || (target instanceof Element && root.contains(target));
    if (!isHere || (target instanceof Element && target.matches(OWN_KEYS)) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    goStep(store, way);
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (event.key !== "Escape" || isTyping || !isOpen(store.state) || document.querySelector("dialog[open]") || !trace.leave()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, { capture: true });

  return {
    root,
    head: rail.pickers,
    views: [
      ...rail.views,
      {
        reads: (state) => [shownAnswer(state).problem, state.sides.a.run.problem, state.sides.a.model, state.models],
        render(state) {
          const found = shownAnswer(state).problem;
          const isBad = found !== null || state.sides.a.run.problem !== null; // the second is said at the top of the page
          setHidden(problem, found === null);
          const isBare = shownAnswer(state).answer === null && isBad;
          setHidden(body, isBare);
          setHidden(empty, !isBare || found !== null);
          setHidden(take, smallModel(state) === null);
          problem.replaceChildren(...(found ? partsOf(state, found) : []));
        },
      },
      ...lesson.views,
      ...trace.views,
      ...mistakes.views,
      ...changes.views,
      ...exercises.views,
      ...stage.views,
      ...readout.views,
      {
        // A number pinned in another text or model is another number.
        reads: (state) => [state.sides.a.model, state.sides.a.text],
        render(state) {
          const key = `${state.sides.a.model} ${state.sides.a.text}`;
          if (last !== "" && last !== key && trailChoice.of(state).length > 0) actions.choose(trailChoice, []);
          last = state.sides.a.text === null ? "" : key;
        },
      },
    ],
  };

  /** @param {State} state @param {Problem} found */
  function partsOf(state, found) {
    const remedies = { replace: (/** @type {"text" | "text_pair"} */ field, /** @type {string} */ text) => actions.replaceText("a", field, text), chooseModel: actions.chooseModel };
    const seen = onSide(state, "a");
    // No other model takes more tokens here.
    const parts = problemParts(found, { ...seen, models: seen.models.filter(({ id }) => id === seen.model) }, remedies);
    const isOffered = smallModel(state) !== null && state.sides.a.model !== SMALL_MODEL;
    return isOffered ? [...parts, element("div", { class: "chips" }, button("chip", "Use the small model", () => takeSmallModel(store)))] : parts;
  }
}
