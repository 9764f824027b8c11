// How sure the roles of a model are as a whole: how many heads have one, what nulls found, what was measured.

import { canMeasure, isUnmeasured } from "../../heads/build.js";
import { amountText, falseNulls, nullKinds, nullWords, otherNulls } from "../../heads/nulls.js";
import { atlasOnScreen, atlasProblem, capital, roleCountWords } from "../../heads/roles.js";
import { element, setText } from "../../page/dom.js";
import { onSide } from "../../state/sides.js";
import { MeasureButton } from "../../views/build/measure_button.js";
import { pageView } from "../../views/draw_views.js";
import { term } from "../../views/parts/term.js";

/** @typedef {import("../../heads/nulls.js").NullKind} NullKind */

const nullsMean = () => [
  "The same measurement on ",
  term("null_model", "null models"),
  " and on answers of other texts, where there is nothing to find: any role found there is false. The last number is the upper end of the ",
  term("interval", "95 % interval"),
  " of false roles per run.",
];
const COLUMNS = ["Section", "Runs", "Roles found", "Expected per run", "At most"];

/** @param {Actions} actions @returns {{root: HTMLElement, views: PageView[]}} */
export function createEvidenceCard(actions) {
  const counted = element("p", { class: "role-count" });
  const measure = new MeasureButton(actions);
  const summary = element("summary", {});
  const tables = element("div", { class: "nulls" });
  const details = element("details", { class: "null-details" }, summary, tables);
  const root = element("div", { class: "card evidence-card" }, counted, details, measure.root);

  /** @param {Atlas | null} record */
  function renderRecord(record) {
    setText(counted, record ? `${roleCountWords(record)}.` : "No head has a role: nothing was measured on a corpus yet.");
    const words = record ? nullWords(record) : "";
    details.hidden = words === "";
    setText(summary, words);
    if (!record) return;
    const others = nullKinds(otherNulls(record)).map(otherNull);
    tables.replaceChildren(
      element("p", { class: "hint" }, ...nullsMean()),
      nullTable(nullKinds(falseNulls(record))),
      ...(others.length > 0 ? [element("h3", {}, "Not counted as false"), ...others] : []),
    );
  }

  /** @type {PageView} */
  const button = {
    reads(state) {
      const side = onSide(state, "a");
      return [atlasOnScreen(side), atlasProblem(side), side.analysis?.model, side.model, state.models, state.build.status];
    },
    render(state) {
      const side = onSide(state, "a");
      const record = atlasOnScreen(side);
      const model = side.analysis?.model ?? side.model;
      root.hidden = record === null && !isUnmeasured(atlasProblem(side));
      if (record) measure.render(side, canMeasure(side, model) ? model : null, "What was measured…");
      else measure.render(side);
    },
  };
  return { root, views: [pageView((state) => [atlasOnScreen(onSide(state, "a"))], renderRecord), button] };
}

/** @param {NullKind[]} kinds each null under its own words, one row a section */
function nullTable(kinds) {
  const head = element("tr", {}, ...COLUMNS.map((name) => element("th", { scope: "col" }, name)));
  const bodies = kinds.map(({ what, results }) => {
    const title = element("th", { scope: "rowgroup", colspan: COLUMNS.length }, what);
    return element("tbody", {}, element("tr", {}, title), ...results.flatMap(resultRows));
  });
  return element("table", { class: "null-table" }, element("thead", {}, head), ...bodies);
}

/** @param {NullKind["results"][number]} result its numbers, and which roles were found */
function resultRows({ section, runs, roles, found, expected, upper }) {
  const numbers = [runs, roles, amountText(expected), amountText(upper)].map((number) => element("td", {}, String(number)));
  const row = element("tr", { "data-section": section }, element("th", { scope: "row" }, capital(section)), ...numbers);
  if (found.length === 0) return [row];
  const more = roles > found.length ? `, and ${roles - found.length} more` : "";
  const named = element("td", { class: "quiet", colspan: COLUMNS.length }, `${found.join(", ")}${more}`);
  return [row, element("tr", {}, named)];
}

/** @param {NullKind} kind one whose roles may be real, and why */
function otherNull({ what, results }) {
  const counts = results.map(({ section, roles, runs }) => {
    const times = runs === 1 ? "" : ` in ${runs} runs`;
    return `${capital(section)}: ${roles} ${roles === 1 ? "role" : "roles"} found${times}.`;
  });
  return element("p", { class: "other-null" }, `${what} `, element("b", {}, counts.join(" ")));
}
