// What the colours and letters of the grid mean.

import { awaitsComparison, headsSide, shownSide } from "../../heads/grid_side.js";
import { CHANGE, chosenQuantity, partOf, shortNames } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem, groupsOf, roleCountWords, rolesByHead } from "../../heads/roles.js";
import { legendTicks, scaleWords } from "../../maps/scales.js";
import { byId, element, setText, withCode } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { isWeighted } from "../../state/selectors.js";
import { seenFrom } from "../../state/side.js";
import { badge } from "../parts/badges.js";
import { MeasureButton } from "../build/measure_button.js";
import { armWords, drawColours, writeTicks } from "../parts/color_bar.js";

const OF_INTEREST = ["color_by", "values", "scale", "range", "grid_side", "comparison", "atlas", "metrics_catalogue", "analysis", "measured", "run", "model", "models", "against", "other", "build"];

export const OTHER_WEIGHTS = "These roles were measured on other weights than the ones loaded here.";

/** @param {Actions} actions */
export function createLegend(actions) {
  const figure = byId("legend", HTMLElement);
  const bar = byId("legend-bar", HTMLElement);
  const scale = byId("legend-scale", HTMLCanvasElement);
  const ticks = byId("legend-ticks", HTMLElement);
  const classes = byId("legend-classes", HTMLElement);
  const title = byId("legend-title", HTMLElement);
  const arms = armWords();
  ticks.after(arms);
  const badges = byId("grid-roles", HTMLElement);
  const measure = new MeasureButton(actions);
  const written = new Memo();
  /** The colours on the bar. @type {string[] | null} */
  let drawnWith = null;
  /** Whether it speaks of what was learnt by comparing two sides. */
  let isOfBoth = false;

  /** @param {Theme} theme @param {boolean} isSigned */
  function drawScale(theme, isSigned) {
    const { css } = isSigned ? theme.diverging : theme.scale;
    if (css === drawnWith) return;
    drawnWith = css;
    drawColours(scale, css);
  }

  /** @param {State} state @param {Quantity | null} quantity @param {GridSide | null} side null: there is one */
  function describe(state, quantity, side) {
    const isSigned = quantity === null && side === "difference";
    arms.hidden = !isSigned;
    bar.hidden = quantity?.classes != null;
    ticks.hidden = bar.hidden;
    classes.hidden = !bar.hidden;
    title.title = quantity?.meaning ?? "";
    if (quantity === null) {
      const whose = side === null ? "" : side === "difference" ? "A − B: " : `${side.toUpperCase()}: `;
      writeTicks(ticks, ticksOf(state, isSigned));
      setText(title, `${whose}${isWeighted(state) ? "value-weighted " : ""}${scaleWords(state, isSigned)}`);
      return;
    }
    setText(title, quantityWords(state, quantity));
    if (quantity.classes) {
      const short = shortNames(quantity.classes);
      classes.replaceChildren(...quantity.classes.map((label, at) => sign(at, short[at], label, "")));
      return;
    }
    writeTicks(ticks, quantityTicks(quantity));
  }

  /** @param {State} state */
  function describeRoles(state) {
    // Letters stand on maps: where no answer has come there are none to explain.
    const record = state.analysis === null ? null : atlasOnScreen(state);
    const problem = atlasProblem(state);
    const isByRole = state.color_by === "role";
    badges.hidden = record === null && problem === null;
    measure.render(state);
    written.get([record, problem, isByRole], () => {
      const said = problem ? [element("p", { class: "hint" }, ...withCode(problem.message)), measure.root] : [];
      badges.replaceChildren(...(record ? roleLegend(record, isByRole, measure.root) : said));
    });
  }

  return {
    /**
     * @param {State} whole
     * @param {Set<string>} changed
     * @param {Theme} theme
     */
    render(whole, changed, theme) {
      const state = seenFrom(whole, { side: headsSide(whole), stack: 0 });
      // The grid keeps what it shows until both sides are compared anew, and so does what is said of it.
      if (isOfBoth && awaitsComparison(whole, state.seen_from)) return;
      const { side } = shownSide(whole);
      isOfBoth = whole.comparison !== null && (state.color_by === CHANGE || side === "difference");
      const quantity = chosenQuantity(state);
      drawScale(theme, quantity === null && side === "difference");
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
 * What cells that are coloured by a quantity show.
 * @param {State} state seen from the side whose heads they are
 * @param {Quantity} quantity
 */
export function quantityWords(state, quantity) {
  const missing = quantity.values.some((value) => value === null) && quantity.n === 0 ? "; hatched: not exercised" : "";
  const unit = quantity.unit === "" || quantity.classes ? "" : ` (${quantity.unit})`;
  const ofSide = state.against === null || state.color_by === CHANGE ? "" : `, ${state.seen_from.toUpperCase()}`;
  return `${quantity.label}${unit} ${quantity.where}${ofSide}${missing}`;
}

/** @param {Quantity} quantity what stands along its bar */
export function quantityTicks(quantity) {
  const { low, high } = quantity;
  const values = low < 0 ? [low, low / 2, 0, high / 2, high] : [0, 0.25, 0.5, 0.75, 1].map((part) => low + part * (high - low));
  return values.map((value) => ({ part: partOf(quantity, value), text: String(Number(value.toPrecision(3))) }));
}

/** @param {import("../../heads/atlas.js").Atlas} record the groups that some head of the model has, with their tones */
export function foundGroups(record) {
  const found = new Set([...rolesByHead(record).values()].flatMap((roles) => groupsOf(roles).map(({ tone }) => tone)));
  return record.groups.flatMap((group, tone) => (found.has(tone) ? [{ tone, group }] : []));
}

/** @param {import("../../heads/atlas.js").Atlas} record @param {string} [sign] what a head without a role has, or lacks */
export function unassignedWords(record, sign = "no letter") {
  return `${sign}: unassigned (${record.model.n_layers * record.model.n_heads - rolesByHead(record).size} heads)`;
}

/**
 * What the letters mean, how many heads have one, and whether they are of these weights.
 * @param {import("../../heads/atlas.js").Atlas} record
 * @param {boolean} isByRole
 * @param {HTMLElement} measure the way to measure these weights
 */
function roleLegend(record, isByRole, measure) {
  const signs = foundGroups(record).map(({ tone, group }) => sign(tone, group.letter, group.label, group.meaning));
  const counted = element("p", { class: "role-count quiet" }, `${roleCountWords(record)}.`);
  const others = record.revision_matches === false ? [element("p", { class: "hint" }, OTHER_WEIGHTS), measure] : [];
  return [...signs, ...(isByRole ? roleNotes(record) : badgeNotes(record)), counted, ...others];
}

/** @param {import("../../heads/atlas.js").Atlas} record where cells are coloured by role */
function roleNotes(record) {
  const hatched = element("i", { class: "badge hatched", "aria-hidden": "true" });
  return [
    element("span", { class: "sign quiet" }, hatched, unassignedWords(record, "hatched")),
    element("span", { class: "quiet" }, "several letters: several roles, colour of the first"),
  ];
}

/** @param {import("../../heads/atlas.js").Atlas} record where letters stand on cells, or dots on small ones: the style sheet knows */
function badgeNotes(record) {
  return [
    element("span", { class: "quiet with-letters" }, unassignedWords(record)),
    element("span", { class: "quiet with-dots" }, unassignedWords(record, "dots have the colours of these letters; no dot")),
  ];
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
