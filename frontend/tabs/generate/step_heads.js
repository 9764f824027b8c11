// What heads attend to from the position that predicts: the tokens all of them attend to, and a small grid of the heads,
// each coloured by its strongest token apart from sinks, or by its weight on a chosen one.

import { next } from "../../generate/next.js";
import { isPooled, lookInWords, onSinks, sharesOf, shortWeight, stepOf, strongestLook, watchedToken } from "../../generate/step_rows.js";
import { legendTicks } from "../../maps/scales.js";
import { isSink } from "../../maps/sinks.js";
import { element, setText } from "../../page/dom.js";
import { headName, placedToken } from "../../page/labels.js";
import { Memo } from "../../page/memo.js";
import { oneHead } from "../../state/pins.js";
import { isStale } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { ColorBar } from "../../views/parts/color_bar.js";
import { term } from "../../views/parts/term.js";
import { createStepGrid } from "./step_grid.js";
import { createStepTable } from "./step_table.js";
import { createStepTokens, shareText } from "./step_tokens.js";

/** @typedef {import("../../generate/step_rows.js").Attended} Attended */
/** @typedef {import("../../generate/step_rows.js").GenerationStep} GenerationStep */
/** @typedef {import("../../generate/step_rows.js").TokenShare} TokenShare */

const TICKS = legendTicks({ scale: "sqrt" }, 1, false);
/** @type {Record<State["hide"], string>} */
const LEFT_OUT = {
  none: "",
  special: "Special tokens are left out, as chosen under View.",
  first: "The first token is left out, as chosen under View.",
  both: "Special tokens and the first token are left out, as chosen under View.",
};

/** @param {State} state what the rows of the heads depend on */
function readStep(state) {
  const side = onSide(state, "a");
  const { analysis, run, lock, hover, hide, sinks } = side;
  return [analysis, run.layers, isStale(side), state.writing, next.of(state)?.answer, lock, hover, hide, sinks];
}

/**
 * What is drawn of each head.
 * @typedef {object} Drawn
 * @property {GenerationStep} step
 * @property {(Attended | null)[]} own each head's strongest token
 * @property {(Attended | null)[]} looks what is shown of it: its weight on the watched token, else its strongest token
 * @property {TokenShare[]} shares of all heads together, in the order of the text
 * @property {number | null} watched
 * @property {(key: number) => boolean} isDim whether a token is a sink that is dimmed
 */

