// What each head looks at from the position that predicts: a small grid of all heads, each with its strongest key, or
// coloured by the weight on one token.

import { inkOn } from "../../drawing/grid_cells.js";
import { next } from "../../generate/next.js";
import { isPooled, lookInWords, shortWeight, stepOf, strongestLook, watchedToken } from "../../generate/step_rows.js";
import { legendTicks } from "../../maps/scales.js";
import { element, setText, sizeCanvas } from "../../page/dom.js";
import { fitted, headName, tokenInWords } from "../../page/labels.js";
import { Memo } from "../../page/memo.js";
import { codeOfWeight } from "../../requests/wire.js";
import { headPins, oneHead } from "../../state/pins.js";
import { isStale } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { ARROW_STEPS } from "../../views/parts/arrow_steps.js";
import { ColorBar } from "../../views/parts/color_bar.js";
import { menu } from "../../views/parts/menu.js";

/** @typedef {import("../../generate/step_rows.js").Attended} Attended */
/** @typedef {import("../../generate/step_rows.js").GenerationStep} GenerationStep */

const PADDING = 32; // of the card around the grid
const LEFT = 28;
const TOP = 18;
const GAP = 2;
const TALL = 20;
const LOW = 16; // where there are many layers
const MANY = 14;
const ROOM_FOR_TEXT = 24;
const WIDEST = 84;
const WHOLE_WORDS = 0.75;
const TICKS = legendTicks({ scale: "sqrt", range: "fixed" }, 1, false);
const SINK = "Most heads rest on the first token: hide it under View to see what else they look at.";
/** @type {Record<State["hide"], string>} */
const LEFT_OUT = {
  none: "",
  special: "Special tokens are left out, as chosen under View.",
  first: "The first token is left out, as chosen under View.",
  both: "Special tokens and the first are left out, as chosen under View.",
};
const STRONGEST = "strongest";

/** Whether cells show words: where too many would be cut, weights say more. @param {number[]} widths @param {number} room of a cell */
export function holdWords(widths, room) {
  return widths.filter((width) => width <= room).length >= WHOLE_WORDS * widths.length;
}

/** @param {State} state what the rows of the heads depend on */
function readStep(state) {
  const side = onSide(state, "a");
  const { analysis, run, lock, hover, hide } = side;
  return [analysis, run.layers, isStale(side), state.writing, next.of(state)?.answer, lock ?? hover, hide];
}

