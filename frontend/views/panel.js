// One pinned head: title, heatmap or lines, and its own numbers for the focus all panels share.
// It must not know the other panels; it reads the state and calls actions.

import { element, setText } from "../dom.js";
import { headName, labelsOf, weightText } from "../labels.js";
import { focusedLinks, strongestLinks } from "../links.js";
import { Memo } from "../memo.js";
import { linkRule, percent, readout, shownShare } from "../readout.js";
import { activeFilter, allowedBy, headMap, shownFocus } from "../selectors.js";
import { weightOfCode } from "../wire.js";
import { ARROW_STEPS } from "./arrow_steps.js";
import { HeadCard } from "./head_card.js";
import { drawHeatmap, heatmapHit, paintPicture } from "./heatmap.js";
import { drawLines, linesHit } from "./lines.js";
import { visibleTokens } from "./paper.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../store.js").Actions} Actions */
/** @typedef {import("../permalink.js").Pin} Pin */
/** @typedef {import("../permalink.js").Focus} Focus */
/** @typedef {import("../permalink.js").Mode} Mode */
/** @typedef {import("../selectors.js").HeadMap} HeadMap */
/** @typedef {import("../api.js").Filter} Filter */
/** @typedef {import("./heatmap.js").Drawing} Drawing */
/** @typedef {import("./paper.js").Paper} Paper */

/** @type {[Mode, string][]} */
const MODES = [
  ["heatmap", "Heatmap"],
  ["lines", "Lines"],
];

export class Panel {
  /** @type {((x: number, y: number) => Focus | null) | null} */
  #hit = null;
  /** The head's painted cells. @type {Memo<HTMLCanvasElement>} */
  #picture = new Memo();
  /** Its strongest links. @type {Memo<ReturnType<typeof strongestLinks>>} */
  #links = new Memo();
  /** The share of its weight that the filter shows. @type {Memo<number>} */
  #share = new Memo();

  /**
   * @param {Pin} pin
   * @param {Actions} actions
   * @param {boolean} isFirst whether what is known of the head stands open
   */
  constructor(pin, actions, isFirst) {
    this.cell = { layer: pin.layer, head: pin.head };
    this.actions = actions;
    const name = headName(pin.layer, pin.head);
    this.number = element("span", { class: "pin-number", "aria-hidden": "true" });
    this.modes = MODES.map(([mode, label]) =>
      element("button", { type: "button", "data-mode": mode, onclick: () => actions.setMode(mode, this.cell) }, label),
    );
    this.canvas = element("canvas", { tabindex: 0, role: "img" });
    this.waiting = element("p", { class: "panel-waiting" });
    this.readout = element("p", { class: "readout" });
    this.note = element("p", { class: "note" });
    this.card = new HeadCard(this.cell, actions, isFirst);
    this.root = element(
      "article",
      { class: "panel", "data-layer": pin.layer, "data-head": pin.head, "aria-label": `Head ${name}` },
      element(
        "header",
        { class: "panel-head" },
        this.number,
        element("h3", {}, name),
        element("div", { class: "segmented", role: "group", "aria-label": `View of ${name}` }, ...this.modes),
        element(
          "button",
          {
            type: "button",
            class: "icon",
            "aria-label": `Unpin ${name}`,
            title: "Unpin",
            onclick: () => actions.togglePin(this.cell),
          },
          "×",
        ),
      ),
      this.readout,
      element("div", { class: "panel-canvas" }, this.canvas, this.waiting),
      this.note,
      this.card.root,
    );
    this.#listen();
  }

