// The model picker, built from what the server lists.

import { headsOnScreen } from "../heads/grid_side.js";
import { byId, element, setText } from "../page/dom.js";
import { chosenModel } from "../state/selectors.js";
import { pageView } from "./draw_views.js";

/** @param {Actions} actions @returns {PageView[]} */
export function createModels(actions) {
  const picker = byId("model", HTMLSelectElement);
  const about = byId("model-about", HTMLElement);
  picker.addEventListener("change", () => actions.chooseModel(picker.value));
  return [
    pageView((state) => [state.models, state.sides.a.model], (models, chosen) => {
      picker.replaceChildren(...modelOptions(models, chosen));
      picker.value = chosen ?? "";
    }),
    pageView((state) => [chosenModel(headsOnScreen(state))], (model) => {
      setText(about, model ? description(model) : "");
      about.title = [model?.about, model?.reason].filter(Boolean).join("\n");
    }),
  ];
}

/** What a picker offers, first a chosen model that the server does not know. @param {Model[]} models @param {string | null} chosen */
export function modelOptions(models, chosen) {
  const isUnknown = chosen !== null && models.length > 0 && !models.some(({ id }) => id === chosen);
  return [
    ...(isUnknown ? [element("option", { value: chosen, disabled: true }, `Unknown: ${chosen}`)] : []),
    ...modelGroups(models).map(({ label, models: members }) => element("optgroup", { label }, ...members.map(option))),
  ];
}

/** @param {Model} model */
function option({ id, name, about, available, state, reason }) {
  const title = available ? about : (reason ?? state);
  return element("option", { value: id, disabled: !available, title }, available ? name : `${name}: ${stateHere(state)}`);
}

/** Whether a model is installed, in as few words as possible. @param {Model["state"]} state */
function stateHere(state) {
  return state === "not installed" ? "not installed here" : state;
}

/** The models by what choosing one of them means; groups without models are left out. @param {Model[]} models */
export function modelGroups(models) {
  return [
    { label: "Ready to use", models: models.filter((it) => it.available && it.reason === null && !isOfWords(it)) },
    { label: "Small models of a few words", models: models.filter((it) => it.available && it.reason === null && isOfWords(it)) },
    { label: "Downloaded on first use", models: models.filter(({ available, reason }) => available && reason !== null) },
    { label: "Not available", models: models.filter(({ available }) => !available) },
  ].filter((group) => group.models.length > 0);
}

/** Whether a model was trained on one small task, and reads nothing else. @param {Model} model */
function isOfWords({ examples }) {
  return (examples ?? []).length > 0;
}

/** One line on a model: its shape, its licence and whether it is installed. @param {Model} model */
export function description({ n_layers, n_heads, n_kv_heads, d_model, kind, licence, state }) {
  return [
    n_layers && n_heads && `${n_layers} layers × ${n_heads} heads`,
    n_kv_heads && n_heads && n_kv_heads !== n_heads && `${n_kv_heads} key/value heads`,
    d_model && `${d_model} wide`,
    kind,
    // A short name such as MIT speaks for itself, words such as "not stated" do not.
    licence.includes(" ") ? `licence: ${licence}` : licence,
    state !== "ready" && stateHere(state),
  ].filter(Boolean).join(" · ");
}
