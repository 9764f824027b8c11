// The slider over the checkpoints of a training, and the film that goes through them.

import { element, setText } from "../../page/dom.js";
import { button } from "../../views/parts/button.js";
import { term } from "../../views/parts/term.js";
import { stepChoice } from "../../training/choices.js";
import { shownPoint, shownRecord, stepsOf } from "../../training/record.js";
import { lossText, numberWords } from "../../training/runs.js";

const FILM_MS = 8000;

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createTimeSlider(store) {
  const { actions } = store;
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const ticks = element("datalist", { id: "training-ticks" });
  const input = element("input", { type: "range", id: "training-step", min: 0, step: 1, list: "training-ticks", oninput: () => show(Number(input.value)) });
  const label = element("label", { for: "training-step", class: "unseen" }, "Checkpoint");
  const play = button("chip small play", "▶ Play", toggle);
  const said = element("output", { class: "step-said", for: "training-step" });
  const about = element("span", { class: "quiet" }, "a ", term("checkpoint", "checkpoint"), " at each tick");
  const root = element("div", { class: "training-time" }, play, label, input, ticks, said, about);
  let timer = 0;

  const steps = () => {
    const record = shownRecord(store.state);
    return record ? stepsOf(record) : [];
  };
  /** The place of the checkpoint on screen among all. */
  function place() {
    const record = shownRecord(store.state);
    const point = record && shownPoint(store.state, record);
    return record && point ? record.points.indexOf(point) : 0;
  }

  /** @param {number} at the last one is followed when later ones come */
  function show(at) {
    const all = steps();
    actions.playSteps(false);
    actions.showStep(at >= all.length - 1 ? null : all[at]);
  }

  function toggle() {
    const all = steps();
    const at = place();
    // Without motion the button goes from checkpoint to checkpoint.
    if (still.matches) return show(at >= all.length - 1 ? 0 : at + 1);
    if (store.state.training.isPlaying) return actions.playSteps(false);
    if (at >= all.length - 1) actions.showStep(all[0]);
    actions.playSteps(true);
  }

  /** The next frame of the film. */
  function next() {
    const all = steps();
    const at = place() + 1;
    actions.showStep(at >= all.length - 1 ? null : all[at]);
    if (at >= all.length - 1) actions.playSteps(false);
  }

  /** @type {PageView} */
  const view = {
    reads(state) {
      const record = shownRecord(state);
      return [record && stepsOf(record).join(), stepChoice.of(state), state.training.isPlaying, record?.id, record && shownPoint(state, record)];
    },
    render(state) {
      const record = shownRecord(state);
      const all = record ? stepsOf(record) : [];
      root.hidden = all.length === 0;
      const point = record && shownPoint(state, record);
      if (record === null || !point) return;
      const at = place();
      input.max = String(all.length - 1);
      if (ticks.childElementCount !== all.length) ticks.replaceChildren(...all.map((_, index) => element("option", { value: index })));
      if (input.value !== String(at)) input.value = String(at);
      input.disabled = play.disabled = all.length < 2;
      const words = `Step ${numberWords(point.step)} of ${numberWords(record.settings.steps)}`;
      input.setAttribute("aria-valuetext", words);
      setText(said, `${words} · loss ${lossText(point.loss)} · ${Math.round(100 * point.accuracy)} % right`);
      const { isPlaying } = state.training;
      setText(play, still.matches ? "Next checkpoint" : isPlaying ? "⏸ Pause" : "▶ Play");
      play.setAttribute("aria-pressed", String(isPlaying));
      clearTimeout(timer);
      if (isPlaying && state.tab === "training") timer = setTimeout(next, FILM_MS / Math.max(1, all.length - 1));
    },
  };
  return { root, views: [view] };
}
