// The tool row of the grid: what colours the cells, how they are ordered, which heads stand out.

import { bothSides, headsOnScreen, headsSide } from "../../heads/grid_side.js";
import { CHANGE, CORPUS, chosenMetric, chosenQuantity, hasWeighted } from "../../heads/measures.js";
import { orderedBy } from "../../heads/ordering.js";
import { atlasOnScreen, capital } from "../../heads/roles.js";
import { ABOVE, comparedQuantity, shownHeads } from "../../heads/showing.js";
import { byId, setText } from "../../page/dom.js";
import { CONTROLS, optionsOf } from "../../state/controls.js";
import { isWeighted } from "../../state/selectors.js";
import { menu } from "../parts/menu.js";
import { switchBox } from "../parts/switch.js";
import { NO_WEIGHTS } from "../view_bar.js";

/** @typedef {import("../parts/menu.js").Part} Part */

const WEIGHTED_MEANS = "Each weight multiplied by the length of the vector it passes on (Kobayashi and others, 2020).";

/**
 * What cells can be coloured by; entries without a group come first.
 * @param {SideView} state of the side whose heads are shown
 * @param {Part["options"]} [compared] those that two sides give
 * @returns {Part[]}
 */
export function colourMenu(state, compared = []) {
  const record = atlasOnScreen(state);
  const roles = record ? [{ value: "role", text: "Role" }] : [];
  const option = (/** @type {string} */ value, /** @type {{label: string, meaning: string}} */ { label, meaning }) =>
    ({ value, text: capital(label), title: meaning });
  const sentence = (state.metrics_catalogue?.metrics ?? []).map((metric) => option(metric.name, metric));
  const corpus = Object.entries(record?.measures ?? {}).map(([name, measure]) => option(`${CORPUS}${name}`, measure));
  return [
    { label: "", options: [{ value: "map", text: "Maps" }, ...roles, ...compared] },
    { label: "On this sentence", options: sentence },
    { label: "On the corpus", options: corpus },
  ];
}

/** The colour that two sides give: changes are those of the heads of both, matches those of A's heads alone. @param {State} state */
export function comparedColours(state) {
  if (state.sides.b === null) return [];
  const [a, b] = bothSides(state);
  if (a.model === b.model) return [{ value: CHANGE, text: "Change between A and B" }];
  return headsSide(state) === "a" ? [{ value: CHANGE, text: "Similarity to the other model" }] : [];
}

/** Which heads can stand out. @param {SideView} state @returns {Part[]} */
export function showMenu(state) {
  const record = atlasOnScreen(state);
  const compared = comparedQuantity(state);
  const above = compared ? [{ value: ABOVE, text: `${compared.label} above ${compared.against}` }] : [];
  const all = { label: "", options: [{ value: "all", text: "All heads" }, ...above] };
  if (record === null) return [all];
  const { specialisations, groups, roles, counts } = record;
  const questions = specialisations.map(({ name, question, holds }) => {
    return { value: `spec:${name}`, text: holds ? question : `${question} (no head passed the test)` };
  });
  const found = groups.filter(({ id }) => roles.some(({ group }) => group === id));
  // Groups are chosen in the legend; the chosen one is here too, for the menu to say what is shown.
  const chosen = groups.filter(({ id }) => state.show === `group:${id}`).map(({ id, label, meaning }) => {
    return { value: `group:${id}`, text: `${label} (${counts.groups[id] ?? 0})`, title: meaning };
  });
  const rolesOfGroup = (/** @type {string} */ group) =>
    roles.filter((role) => role.group === group).map(({ id, label, claim, heads }) => {
      return { value: `role:${id}`, text: `${capital(label)} (${heads.length})`, title: claim };
    });
  return [
    { label: "", options: [...all.options, ...chosen] },
    { label: "Questions", options: questions },
    ...found.map(({ id, label }) => ({ label, options: rolesOfGroup(id) })),
  ];
}

/** @param {Actions} actions @returns {PageView} */
export function createGridTools(actions) {
  const matches = byId("grid-matches", HTMLElement);
  const colour = menu("grid-colour", CONTROLS.color_by.label, (value) => actions.chooseColor(value));
  const sort = menu("grid-sort", CONTROLS.sort.label, (value) => actions.setView({ sort: /** @type {State["sort"]} */ (value) }));
  const show = menu("grid-show", CONTROLS.show.label, (value) => actions.setView({ show: value }));
  const weighted = switchBox("grid-weighted", "Value-weighted", actions.setWeighted);
  byId("grid-tools", HTMLElement).replaceChildren(colour.field, sort.field, show.field, weighted.field);

  return {
    reads(state) {
      const seen = headsOnScreen(state);
      const { color_by, values, sort: order, show: shown, metrics_catalogue, analysis, side } = seen;
      const compared = [side, ...bothSides(state).map(({ model }) => model), state.sides.b === null];
      return [color_by, values, order, shown, metrics_catalogue, analysis, chosenQuantity(seen), atlasOnScreen(seen), ...compared];
    },
    render(state) {
      const seen = headsOnScreen(state);
      colour.write(colourMenu(seen, comparedColours(state)), seen.color_by);
      show.write(showMenu(seen), seen.show);
      show.field.hidden = atlasOnScreen(seen) === null && comparedQuantity(seen) === null;
      const by = orderedBy(seen);
      const isByClass = chosenQuantity(seen)?.classes != null;
      const orders = optionsOf("sort").map(({ value, text }) => ({ value, text: isByClass && value === "value" ? "By class" : text }));
      sort.write([{ label: "", options: orders }], seen.sort);
      sort.select.title = by ? `Strongest first: by ${by}` : "To order heads, choose a colour or a role";
      sort.select.options[1].disabled = by === null && seen.sort !== "value";
      weighted.field.hidden = chosenMetric(seen) === null;
      weighted.box.checked = isWeighted(seen);
      weighted.box.disabled = hasWeighted(seen) === false;
      weighted.field.title = weighted.box.disabled ? NO_WEIGHTS : WEIGHTED_MEANS;
      const shown = shownHeads(seen);
      matches.hidden = shown === null;
      setText(matches, shown?.text ?? "");
    },
  };
}