/**
 * What is drawn of each head.
 * @typedef {object} Drawn
 * @property {GenerationStep} step
 * @property {(Attended | null)[]} own each head's strongest key
 * @property {(Attended | null)[]} looks what is shown of it: its weight on the watched token, else its strongest key
 * @property {number | null} watched
 */

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createStepHeads(store) {
  const { actions } = store;
  const canvas = element("canvas", { tabindex: 0, role: "img", class: "step-grid" });
  const readout = element("p", { class: "step-readout", role: "status" });
  const watch = menu("step-watch", "Colour by", watchToken);
  const body = element("tbody");
  const titles = element("tr");
  const table = element("table", { class: "detail-table" }, element("thead", {}, titles), body);
  const scroll = element("div", { class: "detail-scroll", tabindex: 0, role: "region", "aria-label": "All heads" }, table);
  const details = element("details", { class: "detail-numbers", ontoggle: writeTable }, element("summary", {}, "As a table"), scroll);
  const hint = element("p", { class: "hint" });
  const bar = new ColorBar();
  const grid = element("div", { class: "step-heads" }, watch.field, readout, canvas, bar.root, hint, details);
  const unseen = element("p", { class: "panel-waiting" });
  const root = element("section", { class: "card generate-card" }, element("h2", {}, "What each head looks at"), grid, unseen);
  canvas.addEventListener("pointermove", (event) => actions.pointAt(cellAt(event)));
  for (const type of ["pointerleave", "blur"]) canvas.addEventListener(type, () => actions.pointAt(null));
  canvas.addEventListener("click", (event) => pin(cellAt(event)));
  canvas.addEventListener("keydown", onKey);
  /** @type {Drawn | null} */
  let drawn = null;
  let geometry = { cell: 0, height: 0 };
  /** Whether cells show weights in place of words. */
  let hasWeights = false;
  /** @type {Memo<(Attended | null)[]>} */
  const strongest = new Memo();

  /** @param {string} value a token, or each head's strongest */
  function watchToken(value) {
    const queries = [drawn?.step.position ?? 0];
    actions.setView({ lock: value === STRONGEST ? null : { side: "a", queries, keys: [Number(value)] } });
  }

  /** @param {MouseEvent} event @returns {Cell | null} */
  function cellAt({ offsetX, offsetY }) {
    if (drawn === null) return null;
    const { n_layers, n_heads } = drawn.step;
    const head = Math.floor((offsetX - LEFT) / (geometry.cell + GAP));
    const layer = Math.floor((offsetY - TOP) / (geometry.height + GAP));
    return head >= 0 && head < n_heads && layer >= 0 && layer < n_layers ? { layer, head } : null;
  }

  /** @param {Cell | null} cell its map is pinned and read at the position that predicts */
  function pin(cell) {
    if (cell === null || drawn === null) return;
    const { step, watched } = drawn;
    actions.pin(oneHead(cell));
    actions.setView({ lock: { side: "a", queries: [step.position], keys: watched === null ? [] : [watched] } });
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    const { cursor } = onSide(store.state, "a");
    const move = ARROW_STEPS[event.key];
    if (move && drawn) {
      const { n_layers, n_heads } = drawn.step;
      const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, at));
      const { layer, head } = cursor ?? { layer: -move[0], head: -move[1] };
      actions.pointAt({ layer: within(layer + move[0], n_layers), head: within(head + move[1], n_heads) });
    } else if (event.key === "Enter" || event.key === " ") pin(cursor);
    else return;
    event.preventDefault();
  }

  /** @param {State} state @returns {Drawn | null} */
  function drawnOf(state) {
    const step = stepOf(state);
    if (step === null) return null;
    const { hide } = state;
    const { from, n_layers, n_heads } = step;
    const ofEachHead = (/** @type {(layer: number, head: number) => Attended | null} */ lookOf) =>
      Array.from({ length: n_layers * n_heads }, (_, at) => lookOf(Math.floor(at / n_heads), at % n_heads));
    const findStrongest = () => ofEachHead((layer, head) => strongestLook(step, layer, head, hide));
    const own = strongest.get([from, state.sides.a.analysis, hide], findStrongest);
    const watched = watchedToken(state, step);
    if (watched === null) return { step, own, looks: own, watched };
    const looks = ofEachHead((layer, head) => {
      const row = step.row(layer, head);
      return row && { key: watched, weight: row[watched] };
    });
    return { step, own, looks, watched };
  }

  /** @param {Drawn} shown @param {Cell | null} cursor */
  function say({ step, own, looks, watched }, cursor) {
    const at = cursor === null ? -1 : cursor.layer * step.n_heads + cursor.head;
    const [look, most] = [looks[at], own[at]];
    const more = most && watched !== null && most.key !== watched ? `, most ${lookInWords(step, most)}` : "";
    const from = `From “${tokenInWords(step.tokens[step.position])}”: point at a head`;
    const said = cursor && look ? `${headName(cursor.layer, cursor.head)} ${lookInWords(step, look)}${more}` : from;
    setText(readout, said);
    const what = watched === null ? "each head's strongest key" : `the weight of each head on “${tokenInWords(step.tokens[watched])}”`;
    const shape = `Grid of ${step.n_layers} layers and ${step.n_heads} heads`;
    canvas.setAttribute("aria-label", `${shape}: ${what}. Arrow keys move, Enter pins. ${cursor ? said : ""}`);
  }

  /** @param {Drawn} shown @param {SideView} side @param {Theme} theme */
  function draw({ step, own, looks, watched }, { pins, cursor }, { palette, scale }) {
    const { n_layers, n_heads, tokens } = step;
    const height = n_layers > MANY ? LOW : TALL;
    const cell = Math.min(WIDEST, Math.floor((root.clientWidth - PADDING - LEFT) / n_heads) - GAP);
    geometry = { cell, height };
    const context = sizeCanvas(canvas, LEFT + n_heads * (cell + GAP), TOP + n_layers * (height + GAP));
    const box = (/** @type {number} */ at) => ({
      x: LEFT + (at % n_heads) * (cell + GAP),
      y: TOP + Math.floor(at / n_heads) * (height + GAP),
    });
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.font = `${height - 5}px ${palette.font}`;
    const widths = own.flatMap((look) => (look ? [context.measureText(tokens[look.key].text).width] : []));
    hasWeights = watched !== null || !holdWords(widths, cell - 4);
    looks.forEach((look, at) => {
      const { x, y } = box(at);
      const colour = look ? scale.css[codeOfWeight(look.weight)] : palette.outside;
      context.fillStyle = colour;
      context.fillRect(x, y, cell, height);
      if (!look || cell < ROOM_FOR_TEXT) return;
      context.fillStyle = inkOn(colour);
      const text = hasWeights ? shortWeight(look.weight) : tokens[look.key].text;
      context.fillText(fitted(context, text, cell - 4), x + cell / 2, y + height / 2 + 0.5);
    });
    context.fillStyle = palette.muted;
    context.font = `11px ${palette.font}`;
    for (let head = 0; head < n_heads; head += 1) context.fillText(`H${head}`, box(head).x + cell / 2, 8);
    context.textAlign = "right";
    for (let layer = 0; layer < n_layers; layer += 1) context.fillText(`L${layer}`, LEFT - 5, box(layer * n_heads).y + height / 2);
    context.lineWidth = 2;
    for (const marked of [...headPins(pins), ...(cursor ? [cursor] : [])]) {
      const { x, y } = box(marked.layer * n_heads + marked.head);
      context.strokeStyle = marked === cursor ? palette.ink : palette.accent;
      context.strokeRect(x, y, cell, height);
    }
  }

  /** As many rows as heads: made only when somebody wants to read them. */
  function writeTable() {
    if (!details.open || drawn === null) return;
    const { step, own, looks, watched } = drawn;
    const title = watched === null ? [] : [`Weight on ${tokenInWords(step.tokens[watched])}`];
    titles.replaceChildren(...["Head", "Strongest key", "Weight", ...title].map((text) => element("th", { scope: "col" }, text)));
    const rows = own.map((look, at) => {
      const most = look ? [tokenInWords(step.tokens[look.key]), look.weight.toFixed(3)] : ["–", "–"];
      const on = watched === null ? [] : [looks[at]?.weight.toFixed(3) ?? "–"];
      const name = headName(Math.floor(at / step.n_heads), at % step.n_heads);
      return element("tr", {}, element("th", { scope: "row" }, name), ...[...most, ...on].map((text) => element("td", {}, text)));
    });
    body.replaceChildren(...rows);
  }

  /** @type {PageView} */
  const cells = {
    reads: (state) => [...readStep(state), state.pins, onSide(state, "a").cursor],
    render(state, theme) {
      const side = onSide(state, "a");
      drawn = drawnOf(state);
      grid.hidden = drawn === null;
      unseen.hidden = drawn !== null;
      const isLong = side.analysis !== null && !isStale(side) && isPooled(side.analysis);
      setText(unseen, isLong ? "Maps of texts this long are pooled: single rows come with the next step." : "Waiting for the maps…");
      if (drawn === null) return;
      draw(drawn, side, theme);
      say(drawn, side.cursor);
    },
  };

  /** Drawn after the cells: it describes what they show. @type {PageView} */
  const around = {
    reads: readStep,
    render({ hide }, theme) {
      if (drawn === null) return;
      const { step, own, watched } = drawn;
      const tokens = step.tokens.map((token, at) => ({ value: String(at), text: `weight on ${at} ${tokenInWords(token)}` }));
      const options = [{ value: STRONGEST, text: "each head's strongest key" }, ...tokens];
      watch.write([{ label: "", options }], watched === null ? STRONGEST : String(watched));
      const on = watched === null ? "that token" : `“${tokenInWords(step.tokens[watched])}”`;
      bar.render(`weight on ${on}`, theme.scale.css, TICKS);
      const isAtRest = own.filter((look) => look?.key === 0).length > own.length / 2;
      const left = hide === "none" && isAtRest ? SINK : LEFT_OUT[hide];
      const narrow = watched === null && hasWeights ? "Cells too narrow for words hold weights: point at a head to read its token." : "";
      const about = step.exact ? "" : "Weights are the overview's, good to .01.";
      setText(hint, [narrow, watched === null ? left : "", about, "Click a head to pin it there."].filter(Boolean).join(" "));
      writeTable();
    },
  };
  return { root, views: [cells, around] };
}
