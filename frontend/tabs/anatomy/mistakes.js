// Common mistakes, each at the step where it comes up, with a button that demonstrates on these numbers that it is one.

import { NO_EDITS, editsChoice, ofLayer, withInput } from "../../anatomy/edits.js";
import { shortNumber } from "../../anatomy/figures.js";
import { shownAnswer, shownEdits, shownWalk } from "../../anatomy/walk.js";
import { atlasOnScreen, roleCountWords } from "../../heads/roles.js";
import { element } from "../../page/dom.js";
import { tokenLabel } from "../../page/labels.js";
import { onSide } from "../../state/sides.js";
import { button } from "../../views/parts/button.js";
import { headBars } from "./moved.js";

/** @typedef {import("../../anatomy/walk.js").Answer} Answer */
/**
 * @typedef {object} Mistake
 * @property {string} id
 * @property {string} claim what people say
 * @property {(answer: Answer) => string} action the words of its button
 * @property {(store: Store, answer: Answer) => void} [act] what the button changes
 * @property {(state: State, answer: Answer) => (HTMLElement | string)[]} shows what it shows
 */

/** A dimension that would not belong to a head if heads had slices of the input. @param {Answer["about"]} about */
export function outsideDimension({ head, sizes: { n_heads, d_model } }) {
  const slice = Math.floor(d_model / n_heads);
  return n_heads === 1 ? 0 : ((head + 1) % n_heads) * slice;
}

/** @param {(number | null)[]} strongest @param {number} row @param {Token[]} tokens */
const strongestIn = (strongest, row, tokens) => (strongest[row] === null ? "nothing" : `“${tokenLabel(tokens[/** @type {number} */ (strongest[row])])}”`);

/** @type {Record<string, Mistake[]>} */
export const MISTAKES = {
  qkv: [
    {
      id: "slice",
      claim: "“A head sees only its slice of the embedding.”",
      action: ({ about }) => `Add 1 to dimension ${outsideDimension(about)} of “${tokenLabel(about.tokens[about.token])}”`,
      act(store, { about }) {
        const { layer } = shownWalk(store.state);
        const edits = ofLayer(shownEdits(store.state), layer);
        store.actions.choose(editsChoice, withInput(edits, { token: about.token, dimension: outsideDimension(about), add: 1 }));
      },
      shows(_state, { about }) {
        const { changes, head, sizes: { n_heads, d_head } } = about;
        if (changes === null) return [];
        const n = changes.scores.filter((change) => change > 0).length;
        return [
          headBars("Largest change of a score, by head", changes.scores, { chosen: head, kind: "slice-bars" }),
          `${n} of ${n_heads} heads moved. The dimension is outside what would be the slice of head ${head}: its W_Q, W_K and W_V read all dimensions, and only what they write is ${d_head} wide.`,
        ];
      },
    },
    {
      id: "fused",
      claim: "“One fused matrix has fewer parameters.”",
      action: () => "Count both",
      shows: (_state, { about: { numbers } }) => [
        `Separate: ${numbers.n_parameters_separate.toLocaleString("en")} weights and biases. Fused: ${numbers.n_parameters_fused.toLocaleString("en")}. Run both ways, the largest difference of any number is ${shortNumber(numbers.fused_difference)}, which is rounding. Fusing saves time, not parameters.`,
      ],
    },
  ],
  one_or_many: [
    {
      id: "one_head",
      claim: "“One head could do it all.”",
      action: ({ about }) => `Compare them at “${tokenLabel(about.tokens[about.token])}”`,
      shows(_state, { about: { numbers, token, tokens } }) {
        const keys = new Set(numbers.heads.map(({ strongest }) => strongest[token]));
        const one = numbers.one_head;
        const entropies = numbers.heads.map(({ entropy }) => entropy[token]);
        const range = `${shortNumber(Math.min(...entropies))} to ${shortNumber(Math.max(...entropies))}`;
        const apart = keys.size > 1 ? `The heads look most at ${keys.size} different tokens` : "All heads look most at the same token here (choose another)";
        return [
          `${apart}, with entropies of ${range} nats. One large head has a single row: it looks most at ${strongestIn(one.strongest, token, tokens)} (${shortNumber(one.entropy[token])} nats). Their mean has ${shortNumber(numbers.mean.entropy[token])} nats and no longer says which head looked where.`,
        ];
      },
    },
  ],
  output: [
    {
      id: "roles",
      claim: "“Every head has a role”, “heads are told what to do”.",
      action: () => "Count them",
      shows(state) {
        const atlas = atlasOnScreen(onSide(state, "a"));
        const told = "Nothing in training names a role: heads get one, or none, because it lowers the loss. The tab Training shows it as it happens.";
        if (!atlas) return [`This model's heads were not measured on a corpus, so nobody knows here. ${told}`];
        return [`${roleCountWords(atlas)}. ${told}`];
      },
    },
  ],
};

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createMistakes(store) {
  const root = element("div", { class: "mistakes" });
  /** Those whose demonstration is open. @type {Set<string>} */
  const open = new Set();
  let draw = () => {};

  /** @param {State} state */
  function render(state) {
    const { answer, step } = shownAnswer(state);
    const mistakes = answer ? (MISTAKES[step] ?? []) : [];
    const focused = /** @type {HTMLElement | null} */ (root.contains(document.activeElement) ? document.activeElement : null)?.dataset.mistake;
    root.replaceChildren(
      ...mistakes.map((mistake) => {
        const known = /** @type {Answer} */ (answer);
        const act = () => {
          open.add(mistake.id);
          mistake.act?.(store, known);
          draw();
        };
        const shown = open.has(mistake.id) ? mistake.shows(state, known) : [];
        const undo = mistake.act && known.about.changes !== null ? [button("chip small", "Take it back", () => store.actions.choose(editsChoice, NO_EDITS))] : [];
        const training = mistake.id === "roles" && open.has("roles") && document.getElementById("tab-button-training") ? [button("chip small", "Open Training", () => store.actions.chooseTab("training"))] : [];
        return element(
          "section",
          { class: "card mistake", "data-mistake": mistake.id },
          element("p", {}, element("b", {}, "Not so: "), mistake.claim),
          element("div", { class: "chips" }, button("chip small demonstrate", mistake.action(known), act, { "data-mistake": mistake.id }), ...undo, ...training),
          ...(shown.length > 0 ? [element("div", { class: "mistake-shown" }, ...shown.map((part) => (typeof part === "string" ? element("p", {}, part) : part)))] : []),
        );
      }),
    );
    if (focused) /** @type {HTMLElement | null} */ (root.querySelector(`.demonstrate[data-mistake="${focused}"]`))?.focus();
  }
  draw = () => render(store.state);
  return {
    root,
    views: [{ reads: (state) => [shownAnswer(state).answer, shownAnswer(state).step, atlasOnScreen(onSide(state, "a"))], render }],
  };
}