/** @param {Store} store @returns {{tokens: HTMLElement, heads: HTMLElement, foot: HTMLElement, waiting: HTMLElement, views: PageView[]}} */
export function createStepHeads(store) {
  const { actions } = store;
  /** @type {Drawn | null} */
  let drawn = null;
  /** @type {Theme | null} */
  let painted = null;
  /** @type {Memo<{own: (Attended | null)[], shares: TokenShare[]}>} */
  const known = new Memo();

  const focusOn = (/** @type {number} */ key) => ({ side: /** @type {Side} */ ("a"), queries: [drawn?.step.position ?? 0], keys: [key] });
  const tokens = createStepTokens(
    (key) => actions.hover(key === null ? null : focusOn(key)),
    (key) => actions.setView({ lock: isLockedOn(store.state, key) ? null : focusOn(key) }),
  );
  const grid = createStepGrid({
    point: (cell) => actions.pointAt(cell),
    pin(cell) {
      if (drawn === null) return;
      actions.pin(oneHead(cell));
      actions.setView({ lock: { side: "a", queries: [drawn.step.position], keys: drawn.watched === null ? [] : [drawn.watched] } });
    },
    cursor: () => onSide(store.state, "a").cursor,
    redraw: () => drawn && painted && grid.draw(drawn, onSide(store.state, "a"), painted),
  });
  const table = createStepTable();
  const readout = element("p", { class: "step-readout", role: "status" });
  const source = element("span");
  const dimWords = element("span", {}, "; ", term("sink", "sinks"), " dimmed");
  const about = element("p", { class: "quiet" }, source, ", mean of all heads", dimWords, ".");
  const hint = element("p", { class: "hint" });
  const bar = new ColorBar();
  const waiting = element("p", { class: "panel-waiting" });
  const tokensPart = element("section", { class: "generate-part step-tokens" }, element("h2", {}, "What heads attend to"), about, tokens.list);
  const headsPart = element("section", { class: "generate-part step-heads" }, element("h2", {}, "Head by head"), readout, grid.box, bar.root);
  const foot = element("div", { class: "step-foot" }, hint, table.root);

  /** @param {State} state @returns {Drawn | null} */
  function drawnOf(state) {
    const step = stepOf(state);
    if (step === null) return null;
    const { hide, sinks } = state;
    const isDim = (/** @type {number} */ key) => sinks === "dim" && isSink(step.tokens[key], key);
    const { from, n_layers, n_heads } = step;
    const ofEachHead = (/** @type {(layer: number, head: number) => Attended | null} */ lookOf) =>
      Array.from({ length: n_layers * n_heads }, (_, at) => lookOf(Math.floor(at / n_heads), at % n_heads));
    const { own, shares } = known.get([from, state.sides.a.analysis, hide, sinks], () => ({
      own: ofEachHead((layer, head) => strongestLook(step, layer, head, { hide, sinks })),
      shares: sharesOf(step),
    }));
    const watched = watchedToken(state, step);
    if (watched === null) return { step, own, looks: own, shares, watched, isDim };
    const looks = ofEachHead((layer, head) => {
      const row = step.row(layer, head);
      return row && { key: watched, weight: row[watched] };
    });
    return { step, own, looks, shares, watched, isDim };
  }

  /** @param {Drawn} shown @param {Cell | null} cursor */
  function say(shown, cursor) {
    const { step, watched } = shown;
    const said = cursor === null ? tokenInFull(shown) : headInFull(shown, cursor);
    setText(readout, said || "Point at a head, or at a token.");
    const what = watched === null ? "each head's strongest token" : `the weight of each head on “${placedToken(step.tokens[watched], watched)}”`;
    const shape = `Grid of ${step.n_layers} layers and ${step.n_heads} heads`;
    grid.canvas.setAttribute("aria-label", `${shape}: ${what}. Arrow keys move, Enter pins. ${cursor ? said : ""}`);
  }

  /** @type {PageView} */
  const cells = {
    reads: (state, theme) => [theme, ...readStep(state), state.pins, onSide(state, "a").cursor],
    render(state, theme) {
      const side = onSide(state, "a");
      drawn = drawnOf(state);
      painted = theme;
      tokensPart.hidden = headsPart.hidden = foot.hidden = drawn === null;
      waiting.hidden = drawn !== null;
      const isLong = side.analysis !== null && !isStale(side) && isPooled(side.analysis);
      setText(waiting, isLong ? "Maps of texts this long are pooled: single rows come with the next step." : "Waiting for the maps…");
      if (drawn === null) return;
      grid.draw(drawn, side, theme);
      say(drawn, side.cursor);
    },
  };

  /** Drawn after the cells: it describes what they show. @type {PageView} */
  const around = {
    reads: (state, theme) => [theme, ...readStep(state)],
    render(state, theme) {
      if (drawn === null) return;
      const { step, watched } = drawn;
      dimWords.hidden = state.sinks !== "dim";
      setText(source, `From “${placedToken(step.tokens[step.position], step.position)}”`);
      tokens.render(drawn, watched !== null && isLockedOn(state, watched));
      bar.render(watched === null ? (state.sinks === "dim" ? "weight, sinks left out" : "weight on the strongest token") : `weight on “${placedToken(step.tokens[watched], watched)}”`, theme.scale.css, TICKS);
      const rough = step.exact ? "" : "Weights of single heads are accurate to 0.01.";
      setText(hint, ["Click a token to colour the heads by it, a head to pin it.", rough, LEFT_OUT[state.hide]].filter(Boolean).join(" "));
      table.render(drawn);
    },
  };
  return { tokens: tokensPart, heads: headsPart, foot, waiting, views: [cells, around] };
}

/** Whether a click has chosen a token. @param {State} state @param {number} key */
function isLockedOn({ lock }, key) {
  return lock?.side === "a" && (lock.keys.length > 0 ? lock.keys[0] === key : lock.queries[0] === key);
}

/** @param {Drawn} shown @param {Cell} cell one head in words */
function headInFull({ step, own, looks, watched, isDim }, { layer, head }) {
  const at = layer * step.n_heads + head;
  const [look, most] = [looks[at], own[at]];
  if (!look) return "";
  const more = most && watched !== null && most.key !== watched ? `, most ${lookInWords(step, most)}` : "";
  const resting = isDim(0) && !isDim(look.key) ? ` · sinks ${shortWeight(onSinks(step, layer, head) ?? 0)}` : "";
  return `${headName(layer, head)} ${lookInWords(step, look)}${more}${resting}`;
}

/** @param {Drawn} shown the watched token in words; "": there is none */
function tokenInFull({ step, shares, watched }) {
  const one = watched === null ? undefined : shares[watched];
  if (!one) return "";
  const { key, share, layer, head, weight } = one;
  return `${placedToken(step.tokens[key], key)}: ${shareText(share)} of all heads, most from ${headName(layer, head)} ${shortWeight(weight)}`;
}
