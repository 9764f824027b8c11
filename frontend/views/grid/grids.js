// The card of the grids: one for each attention of the model on the side that is shown.

import { isByRole } from "../../heads/cells.js";
import { awaitsComparison, headsOnScreen, headsSide, shownSide } from "../../heads/grid_side.js";
import { chosenQuantity } from "../../heads/measures.js";
import { exactRows } from "../../maps/exact_rows.js";
import { rowToken } from "../../maps/row_token.js";
import { byId, setAttribute, setHidden, setText } from "../../page/dom.js";
import { Memo, isSameList } from "../../page/memo.js";
import { chosenModel, isStale } from "../../state/selectors.js";
import { analysisOf } from "../../state/sides.js";
import { Grid, fillReads, mapReads } from "./grid.js";
import { gridRoom } from "./grid_room.js";

/** @type {Record<string, string>} */
const NAMES = { encoder: "Encoder: the source attends to itself", decoder: "Decoder: the output attends to its earlier tokens", cross: "Cross: the output attends to the source" };

/** What a cell of the grid is, for people who see it for the first time. @param {State} state */
export function cellWords(state) {
  const seen = headsOnScreen(state);
  if (isByRole(seen)) return "One cell per head: its colour and letters are its roles.";
  if (chosenQuantity(seen) !== null) return "One cell per head: its colour and number are its value.";
  const shows = shownSide(state).side === "difference" ? "orange = A gives more, blue = B" : "stronger colour = more attention";
  return `One small map per head: rows (queries) attend to columns (keys); ${shows}.`;
}

/** @param {State} state what the cells and their order are made from, beside maps */
function cellReads(state) {
  const seen = headsOnScreen(state);
  const { side, compared, analysis, run, sort, show } = seen;
  const standing = [chosenModel(seen), analysis, run.layers, run.phase === "done", awaitsComparison(state, side)];
  return [side, compared, shownSide(state).side, ...standing, sort, show, ...fillReads(seen)];
}

/** @param {Actions} actions @returns {PageView[]} */
export function createGrids(actions) {
  const card = byId("grid-card", HTMLElement);
  const list = byId("grids", HTMLElement);
  const title = byId("grid-title", HTMLElement);
  /** @type {Map<string, Grid>} */
  const known = new Map();
  /** @type {Grid[]} */
  let shown = [];
  /** @type {Memo<ReturnType<typeof gridRoom>>} */
  const room = new Memo();

  /** @param {State} state */
  function reconcile(state) {
    const side = headsSide(state);
    const { side: whose } = shownSide(state);
    const stacks = analysisOf(state, side)?.stacks ?? [];
    // A difference is made of both sides' first stacks alone.
    const n_stacks = whose === "difference" ? 1 : Math.max(1, stacks.length);
    const wanted = Array.from({ length: n_stacks }, (_, stack) => gridAt({ side, stack }));
    wanted.forEach((grid, stack) => {
      setHidden(grid.title, n_stacks === 1);
      setText(grid.title, NAMES[stacks[stack]?.stack] ?? "");
    });
    if (!isSameList(wanted, shown)) {
      shown = wanted;
      shown.forEach((grid, at) => grid.name(at === 0 ? "grid" : `grid-${at}`));
      list.replaceChildren(...shown.map(({ root }) => root));
    }
    setText(title, state.sides.b === null ? "All heads" : "Heads of");
  }

  /** @param {Place} place */
  function gridAt(place) {
    const name = `${place.side}${place.stack}`;
    const grid = known.get(name) ?? new Grid(place, actions);
    known.set(name, grid);
    return grid;
  }

  /** @param {State} state @param {Theme} theme */
  function paint(state, theme) {
    reconcile(state);
    // Measuring lays the page out, which a move of the pointer must not do; a change of size brings another theme.
    const size = { ...room.get([theme], gridRoom), grids: shown.length };
    for (const grid of shown) grid.paint(state, theme, size);
    setHidden(card, shown.every(({ root }) => root.hidden));
    setAttribute(card, "data-signs", shown.some(({ hasDots }) => hasDots) ? "dots" : "letters");
    if (!shown.some((grid) => grid.isKept(state))) setAttribute(title, "title", cellWords(state));
  }

  const marks = (/** @type {State} */ state) => {
    const token = rowToken(state, headsSide(state));
    const rows = token === null ? null : state.answers.get(exactRows);
    return [...cellReads(state), isStale(headsOnScreen(state)), state.cursor, state.notes, token, rows];
  };
  return [
    { reads: (state, theme) => [theme, ...cellReads(state), ...mapReads(state, headsOnScreen(state))], render: paint, resources: [exactRows] },
    {
      reads: (state, theme) => [theme, ...marks(state), state.pins],
      render(state, theme) {
        for (const grid of shown) grid.mark(state, theme);
      },
    },
  ];
}
