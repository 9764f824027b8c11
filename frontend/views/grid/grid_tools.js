// The tool row of the grid: what colours the cells, how they are ordered, which heads stand out.

import { bothSides, headsSide } from "../../heads/grid_side.js";
import { CHANGE, CORPUS, chosenMetric, chosenQuantity, hasWeighted } from "../../heads/measures.js";
import { orderedBy } from "../../heads/ordering.js";
import { atlasOnScreen, capital } from "../../heads/roles.js";
import { ABOVE, comparedQuantity, shownHeads } from "../../heads/showing.js";
import { byId, element, setText } from "../../page/dom.js";
import { isWeighted } from "../../state/selectors.js";
import { seenFrom } from "../../state/side.js";
import { menu } from "../parts/menu.js";

/** @typedef {import("../parts/menu.js").Part} Part */

const OF_INTEREST = [
  ...["color_by", "values", "sort", "comparison", "show"],
  ...["metrics_catalogue", "atlas", "analysis", "measured", "model", "against", "other", "grid_side"],
];

/**
 * What cells can be coloured by; entries without a group come first.
 * @param {State} state seen from the side whose heads are shown
 * @param {Part["options"]} [compared] those that two sides give
 * @returns {Part[]}
 */
export function colourMenu(state, compared = []) {
  const { metrics_catalogue } = state;
  const record = atlasOnScreen(state);
  const sentence = metrics_catalogue?.metrics ?? [];
  const corpus = Object.entries(record?.measures ?? {});
  const roles = record ? [{ value: "role", text: "Role" }] : [];
  return [
    { label: "", options: [{ value: "map", text: "Attention maps" }, ...roles, ...compared] },
    {
      label: "On this sentence",
      options: sentence.map(({ name, label, meaning }) => ({ value: name, text: capital(label), title: meaning })),
    },
    {
      label: "On the corpus",
      options: corpus.map(([name, { label, meaning }]) => ({
        value: `${CORPUS}${name}`,
        text: capital(label),
        title: meaning,
      })),
    },
  ];
}

/**
 * The colour that two sides give: changes are told of the heads of both, matches of those of A alone.
 * @param {State} state
 */
export function comparedColours(state) {
  if (state.against === null) return [];
  const [a, b] = bothSides(state);
  if (a.model === b.model) return [{ value: CHANGE, text: "Change between A and B" }];
  return headsSide(state) === "a" ? [{ value: CHANGE, text: "Likeness to the other model" }] : [];
}

/**
 * Which heads can stand out.
 * @param {State} state
 * @returns {Part[]}
 */
export function showMenu(state) {
  const record = atlasOnScreen(state);
  const compared = comparedQuantity(state);
  const above = compared ? [{ value: ABOVE, text: `${compared.label} above ${compared.against}` }] : [];
  const all = { label: "", options: [{ value: "all", text: "All heads" }, ...above] };
  if (record === null) return [all];
  const found = record.groups.filter((group) => record.roles.some((role) => role.group === group.id));
  return [
    all,
    {
      label: "Questions",
      options: record.specialisations.map(({ name, question, holds }) => ({
        value: `spec:${name}`,
        text: holds ? question : `${question} (none passed)`,
      })),
    },
    {
      label: "Groups of roles",
      options: found.map(({ id, label, meaning }) => ({
        value: `group:${id}`,
        text: `${label} (${record.counts.groups[id] ?? 0})`,
        title: meaning,
      })),
    },
    ...found.map((group) => ({
      label: group.label,
      options: record.roles
        .filter((role) => role.group === group.id)
        .map(({ id, label, claim, heads }) => ({
          value: `role:${id}`,
          text: `${capital(label)} (${heads.length})`,
          title: claim,
        })),
    })),
  ];
}

/** @param {Actions} actions */
export function createGridTools(actions) {
  const matches = byId("grid-matches", HTMLElement);
  const colour = menu("grid-colour", "Colour by", (value) => actions.chooseColor(value));
  const sort = menu("grid-sort", "Order", (value) => actions.chooseSort(value === "value" ? "value" : "model"));
  const show = menu("grid-show", "Show", (value) => actions.chooseShow(value));
  const weighted = element("input", {
    type: "checkbox",
    id: "grid-weighted",
    onchange: () => actions.setWeighted(weighted.checked),
  });
  const weightedField = element("label", { class: "switch", for: "grid-weighted" }, weighted, "value-weighted");
  byId("grid-tools", HTMLElement).replaceChildren(colour.field, sort.field, show.field, weightedField);

  return {
    /**
     * @param {State} whole
     * @param {Set<string>} changed
     */
    render(whole, changed) {
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      const state = seenFrom(whole, { side: headsSide(whole), stack: 0 });
      colour.write(colourMenu(state, comparedColours(whole)), state.color_by);
      show.write(showMenu(state), state.show);
      show.field.hidden = atlasOnScreen(state) === null && comparedQuantity(state) === null;
      const by = orderedBy(state);
      const isByClass = chosenQuantity(state)?.classes != null;
      const orders = [
        { value: "model", text: "Model order" },
        { value: "value", text: isByClass ? "By class" : "Strongest first" },
      ];
      sort.write([{ label: "", options: orders }], state.sort);
      sort.select.title = by ? `Strongest first: by ${by}` : "To order heads, choose a colour or a role";
      sort.select.options[1].disabled = by === null && state.sort !== "value";

      weightedField.hidden = chosenMetric(state) === null;
      weighted.checked = isWeighted(state);
      weighted.disabled = hasWeighted(state) === false;
      weightedField.title = weighted.disabled
        ? "For this model's family HeadScope does not know the output projection."
        : "Weights times the length of the vectors they let through (Kobayashi and others, 2020).";

      const shown = shownHeads(state);
      matches.hidden = shown === null;
      setText(matches, shown?.text ?? "");
    },
  };
}
