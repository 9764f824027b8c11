// The model picker, built from what the server lists. It must not know any model by name.

import { byId, element, setText } from "../dom.js";
import { chosenModel } from "../selectors.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Actions} Actions */
/** @typedef {import("../api.js").Model} Model */

const LONGEST_REASON = 64;

/** @param {Actions} actions */
export function createModels(actions) {
  const picker = byId("model", HTMLSelectElement);
  const about = byId("model-about", HTMLElement);
  picker.addEventListener("change", () => actions.chooseModel(picker.value));

  /** @param {Model} model */
  function option(model) {
    const reason = model.reason ?? "not available";
    const short = reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON - 1)}…` : reason;
    return element(
      "option",
      { value: model.id, disabled: !model.available, title: model.available ? model.about : reason },
      model.available ? model.name : `${model.name}: ${short}`,
    );
  }

  /** @param {State} state */
  function rebuild(state) {
    const here = state.models.filter((model) => model.available);
    const away = state.models.filter((model) => !model.available);
    const groups = [element("optgroup", { label: "Ready to use" }, ...here.map(option))];
    if (away.length > 0) groups.push(element("optgroup", { label: "Not available here" }, ...away.map(option)));
    const isUnknown = state.model !== null && state.models.length > 0 && chosenModel(state) === null;
    picker.replaceChildren(
      ...(isUnknown ? [element("option", { value: state.model, disabled: true }, `Unknown: ${state.model}`)] : []),
      ...groups,
    );
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      if (!changed.has("models") && !changed.has("model")) return;
      rebuild(state);
      picker.value = state.model ?? "";
      const model = chosenModel(state);
      setText(about, model ? description(model) : "");
      about.title = model ? `${model.about} Licence: ${model.licence}.` : "";
    },
  };
}

/** @param {Model} model */
function description(model) {
  const parts = [];
  if (model.n_layers && model.n_heads) parts.push(`${model.n_layers} layers × ${model.n_heads} heads`);
  if (model.n_kv_heads && model.n_heads && model.n_kv_heads !== model.n_heads)
    parts.push(`${model.n_kv_heads} key/value heads`);
  if (model.d_model) parts.push(`${model.d_model} wide`);
  if (model.kind) parts.push(model.kind);
  if (model.available && model.reason) parts.push(model.reason);
  return parts.join(" · ");
}
