// The card of the grids: one for each attention of the model on the side that is shown, and the words beside the head
// under the pointer.

import { isByRole } from "../../heads/cells.js";
import { awaitsComparison, headsOnScreen, headsSide, shownSide } from "../../heads/grid_side.js";
import { chosenQuantity } from "../../heads/measures.js";
import { byId, element, setText } from "../../page/dom.js";
import { isSameList } from "../../page/memo.js";
import { chosenModel, isStale } from "../../state/selectors.js";
import { analysisOf } from "../../state/sides.js";
import { Grid, fillReads, mapReads } from "./grid.js";
import { createGridTip } from "./grid_tip.js";

const STICKY = 16;
/** @type {Record<string, string>} */
const NAMES = { encoder: "Encoder: the source looks at itself", decoder: "Decoder: the output looks back at itself", cross: "Cross: the output looks at the source" };

/** What a cell of the grid is, for people who see it for the first time. @param {State} state */
export function cellWords(state) {
  const seen = headsOnScreen(state);
  if (isByRole(seen)) return "One cell per head: its colour and letters are its roles.";
  if (chosenQuantity(seen) !== null) return "One cell per head: its colour and number are its value.";
  const shows = shownSide(state).side === "difference" ? "orange = A gives more, blue = B" : "stronger colour = more attention";
  return `One small map per head: rows look at columns; ${shows}.`;
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
  const room = byId("explore", HTMLElement);
  const card = byId("grid-card", HTMLElement);
  const list = byId("grids", HTMLElement);
  const title = byId("grid-title", HTMLElement);
  const about = element("p", { class: "hint grid-about" });
  title.parentElement?.after(about);
  const drawTip = createGridTip(card);
  /** @type {Map<string, Grid>} */
  const known = new Map();
  /** @type {Grid[]} */
  let shown = [];
  // The keyboard may still be here when a mouse points at something else.
  document.addEventListener("pointermove", ({ target }) => {
    if (!(target instanceof Node && list.contains(target))) for (const grid of shown) grid.leads = false;
  });

  /** @param {State} state */
  function reconcile(state) {
    const side = headsSide(state);
    const { side: whose } = shownSide(state);
    const stacks = analysisOf(state, side)?.stacks ?? [];
    // A difference is made of both sides' first stacks alone.
    const n_stacks = whose === "difference" ? 1 : Math.max(1, stacks.length);
    const wanted = Array.from({ length: n_stacks }, (_, stack) => gridAt({ side, stack }));
    wanted.forEach((grid, stack) => {
      grid.title.hidden = n_stacks === 1;
      setText(grid.title, NAMES[stacks[stack]?.stack] ?? "");
    });
    if (!isSameList(wanted, shown)) {
      shown = wanted;
      shown.forEach((grid, at) => grid.name(at === 0 ? "grid" : `grid-${at}`));
      list.replaceChildren(...shown.map(({ root }) => root));
    }
    const sides = { a: "All heads of A", b: "All heads of B", difference: "A − B" };
    setText(title, state.sides.b === null ? "All heads" : sides[whose]);
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
    const size = { width: room.clientWidth, height: window.innerHeight, grids: shown.length };
    for (const grid of shown) grid.paint(state, theme, size);
    card.hidden = shown.every(({ root }) => root.hidden);
    card.dataset.signs = shown.some(({ hasDots }) => hasDots) ? "dots" : "letters";
    if (!shown.some((grid) => grid.isKept(state))) setText(about, cellWords(state));
    // A card taller than the window sticks by its lower edge, so that scrolling shows all of it.
    card.style.top = `${Math.min(STICKY, window.innerHeight - card.offsetHeight - STICKY)}px`;
  }

  const marks = (/** @type {State} */ state) => [...cellReads(state), isStale(headsOnScreen(state)), state.cursor, state.notes];
  return [
    { reads: (state) => [...cellReads(state), ...mapReads(state, headsOnScreen(state))], render: paint },
    {
      reads: (state) => [...marks(state), state.pins],
      render(state, theme) {
        for (const grid of shown) grid.mark(state, theme);
      },
    },
    {
      reads: (state) => [...marks(state), ...mapReads(state, headsOnScreen(state))],
      render: (state, theme) => drawTip(state, shown.find((grid) => grid.cursorBox(state) !== null), theme),
    },
  ];
}