  #listen() {
    const focusAt = (/** @type {MouseEvent} */ event) => {
      const box = this.canvas.getBoundingClientRect();
      return this.#hit?.(event.clientX - box.left, event.clientY - box.top) ?? null;
    };
    this.canvas.addEventListener("pointermove", (event) => this.actions.hover(focusAt(event)));
    this.canvas.addEventListener("pointerleave", () => this.actions.hover(null));
    this.canvas.addEventListener("click", (event) => {
      const focus = focusAt(event);
      if (focus) this.actions.toggleLock(focus);
    });
    this.canvas.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {KeyboardEvent} event arrows walk over the tokens, Enter and Space lock */
  #onKey(event) {
    const step = ARROW_STEPS[event.key];
    if (step) this.actions.moveFocus(...step);
    else if (event.key === "Enter" || event.key === " ") this.actions.lockFocus();
    else return;
    event.preventDefault();
  }

  /** How wide the picture may be, in CSS pixels. */
  room() {
    return Math.floor(/** @type {HTMLElement} */ (this.canvas.parentElement).clientWidth);
  }

  /**
   * @param {State} state
   * @param {Pin} pin
   * @param {{number: number, width: number}} place its number among the panels, from 1, and its room
   * @param {Paper} paper
   */
  render(state, pin, { number, width }, paper) {
    setText(this.number, String(number));
    for (const button of this.modes) button.setAttribute("aria-pressed", String(button.dataset.mode === pin.mode));
    this.root.dataset.mode = pin.mode;
    this.card.render(state, width);
    const map = state.analysis && headMap(state.analysis, pin.layer, pin.head);
    const isPooledLines = pin.mode === "lines" && map !== null && map.block > 1;
    this.root.dataset.exact = String(map !== null && map.weights !== null);
    const refused = state.refused.get(`${pin.layer}.${pin.head}`);
    const wait = refused ? `No exact values: ${refused}` : map === null || isPooledLines ? missing(state) : "";
    setText(this.waiting, wait);
    this.waiting.hidden = wait === "";
    this.canvas.hidden = map === null || isPooledLines;
    if (map === null || state.analysis === null || isPooledLines) {
      this.#hit = null;
      this.readout.replaceChildren();
      setText(this.note, "");
      return;
    }
    this.#draw(state, map, pin.mode, width, paper);
    this.#say(state, map);
  }

  /**
   * @param {State} state
   * @param {HeadMap} map
   * @param {Mode} mode
   * @param {number} width
   * @param {Paper} paper
   */
  #draw(state, map, mode, width, paper) {
    const { tokens } = /** @type {NonNullable<State["analysis"]>} */ (state.analysis);
    const filter = activeFilter(state);
    const allowed = allowedBy(filter, tokens);
    const focus = shownFocus(state);
    const labels = labelsOf(tokens);
    const drawing = {
      map,
      labels,
      focus,
      allowed,
      width,
      locked: state.lock !== null,
      palette: paper.palette,
      table: paper.scale.table,
      css: paper.scale.css,
      visible: visibleTokens(filter, tokens, map.rows, map.block, paper),
    };
    const rule = mode === "heatmap" ? this.#drawHeatmap(drawing, filter, paper) : this.#drawLines(drawing, filter);
    const share = filter && this.#share.get([map.codes, filter], () => shownShare(map, allowed));
    setText(this.note, share === null ? rule : `${percent(share)} of this head's weight is shown. ${rule}`);
    const name = headName(this.cell.layer, this.cell.head);
    this.canvas.setAttribute("aria-label", `${name} as ${mode}; arrow keys move over the tokens, Enter locks`);
  }

  /**
   * @param {Drawing} drawing
   * @param {Filter | null} filter
   * @param {Paper} paper
   * @returns {string} what is to be said about the choice of links
   */
  #drawHeatmap(drawing, filter, paper) {
    const geometry = drawHeatmap(this.canvas, drawing, (width, height) =>
      this.#picture.get([drawing.map.codes, filter, paper, width, height], () => paintPicture(width, height, drawing)),
    );
    this.#hit = (x, y) => heatmapHit(geometry, x, y);
    return "";
  }

  /**
   * @param {Drawing} drawing
   * @param {Filter | null} filter
   * @returns {string} what is to be said about the choice of links
   */
  #drawLines(drawing, filter) {
    const { map, focus, allowed } = drawing;
    const weights = map.weights ?? Array.from(map.codes, weightOfCode);
    const pattern = { weights, n_queries: map.n_queries, n_keys: map.n_keys };
    const strongest = this.#links.get([map.codes, filter], () => strongestLinks(pattern, allowed));
    const links = focus ? focusedLinks(pattern, focus, allowed) : strongest.links;
    const geometry = drawLines(this.canvas, drawing, links);
    this.#hit = (x, y) => linesHit(geometry, x, y);
    return focus ? "All links of the focused token." : linkRule(strongest, filter !== null);
  }

  /**
   * @param {State} state
   * @param {HeadMap} map
   */
  #say(state, map) {
    const { tokens } = /** @type {NonNullable<State["analysis"]>} */ (state.analysis);
    const focus = shownFocus(state);
    if (focus === null) {
      for (const name of ["value", "query", "key"]) delete this.readout.dataset[name];
      this.readout.replaceChildren(element("span", { class: "quiet" }, "Point at a token for its weights."));
      return;
    }
    const said = readout(map, tokens, focus, allowedBy(activeFilter(state), tokens));
    Object.assign(this.readout.dataset, { query: focus.query ?? "", key: focus.key ?? "", value: said.entries[0]?.weight ?? 0 });
    const entries = said.entries.map((entry) =>
      element(
        "span",
        { class: "entry" },
        element("bdi", {}, entry.label),
        " ",
        element("b", {}, `${said.exact ? "" : "≈ "}${weightText(entry.weight)}`),
      ),
    );
    this.readout.replaceChildren(
      ...(state.lock ? [element("span", { class: "lock", title: "Locked; Escape releases" }, "locked")] : []),
      element("bdi", { class: "lead" }, said.lead),
      " ",
      ...(entries.length > 0 ? entries : [element("span", { class: "quiet" }, "nothing shown")]),
    );
  }
}

/** @param {State} state why a panel has nothing to draw */
function missing({ run }) {
  return run.phase === "failed" ? "Nothing to show for this text." : "Waiting for its values…";
}
