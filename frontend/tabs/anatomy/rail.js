// The row above the picture: the twelve steps, back and next, which layer, head and token, and the small model.

import { STEPS, catalogue, shownWalk, walkChoice } from "../../anatomy/walk.js";
import { element, setHidden, setText } from "../../page/dom.js";
import { tokenLabel } from "../../page/labels.js";
import { chosenModel } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { button } from "../../views/parts/button.js";
import { menu } from "../../views/parts/menu.js";

export const SMALL_MODEL = "language";

/** @param {State} state the small model with its first example; null where the server lacks it */
export function smallModel({ models }) {
  const found = models.find(({ id, available }) => id === SMALL_MODEL && available);
  return found ? { id: found.id, example: found.examples?.[0] ?? "" } : null;
}

/** Take the small model, with a sentence that it knows. @param {Store} store */
export function takeSmallModel(store) {
  const small = smallModel(store.state);
  if (small === null) return;
  store.actions.chooseExample({ title: "", text: small.example, text_pair: null, hint: "", against: null, model: small.id, tab: "anatomy" });
}

/** @param {Store} store @param {-1 | 1} way */
export function goStep(store, way) {
  const walk = walkChoice.of(store.state);
  const next = STEPS[STEPS.indexOf(walk.step) + way];
  if (next) store.actions.choose(walkChoice, { ...walk, step: next });
}

/** @param {Store} store @returns {{root: HTMLElement, pickers: HTMLElement, views: PageView[]}} */
export function createRail(store) {
  const { actions } = store;
  const choose = (/** @type {Partial<import("../../anatomy/walk.js").Walk>} */ change) => actions.choose(walkChoice, { ...walkChoice.of(store.state), ...change });
  const back = button("chip", "‹ Back", () => goStep(store, -1), { class: "chip step-back", title: "←" });
  const next = button("chip", "Next ›", () => goStep(store, 1), { class: "chip step-next", title: "→" });
  const steps = STEPS.map((step, at) => button("step", String(at + 1), () => choose({ step }), { "data-step": step }));
  const title = element("h2", { class: "step-title", "aria-live": "polite" });
  const count = element("span", { class: "step-count quiet" });
  const heading = element("div", { class: "step-heading" }, count, title);
  const root = element("div", { class: "rail" }, back, element("div", { class: "steps", role: "group", "aria-label": "Steps" }, ...steps), heading, element("span", { class: "spring" }), next);

  const layer = menu("anatomy-layer", "Layer", (value) => choose({ layer: Number(value) }));
  const head = menu("anatomy-head", "Head", (value) => choose({ head: Number(value) }));
  const token = menu("anatomy-token", "Token", (value) => choose({ token: Number(value) }));
  const small = button("plain small-model", "Use the small model", () => takeSmallModel(store), { title: "HeadScope's own: 64 dimensions, 4 heads of 16, trained on a small language. Its numbers are legible." });
  const pickers = element("div", { class: "walk-pickers" }, small, layer.field, head.field, token.field);

  /** @param {string[]} words */
  const options = (words) => [{ label: "", options: words.map((text, value) => ({ value: String(value), text })) }];
  const numbered = (/** @type {number} */ n, /** @type {string} */ letter) => options(Array.from({ length: n }, (_, at) => `${letter}${at}`));

  return {
    root,
    pickers,
    views: [
      pageView((state) => [walkChoice.of(state).step, catalogue.of(state)?.answer], (step, known) => {
        const at = STEPS.indexOf(step);
        const titles = known?.steps.map((one) => one.title) ?? [];
        steps.forEach((one, number) => {
          one.setAttribute("aria-current", number === at ? "step" : "false");
          one.title = titles[number] ?? "";
          one.setAttribute("aria-label", `Step ${number + 1}${titles[number] ? `: ${titles[number]}` : ""}`);
        });
        back.disabled = at === 0;
        next.disabled = at === STEPS.length - 1;
        setText(count, `${at + 1} of ${STEPS.length}`);
        setText(title, titles[at] ?? "");
      }),
      {
        reads: (state) => [walkChoice.of(state), onSide(state, "a").analysis, chosenModel(onSide(state, "a"))],
        render(state) {
          const { analysis } = onSide(state, "a");
          const walk = shownWalk(state);
          setHidden(small, state.sides.a.model === SMALL_MODEL || smallModel(state) === null);
          for (const { field } of [layer, head, token]) setHidden(field, analysis === null);
          if (analysis === null) return;
          layer.write(numbered(analysis.n_layers, "L"), String(walk.layer));
          head.write(numbered(analysis.n_heads, "H"), String(walk.head));
          token.write(options(analysis.tokens.map((one, at) => `${at} ${tokenLabel(one)}`)), String(walk.token));
        },
      },
    ],
  };
}
