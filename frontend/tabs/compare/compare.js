// The heads of A beside those of B: the most changed first, or each with its match, as small maps that can be pinned.

import { alignmentWords } from "../../compare/alignment.js";
import { comparedRows, comparisonStanding, numberMeaning, rowsEnd } from "../../compare/compared_heads.js";
import { headsSide } from "../../heads/grid_side.js";
import { byId, element, setText } from "../../page/dom.js";
import { whatKey } from "../../state/pins.js";
import { ColorBar, armWords } from "../../views/parts/color_bar.js";
import { ticksOf } from "../../views/grid/legend.js";
import { rowPaintings } from "./compared_maps.js";
import { ComparedRow } from "./compared_row.js";

const FIRST_ROWS = 12;
const STANDING = ["tab", "against", "comparison", "other", "run", "model", "text", "text_pair", "models"];
const PAINTING = ["tab", "scale", "range", "hide", "renormalise", "words", "filter", "analysis", "other"];

/** @param {Actions} actions */
export function createCompare(actions) {
  const meaning = element("p", { class: "compared-meaning" });
  const aligned = element("p", { class: "hint", id: "compared-alignment" });
  const waiting = element("p", { class: "quiet", role: "status" });
  const problem = element("div", { class: "problem", role: "alert" });
  const empty = element("div", { class: "empty" });
  const scale = element("p", { class: "quiet compared-scale" });
  const list = element("ol", { class: "compared" });
  const more = element("button", { type: "button", class: "chip more", onclick: showAll });
  const colours = new ColorBar(armWords());
  const legend = element("div", { class: "compared-legend" }, scale, colours.root);
  const card = element("div", { class: "card compared-card" }, legend, list, more);
  byId("tab-compare", HTMLElement).replaceChildren(meaning, aligned, waiting, problem, empty, card);

  /** @type {{state: State, theme: Theme} | null} */
  let shown = null;
  /** What the rows tell of. @type {Comparison | null} */
  let listed = null;
  let isWhole = false;
  /** @type {ComparedRow[]} */
  let rows = [];
  /** @type {Theme | null} */
  let paintedOn = null;
  /** @type {import("./compared_maps.js").RowPaintings | null} */
  let paintings = null;
  /** The rows that are seen, or soon will be: of hundreds only these are painted. @type {Set<Element>} */
  const near = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) near[isIntersecting ? "add" : "delete"](target);
      paintNear();
    },
    { rootMargin: "300px" },
  );

  // The head of the row under the pointer is marked in the grid, on the side that is shown there.
  list.addEventListener("pointerover", ({ target }) => {
    const found = rows.find(({ root }) => target instanceof Node && root.contains(target))?.row;
    if (shown && found) actions.pointAt(headsSide(shown.state) === "b" ? found.other : found.one);
  });
  list.addEventListener("pointerleave", () => actions.pointAt(null));

  function showAll() {
    if (shown === null || listed === null) return;
    isWhole = true;
    build(shown.state, listed);
    mark(shown.state);
    paint(shown.state, shown.theme);
  }

  /** @param {State} state @param {Comparison} comparison */
  function build(state, comparison) {
    if (comparison !== listed) isWhole = false;
    listed = comparison;
    const all = comparedRows(comparison);
    rows = all.slice(0, isWhole ? all.length : FIRST_ROWS).map((row) => new ComparedRow(row, state, actions));
    list.replaceChildren(...rows.map(({ root }) => root));
    watcher.disconnect();
    near.clear();
    rows.forEach(({ root }, at) => {
      if (at < FIRST_ROWS) near.add(root);
      watcher.observe(root);
    });
    setText(meaning, numberMeaning(comparison));
    setText(aligned, alignmentWords(comparison));
    setText(scale, `${comparison.same_model ? "Change" : "Likeness"}, bars from 0 to ${rowsEnd(comparison)}`);
    more.hidden = rows.length === all.length;
    setText(more, `Show all ${all.length} heads`);
  }

  /** @param {State} state @param {Theme} theme */
  function paint(state, theme) {
    paintedOn = theme;
    paintings = rowPaintings(state, theme);
    colours.render("Colours of A − B", theme.diverging.css, ticksOf(state, true));
    paintNear();
  }

  function paintNear() {
    if (paintings !== null) for (const row of rows) if (near.has(row.root)) row.paint(paintings);
  }

  /** @param {State} state */
  function mark({ pins }) {
    const pinned = new Set(pins.map(whatKey));
    for (const row of rows) row.mark(pinned);
  }

  /** @param {State} state */
  function renderStanding(state) {
    const { stage, words } = comparisonStanding(state);
    const isHere = stage === "here";
    // While the next comparison is on its way the last one stays, dimmed: rows that come and go would jump.
    const isKept = stage === "waiting" && listed !== null;
    for (const part of [meaning, aligned, card]) part.hidden = !isHere && !isKept;
    for (const part of [aligned, card]) part.classList.toggle("stale", isKept);
    card.setAttribute("aria-busy", String(isKept));
    setText(waiting, stage === "waiting" ? words : "");
    problem.hidden = stage !== "failed";
    if (stage === "failed") problem.replaceChildren(element("p", {}, words));
    const title = stage === "same" ? "Nothing differs yet" : "Nothing to compare";
    empty.hidden = stage !== "same" && stage !== "lacking";
    if (!empty.hidden) empty.replaceChildren(element("p", { class: "empty-title" }, title), element("p", {}, words));
    if (!isHere && !isKept) listed = null;
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     * @param {Theme} theme
     */
    render(state, changed, theme) {
      shown = { state, theme };
      if (state.against === null) listed = null; // what was compared before is not the last of what comes next
      if (state.tab !== "compare") return;
      if (STANDING.some((key) => changed.has(key))) renderStanding(state);
      const comparison = state.comparison?.answer ?? null;
      const isNew = comparison !== null && comparison !== listed && !card.hidden;
      if (isNew) build(state, comparison);
      if (comparison && (isNew || theme !== paintedOn || PAINTING.some((key) => changed.has(key)))) paint(state, theme);
      if (!isNew && !["pins", "tab"].some((key) => changed.has(key))) return;
      mark(state);
    },
  };
}
