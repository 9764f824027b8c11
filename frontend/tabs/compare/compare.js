// The heads of A beside those of B: the most changed first, or each with its match, as small maps that can be pinned.

import { alignmentWords } from "../../compare/alignment.js";
import { comparison } from "../../compare/comparison.js";
import { comparisonTable } from "../../export/number_tables.js";
import { headsSide } from "../../heads/grid_side.js";
import { ticksOf } from "../../heads/legend_words.js";
import { atlasOnScreen } from "../../heads/roles.js";
import { legendTicks } from "../../maps/scales.js";
import { sharedTop } from "../../maps/shared_top.js";
import { element, setText } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { whatKey } from "../../state/pins.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { ColorBar, armWords } from "../../views/parts/color_bar.js";
import { downloadNumbers } from "../../views/parts/download_numbers.js";
import { showMore } from "../../views/parts/show_more.js";
import { comparedRows, comparisonStatus, numberMeaning, rowsEnd } from "./compared_heads.js";
import { differenceTop, rowMaps } from "./compared_maps.js";
import { ComparedRow } from "./compared_row.js";

/** @typedef {import("./compared_heads.js").ComparedRow} Row */

const FIRST_ROWS = 12;

/** @param {State} state @returns {Comparison | null} what is listed */
function answerOf(state) {
  return comparisonStatus(state).stage === "here" ? (comparison.of(state)?.answer ?? null) : null;
}

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createCompare(store, root) {
  const { actions } = store;
  const meaning = element("p", { class: "hint compared-meaning" });
  const aligned = element("p", { class: "hint", id: "compared-alignment" });
  const waiting = element("p", { class: "quiet", role: "status" });
  const why = element("p");
  const problem = element("div", { class: "problem", role: "alert" }, why);
  const empty = element("div", { class: "empty" });
  const scale = element("p", { class: "quiet compared-scale" });
  const list = element("ol", { class: "compared" });
  const more = showMore(FIRST_ROWS);
  const colours = new ColorBar(armWords());
  const legend = element("div", { class: "compared-legend" }, scale, colours.root);
  const downloads = downloadNumbers(store, "the comparison", (state) => {
    const answer = answerOf(state);
    return answer && comparisonTable(answer);
  });
  const card = element("div", { class: "card compared-card" }, legend, list, element("div", { class: "list-foot" }, more.button, downloads));
  root.replaceChildren(meaning, aligned, waiting, problem, empty, card);

  /** Whether rows of the last comparison can stay until the next one is here. */
  let hasRows = false;
  /** The rows, made again with the comparison or the roles of heads. @type {Memo<Row[]>} */
  const allRows = new Memo();
  /** @type {ComparedRow[]} */
  let rows = [];
  /** @type {ReturnType<typeof rowMaps>} */
  let mapsOf = null;
  /** The rows that are visible, or soon will be: of hundreds only these are painted. @type {Set<Element>} */
  const near = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) near[isIntersecting ? "add" : "delete"](target);
      paintNear();
    },
    { rootMargin: "300px" },
  );

  // Rows of an earlier comparison do not stay for a new one.
  store.watch(({ sides }) => [sides.b === null], () => (hasRows = false));

  // The head of the row under the pointer is marked in the grid, on the side that is shown there.
  list.addEventListener("pointerover", ({ target }) => {
    const found = rows.find((one) => target instanceof Node && one.root.contains(target))?.row;
    if (found) actions.pointAt(headsSide(store.state) === "b" ? found.other : found.one);
  });
  list.addEventListener("pointerleave", () => actions.pointAt(null));

  function paintNear() {
    if (mapsOf !== null) for (const row of rows) if (near.has(row.root)) row.paint(mapsOf);
  }

  /** @param {Pin[]} pins */
  function mark(pins) {
    const pinned = new Set(pins.map(whatKey));
    for (const row of rows) row.mark(pinned);
  }

  /** @param {Row[]} shown */
  function writeRows(shown) {
    rows = shown.map((row, at) => (rows[at]?.row === row ? rows[at] : new ComparedRow(row, store.state, actions)));
    list.replaceChildren(...rows.map((row) => row.root));
    watcher.disconnect();
    near.clear();
    rows.forEach((row, at) => {
      if (at < FIRST_ROWS) near.add(row.root);
      watcher.observe(row.root);
    });
    mark(store.state.pins);
  }

  const status = pageView(
    (state) => {
      const { stage, words } = comparisonStatus(state);
      return [stage, words, hasRows];
    },
    (stage, words, hadRows) => {
      const isHere = stage === "here";
      // The last comparison stays, dimmed, until the next one is here: rows that come and go would jump.
      const isKept = stage === "waiting" && hadRows;
      for (const part of [meaning, aligned, card]) part.hidden = !isHere && !isKept;
      for (const part of [aligned, card]) part.classList.toggle("stale", isKept);
      card.setAttribute("aria-busy", String(isKept));
      setText(waiting, stage === "waiting" ? words : "");
      problem.hidden = stage !== "failed";
      setText(why, stage === "failed" ? words : "");
      const title = stage === "same" ? "Nothing differs yet" : "Nothing to compare";
      empty.hidden = stage !== "same" && stage !== "lacking";
      if (!empty.hidden) empty.replaceChildren(element("p", { class: "empty-title" }, title), element("p", {}, words));
      hasRows = isHere || isKept;
    },
  );

  const heads = pageView(
    (state) => {
      const answer = answerOf(state);
      return answer && [answer, atlasOnScreen(onSide(state, "a")), atlasOnScreen(onSide(state, "b"))];
    },
    (answer, ...atlases) => {
      more.show(allRows.get([answer, ...atlases], () => comparedRows(answer)), answer, writeRows);
      setText(meaning, numberMeaning(answer));
      setText(aligned, alignmentWords(answer));
      setText(scale, `${answer.same_model ? "Change" : "Similarity"}, bars from 0 to ${rowsEnd(answer)}`);
    },
  );

  /** @type {PageView} */
  const maps = {
    reads(state, theme) {
      const answer = answerOf(state);
      const { range, sinks, hide, renormalise, words, filter, config, sides } = state;
      const controls = [state.scale, range, sinks, sharedTop(state), hide, renormalise, words, filter, config];
      return answer && [theme, answer, rows, sides.a.analysis, sides.b?.analysis, ...controls];
    },
    render(state, theme) {
      const top = differenceTop(state, rows.map(({ row }) => row));
      mapsOf = rowMaps(state, theme, top);
      const ticks = top === null ? ticksOf({ ...state, top: 1 }, true) : legendTicks(state, top, true);
      colours.render(top === null ? "Colours of A − B" : `A − B, up to the largest in the list${state.sinks === "dim" ? " apart from sinks" : ""}`, theme.diverging.css, ticks);
      paintNear();
    },
  };
  return [status, heads, maps, pageView((state) => [state.pins], mark)];
}
