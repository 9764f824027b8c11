// What the colours and letters of the grid mean. It must not know how cells are painted.

import { byId, drawingContext, element, setText, withCode } from "../dom.js";
import { chosenQuantity, partOf, shortNames } from "../measures.js";
import { atlasOnScreen, atlasProblem, groupsOf, rolesByHead } from "../roles.js";
import { badge } from "./badges.js";

/** @typedef {import("../state.js").State} State */
/** @typedef {import("../measures.js").Quantity} Quantity */
/** @typedef {import("./paper.js").Paper} Paper */

const WEIGHTS = [0, 0.01, 0.1, 0.25, 0.5, 1];
const OF_INTEREST = ["color_by", "weighted", "atlas", "metrics_catalogue", "analysis", "measured", "run", "model"];

export function createLegend() {
  const figure = byId("legend", HTMLElement);
  const bar = byId("legend-bar", HTMLElement);
  const scale = byId("legend-scale", HTMLCanvasElement);
  const ticks = byId("legend-ticks", HTMLElement);
  const classes = byId("legend-classes", HTMLElement);
  const title = byId("legend-title", HTMLElement);
  const badges = byId("grid-roles", HTMLElement);
  /** @type {Paper | null} */
  let drawnWith = null;

  /** @param {Paper} paper */
  function drawScale(paper) {
    if (paper === drawnWith) return;
    drawnWith = paper;
    const { css } = paper.scale;
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

  /** @param {Quantity | null} quantity */
  function describe(quantity) {
    bar.hidden = quantity?.classes != null;
    ticks.hidden = bar.hidden;
    classes.hidden = !bar.hidden;
    if (quantity === null) {
      writeTicks(WEIGHTS.map((weight) => ({ part: Math.sqrt(weight), text: String(weight) })));
      setText(title, "attention weight, square-root scale");
      return;
    }
    const missing = quantity.values.some((value) => value === null) && quantity.n === 0 ? "; hatched: not exercised" : "";
    const unit = quantity.unit === "" || quantity.classes ? "" : ` (${quantity.unit})`;
    setText(title, `${quantity.label}${unit} ${quantity.where}${missing}`);
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
     * @param {State} state
     * @param {Set<string>} changed
     * @param {Paper} paper
     */
    render(state, changed, paper) {
      drawScale(paper);
      if (!OF_INTEREST.some((key) => changed.has(key))) return;
      const quantity = chosenQuantity(state);
      figure.hidden = state.color_by === "role" && atlasOnScreen(state) !== null;
      describe(quantity);
      describeRoles(state);
    },
  };
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
