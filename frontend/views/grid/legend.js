// What the colours and letters of the grid mean. It must not know how cells are painted.

import { awaitsComparison, headsSide, shownSide } from "../../compare/grid_side.js";
import { CHANGE, chosenQuantity, partOf, shortNames } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem, groupsOf, rolesByHead } from "../../heads/roles.js";
import { legendTicks, scaleWords } from "../../maps/scales.js";
import { byId, drawingContext, element, setText, withCode } from "../../page/dom.js";
import { isWeighted } from "../../state/selectors.js";
import { seenFrom } from "../../state/side.js";
import { badge } from "../heads/badges.js";

/** @typedef {import("../../state/state.js").State} State */
/** @typedef {import("../../heads/measures.js").Quantity} Quantity */
/** @typedef {import("../paper.js").Paper} Paper */

const OF_INTEREST = ["color_by", "values", "scale", "range", "grid_side", "comparison", "atlas", "metrics_catalogue", "analysis", "measured", "run", "model", "against", "other"];

export function createLegend() {
  const figure = byId("legend", HTMLElement);
  const bar = byId("legend-bar", HTMLElement);
  const scale = byId("legend-scale", HTMLCanvasElement);
  const ticks = byId("legend-ticks", HTMLElement);
  const classes = byId("legend-classes", HTMLElement);
  const title = byId("legend-title", HTMLElement);
  const arms = element("div", { class: "legend-arms" }, element("span", {}, "← blue: B gives more"), element("span", {}, "orange: A gives more →"));
  ticks.after(arms);
  const badges = byId("grid-roles", HTMLElement);
  /** The colours on the bar. @type {string[] | null} */
  let drawnWith = null;
  /** Whether it speaks of what was learnt by comparing two sides. */
  let isOfBoth = false;

  /** @param {Paper} paper @param {boolean} isSigned */
  function drawScale(paper, isSigned) {
    const { css } = isSigned ? paper.diverging : paper.scale;
    if (css === drawnWith) return;
    drawnWith = css;
    scale.width = css.length;
    scale.height = 1;
    const context = drawingContext(scale);
    css.forEach((colour, step) => {
      context.fillStyle = colour;
      context.fillRect(step, 0, 1, 1);
    });
  }

  /** @param {{part: number, text: string}[]} places */
  function writeTicks(places) {
    const made = places.map(({ part, text }) => {
      const tick = element("span", {}, text);
      tick.style.left = `${100 * part}%`;
      return tick;
    });
    ticks.replaceChildren(...made);
  }

  /** @param {State} state @param {Quantity | null} quantity @param {import("../../state/view.js").GridSide | null} side null: there is one */
  function describe(state, quantity, side) {
    const isSigned = quantity === null && side === "difference";
    arms.hidden = !isSigned;
    bar.hidden = quantity?.classes != null;
    ticks.hidden = bar.hidden;
    classes.hidden = !bar.hidden;
    if (quantity === null) {
      const whose = side === null ? "" : side === "difference" ? "A − B: " : `${side.toUpperCase()}: `;
      writeTicks(ticksOf(state, isSigned));
      setText(title, `${whose}${isWeighted(state) ? "value-weighted " : ""}${scaleWords(state, isSigned)}`);
      return;
    }
    const missing = quantity.values.some((value) => value === null) && quantity.n === 0 ? "; hatched: not exercised" : "";
    const unit = quantity.unit === "" || quantity.classes ? "" : ` (${quantity.unit})`;
    const ofSide = side === null || state.color_by === CHANGE ? "" : `, ${state.seen_from.toUpperCase()}`;
    setText(title, `${quantity.label}${unit} ${quantity.where}${ofSide}${missing}`);
    title.title = quantity.meaning;
    if (quantity.classes) {
      const short = shortNames(quantity.classes);
      classes.replaceChildren(...quantity.classes.map((label, at) => sign(at, short[at], label, "")));
      return;
    }
    const { low, high } = quantity;
    const values = low < 0 ? [low, low / 2, 0, high / 2, high] : [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low));
    writeTicks(values.map((value) => ({ part: partOf(quantity, value), text: String(Number(value.toPrecision(3))) })));
  }

  /** @param {State} state */
  function describeRoles(state) {
    const record = atlasOnScreen(state);
    const problem = atlasProblem(state);
    badges.hidden = record === null && problem === null;
    if (record === null) {
      badges.replaceChildren(...(problem ? [element("p", { class: "hint" }, ...withCode(problem.message))] : []));
      return;
    }
    const found = new Set([...rolesByHead(record).values()].flatMap((roles) => groupsOf(roles).map(({ tone }) => tone)));
    const signs = record.groups.flatMap((group, at) =>
      found.has(at) ? [sign(at, group.letter, group.label, group.meaning)] : [],
    );
    const unassigned = record.model.n_layers * record.model.n_heads - rolesByHead(record).size;
    const notes = [element("span", { class: "quiet" }, `no letter: unassigned (${unassigned} heads)`)];
    if (record.revision_matches === false) {
      notes.push(element("p", { class: "hint" }, "These roles were measured on other weights than the ones loaded here."));
    }
    badges.replaceChildren(...signs, ...notes);
  }

  return {
    /**
     * @param {State} whole
     * @param {Set<string>} changed
     * @param {Paper} paper
     */
    render(whole, changed, paper) {
      const state = seenFrom(whole, { side: headsSide(whole), stack: 0 });
      // The grid keeps what it shows until both sides are compared anew, and so does what is said of it.
      if (isOfBoth && awaitsComparison(whole, state.seen_from)) return;
      const { side } = shownSide(whole);
      isOfBoth = whole.comparison !== null && (state.color_by === CHANGE || side === "difference");
      const quantity = chosenQuantity(state);
      drawScale(paper, quantity === null && side === "difference");
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      figure.hidden = state.color_by === "role" && atlasOnScreen(state) !== null;
      describe(state, quantity, whole.against === null ? null : side);
      describeRoles(state);
    },
  };
}

/**
 * What stands along the bar of the grid, whose maps have a top each where the range is their own.
 * @param {State} state
 * @param {boolean} isSigned
 */
export function ticksOf(state, isSigned) {
  if (state.scale === "rank" || state.range === "fixed") return legendTicks(state, 1, isSigned);
  if (!isSigned) return [{ part: 0, text: "0" }, { part: 1, text: "each map's largest" }];
  return [{ part: 0, text: "largest fall" }, { part: 0.5, text: "0" }, { part: 1, text: "largest rise" }];
}

/**
 * A letter on its colour with what it stands for.
 * @param {number} tone
 * @param {string} letter
 * @param {string} label
 * @param {string} meaning
 */
function sign(tone, letter, label, meaning) {
  return element(
    "span",
    { class: "sign", title: meaning || null },
    badge(tone, letter),
    label,
  );
}
