// What each head looks at from the position that predicts: a small grid of all heads, each with its strongest key, or
// coloured by the weight on one token.

import { lookInWords, shortWeight, strongestLook, watchedToken } from "../../generate/step_rows.js";
import { fitted, headName, tokenInWords } from "../../maps/labels.js";
import { legendTicks } from "../../maps/scales.js";
import { element, setText, sizeCanvas } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { codeOfWeight } from "../../requests/wire.js";
import { hasPin, oneHead } from "../../state/pins.js";
import { ARROW_STEPS } from "../../views/parts/arrow_steps.js";
import { ColorBar } from "../../views/parts/color_bar.js";
import { inkOn } from "../../drawing/grid_cells.js";
import { menu } from "../../views/parts/menu.js";

/** @typedef {import("../../generate/step_rows.js").Look} Look */
/** @typedef {import("../../generate/step_rows.js").Step} Step */

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

/**
 * Whether cells hold words: where too many would be cut, weights say more.
 * @param {number[]} widths of all words
 * @param {number} room of a cell
 */
export function holdWords(widths, room) {
  return widths.filter((width) => width <= room).length >= WHOLE_WORDS * widths.length;
}

export class StepHeads {
  /** @type {Step | null} */
  #step = null;
  /** @type {State | null} */
  #state = null;
  /** Each head's strongest look. @type {Memo<(Look | null)[]>} */
  #looks = new Memo();
  /** @type {{cell: number, height: number} | null} */
  #geometry = null;
  /** Where the arrow keys have gone since it was last drawn. @type {Cell | null} */
  #moved = null;
  /** Whether cells hold weights in place of words. */
  #hasWeights = false;

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.canvas = element("canvas", { tabindex: 0, role: "img", class: "step-grid" });
    this.readout = element("p", { class: "step-readout", role: "status" });
    this.watch = menu("step-watch", "Colour by", (value) => this.#watch(value));
    this.body = element("tbody");
    this.titles = element("tr", {});
    const table = element("table", { class: "detail-table" }, element("thead", {}, this.titles), this.body);
    const scroll = element("div", { class: "detail-scroll", tabindex: 0, role: "region", "aria-label": "All heads" }, table);
    this.table = element("details", { class: "detail-numbers" }, element("summary", {}, "As a table"), scroll);
    this.table.addEventListener("toggle", () => this.#writeTable());
    this.hint = element("p", { class: "hint" });
    this.bar = new ColorBar();
    const parts = [this.watch.field, this.readout, this.canvas, this.bar.root, this.hint, this.table];
    this.root = element("div", { class: "step-heads" }, ...parts);
    this.canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => actions.pointAt(this.#cellAt(offsetX, offsetY)));
    this.canvas.addEventListener("pointerleave", () => actions.pointAt(null));
    this.canvas.addEventListener("blur", () => actions.pointAt(null));
    this.canvas.addEventListener("click", ({ offsetX, offsetY }) => this.#pin(this.#cellAt(offsetX, offsetY)));
    this.canvas.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {string} value a token, or each head's strongest */
  #watch(value) {
    const queries = [this.#step?.position ?? 0];
    this.actions.look({ lock: value === STRONGEST ? null : { side: "a", queries, keys: [Number(value)] } });
  }

  /** @param {number} x @param {number} y @returns {Cell | null} */
  #cellAt(x, y) {
    if (this.#geometry === null || this.#step === null) return null;
    const { cell, height } = this.#geometry;
    const head = Math.floor((x - LEFT) / (cell + GAP));
    const layer = Math.floor((y - TOP) / (height + GAP));
    const isThere = head >= 0 && head < this.#step.n_heads && layer >= 0 && layer < this.#step.n_layers;
    return isThere ? { layer, head } : null;
  }

  /** @param {Cell | null} cell its map is pinned and read at the position that predicts */
  #pin(cell) {
    if (cell === null || this.#step === null || this.#state === null) return;
    const key = watchedToken(this.#state, this.#step);
    this.actions.pin(oneHead(cell));
    this.actions.look({ lock: { side: "a", queries: [this.#step.position], keys: key === null ? [] : [key] } });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const cursor = this.#moved ?? this.#cursor();
    const move = ARROW_STEPS[event.key];
    if (move && this.#step) {
      const { n_layers, n_heads } = this.#step;
      const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, at));
      const { layer, head } = cursor ?? { layer: -move[0], head: -move[1] };
      this.#moved = { layer: within(layer + move[0], n_layers), head: within(head + move[1], n_heads) };
      this.actions.pointAt(this.#moved);
    } else if (event.key === "Enter" || event.key === " ") this.#pin(cursor);
    else return;
    event.preventDefault();
  }

  /** @returns {Cell | null} */
  #cursor() {
    const cursor = this.#state?.cursor ?? null;
    return cursor?.side === "a" && cursor.stack === 0 ? cursor : null;
  }

  /** @returns {(Look | null)[]} */
  #all() {
    const [state, step] = [this.#state, this.#step];
    if (state === null || step === null) return [];
    return this.#looks.get([step.from, state.analysis, state.hide], () =>
      Array.from({ length: step.n_layers * step.n_heads }, (_, at) =>
        strongestLook(step, Math.floor(at / step.n_heads), at % step.n_heads, state.hide),
      ),
    );
  }

  /**
   * What a head looks at: the watched token, or its own strongest.
   * @param {number} at
   * @param {number | null} watched
   * @returns {Look | null}
   */
  #lookOf(at, watched) {
    const step = this.#step;
    if (watched === null || step === null) return this.#all()[at];
    const row = step.row(Math.floor(at / step.n_heads), at % step.n_heads);
    return row && { key: watched, weight: row[watched] };
  }

  /** @param {State} state @param {Step | null} step @param {number} width @param {Theme} theme */
  render(state, step, width, theme) {
    this.#state = state;
    this.#step = step;
    this.#moved = null;
    this.root.hidden = step === null;
    if (step === null) return;
    const watched = watchedToken(state, step);
    const tokens = step.tokens.map((token, at) => ({ value: String(at), text: `weight on ${at} ${tokenInWords(token)}` }));
    const options = [{ value: STRONGEST, text: "each head's strongest key" }, ...tokens];
    this.watch.write([{ label: "", options }], watched === null ? STRONGEST : String(watched));
    this.#draw(state, step, watched, width, theme);
    const on = watched === null ? "that token" : `“${tokenInWords(step.tokens[watched])}”`;
    this.bar.render(`weight on ${on}`, theme.scale.css, TICKS);
    this.#say(step, watched);
    this.#writeTable();
    setText(this.hint, this.#hintOf(state, step, watched));
  }

  /** @param {State} state @param {Step} step @param {number | null} watched */
  #hintOf({ hide }, { exact }, watched) {
    const isAtRest = this.#all().filter((look) => look?.key === 0).length > this.#all().length / 2;
    const left = hide === "none" && isAtRest ? SINK : LEFT_OUT[hide];
    const about = exact ? "" : "Weights are the overview's, good to .01.";
    const words = watched === null && this.#hasWeights ? "Cells too narrow for words hold weights: point at a head to read its token." : "";
    return [words, watched === null ? left : "", about, "Click a head to pin it there."].filter(Boolean).join(" ");
  }

  /** @param {Step} step @param {number | null} watched */
  #say(step, watched) {
    const cursor = this.#cursor();
    const at = cursor && cursor.layer * step.n_heads + cursor.head;
    const look = at === null ? null : this.#lookOf(at, watched);
    const own = at === null || watched === null ? null : this.#all()[at];
    const more = own && own.key !== watched ? `, most ${lookInWords(step, own)}` : "";
    const from = `From “${tokenInWords(step.tokens[step.position])}”: point at a head`;
    const said = cursor && look ? `${headName(cursor.layer, cursor.head)} ${lookInWords(step, look)}${more}` : from;
    setText(this.readout, said);
    const what = watched === null ? "each head's strongest key" : `the weight of each head on “${tokenInWords(step.tokens[watched])}”`;
    const shape = `Grid of ${step.n_layers} layers and ${step.n_heads} heads`;
    this.canvas.setAttribute("aria-label", `${shape}: ${what}. Arrow keys move, Enter pins. ${cursor ? said : ""}`);
  }

  /** @param {State} state @param {Step} step @param {number | null} watched @param {number} width @param {Theme} theme */
  #draw(state, step, watched, width, { palette, scale }) {
    const { n_layers, n_heads, tokens } = step;
    const height = n_layers > MANY ? LOW : TALL;
    const cell = Math.min(WIDEST, Math.floor((width - LEFT) / n_heads) - GAP);
    this.#geometry = { cell, height };
    const context = sizeCanvas(this.canvas, LEFT + n_heads * (cell + GAP), TOP + n_layers * (height + GAP));
    const box = (/** @type {number} */ at) => ({
      x: LEFT + (at % n_heads) * (cell + GAP),
      y: TOP + Math.floor(at / n_heads) * (height + GAP),
    });
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.font = `${height - 5}px ${palette.font}`;
    const widths = this.#all().flatMap((look) => (look ? [context.measureText(tokens[look.key].text).width] : []));
    this.#hasWeights = watched !== null || !holdWords(widths, cell - 4);
    for (let at = 0; at < n_layers * n_heads; at += 1) {
      const { x, y } = box(at);
      const look = this.#lookOf(at, watched);
      const colour = look ? scale.css[codeOfWeight(look.weight)] : palette.outside;
      context.fillStyle = colour;
      context.fillRect(x, y, cell, height);
      if (!look || cell < ROOM_FOR_TEXT) continue;
      context.fillStyle = inkOn(colour);
      const text = this.#hasWeights ? shortWeight(look.weight) : tokens[look.key].text;
      context.fillText(fitted(context, text, cell - 4), x + cell / 2, y + height / 2 + 0.5);
    }
    context.fillStyle = palette.muted;
    context.font = `11px ${palette.font}`;
    for (let head = 0; head < n_heads; head += 1) context.fillText(`H${head}`, box(head).x + cell / 2, 8);
    context.textAlign = "right";
    for (let layer = 0; layer < n_layers; layer += 1) context.fillText(`L${layer}`, LEFT - 5, box(layer * n_heads).y + height / 2);
    const cursor = this.#cursor();
    for (let at = 0; at < n_layers * n_heads; at += 1) {
      const place = { layer: Math.floor(at / n_heads), head: at % n_heads };
      const isThere = cursor?.layer === place.layer && cursor.head === place.head;
      if (!isThere && !hasPin(state.pins, place)) continue;
      const { x, y } = box(at);
      context.lineWidth = 2;
      context.strokeStyle = isThere ? palette.ink : palette.accent;
      context.strokeRect(x, y, cell, height);
    }
  }

  /** As many rows as heads: made only for who wants to read them. */
  #writeTable() {
    const [state, step] = [this.#state, this.#step];
    if (!this.table.open || state === null || step === null) return;
    const watched = watchedToken(state, step);
    const title = watched === null ? [] : [`Weight on ${tokenInWords(step.tokens[watched])}`];
    this.titles.replaceChildren(...["Head", "Strongest key", "Weight", ...title].map((text) => element("th", { scope: "col" }, text)));
    this.body.replaceChildren(
      ...this.#all().map((look, at) => {
        const own = look ? [tokenInWords(step.tokens[look.key]), look.weight.toFixed(3)] : ["–", "–"];
        const on = watched === null ? [] : [this.#lookOf(at, watched)?.weight.toFixed(3) ?? "–"];
        const name = headName(Math.floor(at / step.n_heads), at % step.n_heads);
        return element("tr", {}, element("th", { scope: "row" }, name), ...[...own, ...on].map((text) => element("td", {}, text)));
      }),
    );
  }
}
