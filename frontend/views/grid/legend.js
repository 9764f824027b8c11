// What the colours and letters of the grid mean.

import { atlas } from "../../heads/atlas.js";
import { comparison } from "../../compare/comparison.js";
import { isByRole } from "../../heads/cells.js";
import { awaitsComparison, headsOnScreen, isOfBoth, shownSide } from "../../heads/grid_side.js";
import { OTHER_WEIGHTS, foundGroups, quantityTicks, quantityWords, ticksOf, unassignedWords } from "../../heads/legend_words.js";
import { chosenQuantity, shortNames } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem, roleCountWords } from "../../heads/roles.js";
import { scaleWords } from "../../maps/scales.js";
import { byId, element, setText, withCode } from "../../page/dom.js";
import { isWeighted } from "../../state/selectors.js";
import { MeasureButton } from "../build/measure_button.js";
import { pageView } from "../draw_views.js";
import { badge } from "../parts/badges.js";
import { ColorScale, armWords } from "../parts/color_bar.js";

/** @param {Actions} actions @returns {PageView[]} */
export function createLegend(actions) {
  return [scaleLegend(), ...roleLegend(actions)];
}

/** @returns {PageView} what the colours of cells are */
function scaleLegend() {
  const figure = byId("legend", HTMLElement);
  const bar = byId("legend-bar", HTMLElement);
  const ticks = byId("legend-ticks", HTMLElement);
  const classes = byId("legend-classes", HTMLElement);
  const title = byId("legend-title", HTMLElement);
  const scale = new ColorScale(title, byId("legend-scale", HTMLCanvasElement), ticks);
  const arms = armWords();
  ticks.after(arms);
  /** Whether it shows what was learnt by comparing two sides. */
  let isShownOfBoth = false;

  return {
    reads(state) {
      const seen = headsOnScreen(state);
      // The grid keeps what it shows until both sides are compared again, and so does its legend.
      if (isShownOfBoth && awaitsComparison(state, seen.side)) return null;
      const { scale: chosen, range, values, sides } = state;
      return [chosenQuantity(seen), shownSide(state).side, isByRole(seen), comparison.of(state), chosen, range, values, sides.b === null];
    },
    render(state, theme) {
      const seen = headsOnScreen(state);
      const { side } = shownSide(state);
      const isSigned = side === "difference";
      isShownOfBoth = isOfBoth(state);
      const quantity = chosenQuantity(seen);
      const names = quantity?.classes ?? null;
      figure.hidden = isByRole(seen);
      arms.hidden = quantity !== null || !isSigned;
      bar.hidden = ticks.hidden = names !== null;
      classes.hidden = names === null;
      title.title = quantity?.meaning ?? "";
      if (quantity === null) {
        const whose = state.sides.b === null ? "" : isSigned ? "A − B: " : `${side.toUpperCase()}: `;
        const words = `${whose}${isWeighted(state) ? "value-weighted " : ""}${scaleWords(state, isSigned)}`;
        scale.render(words, (isSigned ? theme.diverging : theme.scale).css, ticksOf(state, isSigned));
      } else if (names === null) scale.render(quantityWords(seen, quantity), theme.scale.css, quantityTicks(quantity));
      else {
        const short = shortNames(names);
        setText(title, quantityWords(seen, quantity));
        classes.replaceChildren(...names.map((label, at) => sign(at, short[at], label)));
      }
    },
  };
}

/** What the letters on cells mean, or why there are none. @param {Actions} actions @returns {PageView[]} */
function roleLegend(actions) {
  const root = byId("grid-roles", HTMLElement);
  const measure = new MeasureButton(actions);
  // Letters are on maps: where no answer has come there are none to explain.
  const recordOf = (/** @type {SideView} */ seen) => (seen.analysis === null ? null : atlasOnScreen(seen));
  return [
    {
      resources: [atlas],
      ...pageView(
        (state) => [recordOf(headsOnScreen(state)), atlasProblem(headsOnScreen(state)), state.color_by === "role"],
        (record, problem, isColour) => {
          root.hidden = record === null && problem === null;
          const why = problem ? [element("p", { class: "hint" }, ...withCode(problem.message)), measure.root] : [];
          root.replaceChildren(...(record ? roleSigns(record, isColour, measure.root) : why));
        },
      ),
    },
    {
      reads(state) {
        const seen = headsOnScreen(state);
        return [state.build, state.models, seen.model, seen.analysis, atlasOnScreen(seen), atlasProblem(seen)];
      },
      render: (state) => measure.render(headsOnScreen(state)),
    },
  ];
}

/**
 * What the letters mean, how many heads have one, and whether they are of these weights.
 * @param {Atlas} record
 * @param {boolean} isColour whether cells are coloured by role
 * @param {HTMLElement} measure
 */
function roleSigns(record, isColour, measure) {
  const signs = foundGroups(record).map(({ tone, group }) => sign(tone, group.letter, group.label, group.meaning));
  const hatched = element("i", { class: "badge hatched", "aria-hidden": "true" });
  const colourNotes = [
    element("span", { class: "sign quiet" }, hatched, unassignedWords(record, "hatched")),
    element("span", { class: "quiet" }, "several letters: several roles, colour of the first"),
  ];
  // The style sheet shows one of them: letters are on cells, or dots on small ones.
  const letterNotes = [
    element("span", { class: "quiet with-letters" }, unassignedWords(record)),
    element("span", { class: "quiet with-dots" }, unassignedWords(record, "dots have the colours of these letters; no dot")),
  ];
  const counted = element("p", { class: "role-count quiet" }, `${roleCountWords(record)}.`);
  const others = record.revision_matches === false ? [element("p", { class: "hint" }, OTHER_WEIGHTS), measure] : [];
  return [...signs, ...(isColour ? colourNotes : letterNotes), counted, ...others];
}

/** A letter on its colour, and what it means. @param {number} tone @param {string} letter @param {string} label @param {string} [title] */
function sign(tone, letter, label, title) {
  return element("span", { class: "sign", title }, badge(tone, letter), label);
}
