// What the colours and letters of the grid mean; a click on a letter lets the heads of its group stand out.

import { atlas } from "../../heads/atlas.js";
import { comparison } from "../../compare/comparison.js";
import { isByRole } from "../../heads/cells.js";
import { awaitsComparison, headsOnScreen, isOfBoth, shownScale, shownSide } from "../../heads/grid_side.js";
import { OTHER_WEIGHTS, chosenWords, foundGroups, markedWords, poolingWords, quantityTicks, quantityWords, restingWords, ticksOf, unassignedWords } from "../../heads/legend_words.js";
import { chosenQuantity, shortNames } from "../../heads/measures.js";
import { atlasOnScreen, atlasProblem, roleCountWords } from "../../heads/roles.js";
import { scaleWords } from "../../maps/scales.js";
import { byId, element, setAttribute, setHidden, setText, withCode } from "../../page/dom.js";
import { isWeighted } from "../../state/selectors.js";
import { MeasureButton } from "../build/measure_button.js";
import { pageView } from "../draw_views.js";
import { badge, groupBadge } from "../parts/badges.js";
import { button } from "../parts/button.js";
import { ColorScale, armWords } from "../parts/color_bar.js";
import { term } from "../parts/term.js";
import { createSinkSwitch } from "./sink_switch.js";

/** @param {Actions} actions @returns {PageView[]} */
export function createLegend(actions) {
  return [createSinkSwitch(actions), scaleLegend(), ...roleLegend(actions)];
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
    reads(state, theme) {
      const seen = headsOnScreen(state);
      // The grid keeps what it shows until both sides are compared again, and so does its legend.
      if (isShownOfBoth && awaitsComparison(state, seen.side)) return null;
      const { values, sides } = state;
      const { scale: chosen, range, sinks, top } = shownScale(state);
      const scaling = [chosen, range, sinks, top];
      return [theme, chosenQuantity(seen), shownSide(state).side, isByRole(seen), comparison.of(state), ...scaling, values, sides.b === null, chosenWords(seen), poolingWords(seen)];
    },
    render(state, theme) {
      const seen = headsOnScreen(state);
      const { side } = shownSide(state);
      const isSigned = side === "difference";
      isShownOfBoth = isOfBoth(state);
      const quantity = chosenQuantity(seen);
      const names = quantity?.classes ?? null;
      setHidden(figure, isByRole(seen));
      setHidden(arms, quantity !== null || !isSigned);
      for (const part of [bar, ticks]) setHidden(part, names !== null);
      setHidden(classes, names === null);
      setAttribute(title, "title", quantity?.meaning ?? "");
      if (quantity === null) {
        const whose = state.sides.b === null ? "" : isSigned ? "A − B: " : `${side.toUpperCase()}: `;
        const shown = shownScale(state);
        const words = `${whose}${isWeighted(state) ? "value-weighted " : ""}${scaleWords(shown, isSigned, { ...shown, chosen: chosenWords(seen) })}${poolingWords(seen)}`;
        scale.render(words, (isSigned ? theme.diverging : theme.scale).css, ticksOf(shown, isSigned));
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
export function roleLegend(actions) {
  const root = byId("grid-roles", HTMLElement);
  const measure = new MeasureButton(actions);
  /** By the id of their group. @type {Map<string, HTMLElement>} */
  let toggles = new Map();
  // Letters are on maps: where no answer has come there are none to explain.
  const recordOf = (/** @type {SideView} */ seen) => (seen.analysis === null ? null : atlasOnScreen(seen));
  // A model that cannot be run cannot be measured either.
  const problemOf = (/** @type {SideView} */ seen) => (seen.analysis === null && seen.run.problem !== null ? null : atlasProblem(seen));
  return [
    {
      resources: [atlas],
      ...pageView(
        (state) => [recordOf(headsOnScreen(state)), problemOf(headsOnScreen(state)), state.color_by === "role"],
        (record, problem, isColour) => {
          root.hidden = record === null && problem === null;
          const asked = problem?.code === "no_atlas" ? [" ", term("atlas", "What is an atlas?")] : [];
          const why = problem ? [element("p", { class: "hint" }, ...withCode(problem.message), ...asked), measure.root] : [];
          toggles = new Map(record ? groupToggles(record, actions) : []);
          root.replaceChildren(...(record ? roleSigns(record, [...toggles.values()], isColour, measure.root) : why));
        },
      ),
    },
    pageView(
      (state) => [recordOf(headsOnScreen(state)), state.color_by === "role", state.show],
      (_record, _isColour, show) => {
        for (const [id, toggle] of toggles) toggle.setAttribute("aria-pressed", String(show === `group:${id}`));
      },
    ),
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
 * A button for each group that some head has: it lets the group's heads stand out, pressed again all of them.
 * @param {Atlas} record
 * @param {Actions} actions
 * @returns {[string, HTMLElement][]}
 */
function groupToggles(record, actions) {
  return foundGroups(record).map((found) => {
    const { id, label, meaning } = found.group;
    const title = `${label}: ${meaning}. Click to highlight these heads.`;
    const toggle = button("chip small sign", "", () => {
      const isPressed = toggle.getAttribute("aria-pressed") === "true";
      actions.setView({ show: isPressed ? "all" : `group:${id}` });
    }, { title, "data-group": id });
    const count = record.counts.groups[id] ?? 0;
    const counted = element("span", { class: "count" }, String(count), element("span", { class: "unseen" }, count === 1 ? " head" : " heads"));
    toggle.append(groupBadge(found), label, " ", counted);
    return [id, toggle];
  });
}

/**
 * What the letters mean, how many heads have one, and whether they are of these weights.
 * @param {Atlas} record
 * @param {HTMLElement[]} toggles of the groups
 * @param {boolean} isColour whether cells are coloured by role
 * @param {HTMLElement} measure
 */
function roleSigns(record, toggles, isColour, measure) {
  const groups = element("div", { class: "chips", role: "group", "aria-label": "Show the heads of one kind of role" }, ...toggles);
  const hatched = element("i", { class: "badge hatched", "aria-hidden": "true" });
  const colourNotes = [
    element("span", { class: "sign quiet" }, hatched, unassignedWords(record, "hatched")),
    ...(record.counts.with_role > record.counts.beyond_idle ? [element("span", { class: "quiet" }, restingWords(record, "pale, no letter"))] : []),
    element("span", { class: "quiet" }, "a cell has the colour of its strongest role"),
    element("p", { class: "role-count quiet" }, `${roleCountWords(record)}.`),
  ];
  // The style sheet shows one of them: letters are on cells, or dots on small ones.
  const letterNotes = element(
    "div",
    { class: "role-count quiet letters-or-dots" },
    element("p", { class: "with-letters" }, markedWords(record, "letter")),
    element("p", { class: "with-dots" }, `Dots have the colours of these letters. ${markedWords(record, "dot")}`),
  );
  const others = record.revision_matches === false ? [element("p", { class: "hint" }, OTHER_WEIGHTS), measure] : [];
  return [groups, ...(isColour ? colourNotes : [letterNotes]), ...others];
}

/** Letters on a colour, and what they mean. @param {number} tone @param {string} letters @param {string} label */
function sign(tone, letters, label) {
  return element("span", { class: "sign" }, badge(tone, letters), label);
}
