// The picture: the matrices of a step, laid out, drawn and moved, with what is pointed at and where it comes from.

import { sourcesOf } from "../../anatomy/formula.js";
import { layOut } from "../../anatomy/stage_layout.js";
import { shownSpot, spotOfCell, traceOf, trailChoice } from "../../anatomy/trail.js";
import { shownAnswer, shownWalk, walkChoice } from "../../anatomy/walk.js";
import { element, setText } from "../../page/dom.js";
import { isSameList } from "../../page/memo.js";
import { longestWidth, tokenLabel } from "../../page/labels.js";
import { FigureView } from "./figure_view.js";
import { fade, grow, move, rectOf } from "./flow.js";

/** @typedef {import("../../anatomy/figures.js").Figure} Figure */
/** @typedef {import("../../anatomy/trail.js").Spot} Spot */

const REST_MS = 120;
const NARROW = 700;
const FONT = 11;
const LEAST_HEIGHT = 300;
const LEANING = 22; // right of the last figure, for the names of its columns

/**
 * @param {Store} store
 * @param {(spot: Spot) => void} pin
 * @param {() => boolean} leave
 * @param {() => number} roomHeight pixels there are for the picture; Infinity in one column
 * @returns {{root: HTMLElement, views: PageView[]}}
 */
export function createStage(store, pin, leave, roomHeight) {
  const { actions } = store;
  const root = element("div", { class: "stage" });
  const waiting = element("p", { class: "stage-waiting quiet", role: "status" });
  const frame = element("div", { class: "stage-frame" }, root, waiting);
  /** @type {Map<string, FigureView>} */
  const shown = new Map();
  /** @type {HTMLElement[]} */
  let operators = [];
  let resting = 0;
  let drawnStep = "";
  const measuring = /** @type {CanvasRenderingContext2D} */ (element("canvas").getContext("2d"));

  const spotIn = (/** @type {Figure} */ { name, head }, /** @type {[number, number]} */ [row, column]) =>
    spotOfCell(store.state, { matrix: name, head, row, column });

  /** @type {import("./figure_view.js").FigureEvents} */
  const events = {
    point(figure, place) {
      clearTimeout(resting);
      actions.pointAtNumber(place && spotIn(figure, place));
      if (place) resting = setTimeout(() => actions.askNumber(), REST_MS);
    },
    pin: (figure, place) => pin(spotIn(figure, place)),
    leave,
    chooseHead: (head) => actions.choose(walkChoice, { ...walkChoice.of(store.state), head }),
    chooseWord: (token) => selectWord(store.state, token),
  };

  /** @param {string[]} names @param {Theme} theme @param {number} width */
  function roomFor(names, theme, width) {
    measuring.font = `${FONT}px ${theme.palette.font}`;
    const longest = longestWidth(measuring, names);
    const wraps = width < NARROW;
    return {
      width: width - LEANING,
      height: Math.max(LEAST_HEIGHT, roomHeight()),
      wraps,
      rowLabels: Math.round(Math.min(wraps ? 56 : 76, longest + 12)),
      columnLabels: Math.round(Math.min(46, 0.87 * longest + 12)),
    };
  }

  /** @param {State} state @param {Theme} theme */
  function render(state, theme) {
    const { answer, isOld, step, problem } = shownAnswer(state);
    const isBad = problem !== null || state.sides.a.run.problem !== null;
    // What is on screen stays, dimmed, until the next numbers are here.
    root.classList.toggle("stale", isOld);
    setText(waiting, answer === null && !isBad && shown.size === 0 ? "Computing the matrices…" : "");
    const width = frame.clientWidth;
    if (answer === null || width === 0) {
      if (isBad) clear();
      return;
    }
    const { tokens, sizes: { n_heads } } = answer.about;
    const names = tokens.map(tokenLabel);
    const layout = layOut(step, answer, roomFor(names, theme, width));
    if (layout === null) return clear();
    const before = new Map([...shown].map(([id, view]) => [id, rectOf(view.root)]));
    const isNew = drawnStep !== step;
    drawnStep = step;
    for (const [id, view] of shown) {
      if (layout.figures.has(id)) continue;
      shown.delete(id);
      fade(view.root);
    }
    for (const [id, figure] of layout.figures) {
      const box = layout.boxes.get(id);
      if (!box) continue;
      const view = shown.get(id) ?? new FigureView(events);
      view.draw(figure, box, namesOf(figure.rowAxis, figure.rows, names, n_heads), namesOf(figure.columnAxis, figure.columns, names, n_heads), theme);
      if (!shown.has(id)) root.append(view.root);
      shown.set(id, view);
    }
    for (const operator of operators) operator.remove();
    operators = layout.ops.map(operatorOf);
    root.append(...operators);
    root.style.height = `${layout.height + 4}px`;
    root.dataset.step = step;
    if (!isNew) return;
    // The keyboard goes through the figures in the order of the layout.
    for (const id of layout.figures.keys()) root.append(/** @type {FigureView} */ (shown.get(id)).root);
    animate(before);
  }

  /** @param {Map<string, import("./flow.js").Rect>} before */
  function animate(before) {
    for (const [id, view] of shown) {
      const from = before.get(id);
      if (from) move(view.root, from);
      else grow(view.root, sourcesOf(view.figure?.kind.formula ?? "").flatMap((name) => before.get(name) ?? []));
    }
    for (const operator of operators) grow(operator, []);
  }

  function clear() {
    for (const view of shown.values()) view.root.remove();
    for (const operator of operators) operator.remove();
    shown.clear();
    operators = [];
    drawnStep = "";
    root.style.height = "0";
  }

  /** @param {State} state @param {Theme} theme what is pointed at or pinned, and where it comes from */
  function renderMarks(state, theme) {
    const spot = shownSpot(state);
    const pinned = trailChoice.of(state).at(-1);
    const trace = traceOf(state, spot)?.answer;
    const { layer } = shownWalk(state);
    const factors = trace?.terms.flatMap((term) => term.factors) ?? [];
    for (const view of shown.values()) {
      const { figure } = view;
      if (!figure) continue;
      const isHere = (/** @type {Spot} */ one) => one.matrix === figure.name && (figure.kind.scope === "model" || one.layer === layer) && (!ofHead(figure) || one.head === figure.head);
      const cells = [spot, pinned].flatMap((one) => (one && isHere(one) ? [/** @type {[number, number]} */ ([one.row, one.column])] : []));
      const from = factors.flatMap(({ matrix, layer: of, head, row, column }) => {
        const isIn = matrix === figure.name && (of === null || of === layer) && (head === null || !ofHead(figure) || head === figure.head);
        return isIn && row !== null && column !== null ? [/** @type {[number, number]} */ ([row, column])] : [];
      });
      view.mark(cells, from, theme);
    }
  }

  /** @type {unknown[]} */
  let seen = [];
  const size = new ResizeObserver(() => {
    const now = [frame.clientWidth, window.innerHeight];
    if (!isSameList(now, seen)) actions.noteRoom();
    seen = now;
  });
  size.observe(frame);

  return {
    root: frame,
    views: [
      {
        reads(state, theme) {
          const { answer, isOld, problem, step } = shownAnswer(state);
          return [theme, answer, isOld, problem, step, state.room, state.sides.a.run.problem];
        },
        render,
      },
      {
        reads(state, theme) {
          const { answer, step } = shownAnswer(state);
          return [theme, answer, step, state.room, state.anatomy.pointed, trailChoice.of(state), traceOf(state, shownSpot(state))];
        },
        render: renderMarks,
      },
    ],
  };
}

