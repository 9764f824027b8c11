// The model picker, built from what the server lists.

import { byId, element, setText } from "../page/dom.js";
import { chosenModel } from "../state/selectors.js";
import { onSide } from "../state/sides.js";

/** @param {Actions} actions @returns {PageView} */
export function createModels(actions) {
  const picker = byId("model", HTMLSelectElement);
  const about = byId("model-about", HTMLElement);
  picker.addEventListener("change", () => actions.chooseModel(picker.value));

  return {
    reads: ({ models, sides }) => [models, sides.a.model],
    render(state) {
      const { models, model: chosen } = onSide(state, "a");
      picker.replaceChildren(...modelOptions(models, chosen));
      picker.value = chosen ?? "";
      const model = chosenModel(onSide(state, "a"));
      setText(about, model ? description(model) : "");
      about.title = [model?.about, model?.reason].filter(Boolean).join("\n");
    },
  };
}

/**
 * What a picker offers, and first the chosen model where the server does not know it.
 * @param {Model[]} models
 * @param {string | null} chosen
 */
export function modelOptions(models, chosen) {
  const isUnknown = chosen !== null && models.length > 0 && !models.some(({ id }) => id === chosen);
  return [
    ...(isUnknown ? [element("option", { value: chosen, disabled: true }, `Unknown: ${chosen}`)] : []),
    ...modelGroups(models).map(({ label, models: members }) => element("optgroup", { label }, ...members.map(option))),
  ];
}

/** @param {Model} model */
function option(model) {
  const { id, name, available, state, reason } = model;
  const title = available ? model.about : (reason ?? state);
  return element("option", { value: id, disabled: !available, title }, available ? name : `${name}: ${state}`);
}

/** The models by what choosing one of them means; groups without models are left out. @param {Model[]} models */
export function modelGroups(models) {
  const isReady = (/** @type {Model} */ model) => model.available && model.reason === null;
  return [
    { label: "Ready to use", models: models.filter(isReady) },
    { label: "Fetched on first use", models: models.filter((model) => model.available && !isReady(model)) },
    { label: "Not available here", models: models.filter((model) => !model.available) },
  ].filter((group) => group.models.length > 0);
}

/** One line on a model: its shape, its licence and whether it is installed. @param {Model} model */
export function description(model) {
  const parts = [];
  if (model.n_layers && model.n_heads) parts.push(`${model.n_layers} layers × ${model.n_heads} heads`);
  if (model.n_kv_heads && model.n_heads && model.n_kv_heads !== model.n_heads)
    parts.push(`${model.n_kv_heads} key/value heads`);
  if (model.d_model) parts.push(`${model.d_model} wide`);
  if (model.kind) parts.push(model.kind);
  // A short name such as MIT speaks for itself, words such as "not stated" do not.
  parts.push(model.licence.includes(" ") ? `licence: ${model.licence}` : model.licence);
  if (model.state !== "ready") parts.push(model.state);
  return parts.join(" · ");
}
