// How far measuring a model's heads is: which build matters, and whether there is something to measure.

import { atlasOfModel } from "./atlas.js";
import { atlasOnScreen, atlasProblem } from "./roles.js";

/** Problems that a build solves: there is no atlas, or one that cannot be read and would be replaced. */
const SOLVED_BY_BUILD = ["no_atlas", "unreadable_atlas"];

/** The model whose build matters now: that of the open panel, else the one on screen if it is not fully measured. @param {State} state */
export function watchedModel(state) {
  const { build, sides } = state;
  const { model } = sides.a;
  if (build.open !== null) return build.open;
  const known = model === null ? null : atlasOfModel(state, model);
  if (known === null || !canMeasure(state, model)) return null;
  const isMissing = isUnmeasured(known.problem) || (known.answer?.missing.length ?? 0) > 0;
  return isMissing || runningBuild(state, model) !== null ? model : null;
}

/** The build of a model that is under way; null: none that is known of. @param {Pick<State, "build">} state @param {string | null} model */
export function runningBuild({ build: { status } }, model) {
  return status !== null && status.model === model && status.build.state === "running" ? status.build : null;
}

/** Whether a model is here to be measured. @param {Pick<State, "models">} state @param {string | null} model */
export function canMeasure({ models }, model) {
  return models.find(({ id }) => id === model)?.available ?? false;
}

/** Whether measuring the model would solve a problem. @param {Problem | null} problem why there is no atlas */
export function isUnmeasured(problem) {
  return problem !== null && SOLVED_BY_BUILD.includes(problem.code);
}

/** The model on screen whose weights were not measured but could be; null: none. @param {SideView} state @returns {string | null} */
export function unmeasuredModel(state) {
  const model = state.analysis?.model ?? state.model;
  const isOther = atlasOnScreen(state)?.revision_matches === false;
  return (isOther || isUnmeasured(atlasProblem(state))) && canMeasure(state, model) ? model : null;
}