/** Whether a figure is of one head. @param {Figure} figure */
const ofHead = ({ kind, id }) => kind.scope === "head" || kind.axes.length === 3 || id.includes("@");

/** @param {string} axis @param {number} count @param {string[]} tokens @param {number} n_heads */
function namesOf(axis, count, tokens, n_heads) {
  if (axis === "token") return tokens;
  if (axis === "layer") return Array.from({ length: count }, (_, at) => (at === 0 ? "before" : `after L${at - 1}`));
  if (axis === "part") return Array.from({ length: count }, (_, at) => (at < n_heads ? `H${at}` : "bias"));
  return [];
}

/** @param {import("../../anatomy/fit.js").OpBox} op */
function operatorOf({ text, x, y, width, height, above }) {
  const made = element("span", { class: above ? "operator above" : "operator", "aria-hidden": "true" }, text);
  for (const [name, value] of /** @type {const} */ ([["left", x], ["top", y], ["width", width], ["height", height]])) made.style[name] = `${value}px`;
  return made;
}

/** Select a token's characters in the page's text field, to write another word. @param {State} state @param {number} at */
function selectWord(state, at) {
  const token = state.sides.a.analysis?.tokens[at];
  const box = document.getElementById(token?.segment === 1 ? "text-pair" : "text");
  if (!token || token.start === null || token.end === null || !(box instanceof HTMLTextAreaElement)) return;
  const units = (/** @type {number} */ end) => [...box.value].slice(0, end).join("").length; // the server counts characters, not their halves
  box.focus();
  box.setSelectionRange(units(token.start), units(token.end));
}
