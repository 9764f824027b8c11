// What a snapshot is of, in place of the boxes one would type in: the model, the text, how exact the numbers are.

import { byId, element, setText } from "../page/dom.js";
import { chosenModel } from "../state/selectors.js";
import { onSide } from "../state/sides.js";
import { description } from "../views/models.js";

const ALONE = "A HeadScope snapshot: it holds its maps itself and fetches nothing.";

/** @param {{model: string, revision: string, text: string, text_pair: string | null, about: string}} record @returns {PageView} */
export function createRecorded({ model, revision, text, text_pair, about }) {
  const texts = [text, text_pair].filter((one) => one !== null);
  document.querySelector(".wordmark")?.append(element("span", { class: "recorded-mark" }, "snapshot"));
  document.querySelector(".model-field")?.replaceChildren(element("strong", { title: model }, model));
  const box = element("div", { class: "recorded-texts", tabindex: 0, role: "group", "aria-label": "Recorded text" });
  box.append(...texts.map((one) => element("p", { class: "recorded-text", dir: "auto" }, one)));
  byId("sentence", HTMLElement).after(box);
  const lines = [`${ALONE} ${about}`, `Weights of the model: ${revision}`].map((line) => element("p", {}, line));
  byId("limits", HTMLElement).after(element("footer", { class: "recorded-about hint" }, ...lines));

  return {
    reads: ({ models, sides }) => [models, sides.a.model],
    render(state) {
      const known = chosenModel(onSide(state, "a"));
      if (known) setText(byId("model-about", HTMLElement), description(known));
    },
  };
}
