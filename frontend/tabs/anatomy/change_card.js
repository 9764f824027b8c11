// Change something and watch: heads, scale, mask, one weight, one number of the input. What is changed can be taken back
// one by one.

import { WEIGHT_SYMBOLS, NO_EDITS, editsChoice, editsInWords, isEdited, ofLayer, withHead, withInput, withWeight } from "../../anatomy/edits.js";
import { trailChoice } from "../../anatomy/trail.js";
import { shownAnswer, shownEdits, shownWalk } from "../../anatomy/walk.js";
import { element, setHidden, setText } from "../../page/dom.js";
import { tokenLabel } from "../../page/labels.js";
import { RateLimit } from "../../page/rate_limit.js";
import { onSide } from "../../state/sides.js";
import { button } from "../../views/parts/button.js";
import { segmented } from "../../views/parts/segmented.js";
import { slider } from "../../views/parts/slider.js";
import { movedParts } from "./moved.js";

/** @typedef {import("../../anatomy/edits.js").Edits} Edits */

const MIDDLE = 50; // of sliders
const OCTAVES = 4; // of the scale, each way
const MOST_ADDED = 5;
const PACE = { burst: 1, every_ms: 150 };
const CAUSAL = [
  { value: "null", text: "As in the model" },
  { value: "true", text: "Causal" },
  { value: "false", text: "None" },
];

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createChangeCard(store) {
  const { actions } = store;
  const edits = () => ofLayer(shownEdits(store.state), shownWalk(store.state).layer);
  const change = (/** @type {Edits} */ next) => actions.choose(editsChoice, isEdited(next) ? next : NO_EDITS);
  const usualScale = () => {
    const { answer } = shownAnswer(store.state);
    return answer === null ? 1 : answer.about.sizes.d_head ** -0.5;
  };

  const heads = element("div", { class: "chips heads-off", role: "group", "aria-label": "Heads that are on" });
  let wanted = MIDDLE;
  /** What is slid is not moved under the finger. */
  let isSliding = false;
  const scaling = new RateLimit(() => change({ ...edits(), scale: wanted === MIDDLE ? null : usualScale() * 2 ** ((OCTAVES * (wanted - MIDDLE)) / MIDDLE) }), PACE);
  const scale = slider("anatomy-scale", "Scale", (value) => (value === MIDDLE ? "1/√d, as in the model" : `${Number((2 ** ((OCTAVES * (value - MIDDLE)) / MIDDLE)).toPrecision(2))} times 1/√d`), (value) => {
    [wanted, isSliding] = [value, true];
    scale.mark(value);
    scaling.request();
  });
  const unscaled = button("chip small", "No scaling", () => change({ ...edits(), scale: edits().scale === 1 ? null : 1 }));
  const causal = segmented("Mask", CAUSAL, (value) => change({ ...edits(), causal: JSON.parse(value) }), "causal");
  let added = 0;
  const adding = new RateLimit(() => addToPinned(added), PACE);
  const add = slider("anatomy-add", "Add to the pinned number", (value) => String(addedBy(value)), (value) => {
    [added, isSliding] = [addedBy(value), true];
    add.mark(value);
    adding.request();
  });
  for (const { field } of [scale, add]) field.addEventListener("change", () => (isSliding = false));
  const addHint = element("p", { class: "hint" }, "Pin a number of norm(x), W_Q, W_K, W_V or W_O to add to it.");
  const chips = element("div", { class: "chips edit-chips" });
  const moved = element("div", { class: "moved" });
  const body = element("div", { class: "change-body" }, element("div", { class: "tool" }, element("span", {}, "Heads: press one to switch it off"), heads), element("div", { class: "scale-row" }, scale.field, unscaled), element("div", { class: "tool" }, element("span", {}, "Mask"), causal.group), add.field, addHint);
  const summary = element("summary", {}, "Change something and watch");
  const root = element("details", { class: "card change-card", open: window.innerWidth >= 1000 }, summary, body);
  const active = element("section", { class: "card active-card", "aria-label": "What is changed", hidden: true }, chips, moved);

  /** The pinned number as an edit; null: it cannot be changed. @param {State} state */
  function pinnedEdit(state) {
    const spot = trailChoice.of(state).at(-1);
    const { layer } = shownWalk(state);
    if (!spot || spot.layer !== layer) return null;
    const { matrix, head, row, column } = spot;
    const known = ofLayer(shownEdits(state), layer);
    if (matrix === "normed" || matrix === "x") {
      const now = known.inputs.find(({ token, dimension }) => token === row && dimension === column)?.add ?? 0;
      return { words: `the input, dimension ${column}`, now, with: (/** @type {number} */ by) => withInput(known, { token: row, dimension: column, add: by }) };
    }
    if (!(matrix in WEIGHT_SYMBOLS)) return null;
    const name = /** @type {import("../../anatomy/edits.js").EditedMatrix} */ (matrix);
    const now = known.weights.find((one) => one.matrix === name && one.head === head && one.row === row && one.column === column)?.add ?? 0;
    return { words: `${WEIGHT_SYMBOLS[name]}[${row}, ${column}] of H${head}`, now, with: (/** @type {number} */ by) => withWeight(known, { matrix: name, head, row, column, add: by }) };
  }

  /** @param {number} by */
  function addToPinned(by) {
    const pinned = pinnedEdit(store.state);
    if (pinned) change(pinned.with(by));
  }

  /** @param {State} state */
  function renderTools(state) {
    const { analysis } = onSide(state, "a");
    const now = edits();
    const n_heads = analysis?.n_heads ?? 0;
    if (heads.childNodes.length !== n_heads) {
      const made = Array.from({ length: n_heads }, (_, head) => button("chip small", `H${head}`, () => change(withHead(edits(), head)), { "data-head": head }));
      heads.replaceChildren(...made);
    }
    heads.childNodes.forEach((chip, head) => {
      const isOff = now.heads_off.includes(head);
      /** @type {HTMLElement} */ (chip).setAttribute("aria-pressed", String(!isOff));
      /** @type {HTMLElement} */ (chip).setAttribute("aria-label", `H${head} is ${isOff ? "off" : "on"}`);
    });
    const octaves = now.scale === null || now.scale <= 0 ? 0 : Math.log2(now.scale / usualScale());
    if (!isSliding) scale.mark(Math.round(MIDDLE + (MIDDLE * octaves) / OCTAVES));
    unscaled.setAttribute("aria-pressed", String(now.scale === 1));
    causal.mark(JSON.stringify(now.causal));
    const pinned = pinnedEdit(state);
    setHidden(add.field, pinned === null);
    setHidden(addHint, pinned !== null);
    if (!pinned) return;
    setText(/** @type {Element} */ (add.field.firstElementChild), `Add to ${pinned.words}: ${pinned.now}`);
    if (!isSliding) /** @type {HTMLInputElement} */ (add.field.querySelector("input")).value = String(MIDDLE + (MIDDLE * pinned.now) / MOST_ADDED);
  }

  return {
    root: element("div", { class: "changes" }, active, root),
    views: [
      {
        reads: (state) => [editsChoice.of(state), shownWalk(state).layer, onSide(state, "a").analysis, trailChoice.of(state), shownAnswer(state).answer?.about.sizes.d_head],
        render: renderTools,
      },
      {
        reads: (state) => [editsChoice.of(state), onSide(state, "a").analysis],
        render(state) {
          const now = shownEdits(state);
          const tokens = (onSide(state, "a").analysis?.tokens ?? []).map(tokenLabel);
          const made = editsInWords(now, tokens).map(({ words, without }) => button("chip small edit-chip", `${words} ×`, () => change(without), { title: "Take this change back", "aria-label": `Take back: ${words}` }));
          const all = button("chip small", "Remove all", () => change(NO_EDITS));
          setHidden(active, made.length === 0);
          chips.replaceChildren(element("b", {}, `Changed in layer ${now.layer}`), ...made, ...(made.length > 1 ? [all] : []));
        },
      },
      {
        reads: (state) => [shownAnswer(state).answer, shownAnswer(state).isOld],
        render(state) {
          const { answer, isOld } = shownAnswer(state);
          moved.classList.toggle("stale", isOld);
          if (answer !== null) moved.replaceChildren(...movedParts(answer.about, answer.about.tokens.map(tokenLabel)));
        },
      },
    ],
  };
}

/** @param {number} value of the slider */
const addedBy = (value) => Number((((value - MIDDLE) / MIDDLE) * MOST_ADDED).toFixed(1));
