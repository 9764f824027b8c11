// The switch that dims attention sinks, and the share of the attention they take.

import { headsSide, shownSide } from "../../heads/grid_side.js";
import { exactRows } from "../../maps/exact_rows.js";
import { rowToken } from "../../maps/row_token.js";
import { percent } from "../../maps/readout.js";
import { sinkShare } from "../../maps/sink_share.js";
import { byId, element, setHidden, setText } from "../../page/dom.js";
import { tokenInWords } from "../../page/labels.js";
import { CONTROLS } from "../../state/controls.js";
import { isStaleOn } from "../../state/selectors.js";
import { analysisOf, sidesOf } from "../../state/sides.js";
import { switchBox } from "../parts/switch.js";
import { explain, term } from "../parts/term.js";

/** @param {Actions} actions @returns {PageView} */
export function createSinkSwitch(actions) {
  const root = byId("grid-sinks", HTMLElement);
  const { box, field } = switchBox("dim-sinks", CONTROLS.sinks.label, (on) => actions.setView({ sinks: on ? "dim" : "show" }));
  const said = element("span");
  const sinks = element("span", { id: "sink-share", class: "quiet" }, term("sink", "Sinks"), said);
  for (const part of [box, field]) explain(part, "sink");
  // A block of fixed size in a block: only then a change of its text is laid out by itself.
  root.replaceChildren(field, element("div", { class: "sink-said" }, sinks));

  return {
    reads(state) {
      const side = headsSide(state);
      const answered = sidesOf(state).flatMap((one) => {
        const { run, measured } = state.sides[one] ?? {};
        return [analysisOf(state, one), run?.layers, measured, isStaleOn(state, one), rowToken(state, one)];
      });
      return [side, shownSide(state).side, state.sinks, state.hide, state.values, state.answers.get(exactRows), ...answered];
    },
    render(state) {
      setHidden(root, analysisOf(state, headsSide(state)) === null);
      box.checked = state.sinks === "dim";
      const words = shareWords(state);
      setHidden(sinks, words === "");
      setText(said, words);
    },
  };
}

/** What sinks take of what the grid shows, after the word “Sinks”; "": not known yet. @param {State} state */
export function shareWords(state) {
  const isDifference = shownSide(state).side === "difference";
  const side = headsSide(state);
  const sides = isDifference ? sidesOf(state) : [side];
  const sharesOf = (/** @type {boolean} */ inRows) => sides.map((one) => sinkShare(state, one, inRows));
  const token = rowToken(state, side);
  const ofRows = token === null ? [null] : sharesOf(true);
  // Until the exact row of a long text is here, the share in the whole maps stays.
  const isOfRows = !ofRows.includes(null);
  const shares = isOfRows ? ofRows : sharesOf(false);
  if (shares.includes(null)) return "";
  const text = isOfRows && token !== null ? analysisOf(state, side)?.tokens[token] : null;
  const whose = text ? `the attention of “${tokenInWords(text)}”` : "the attention";
  const [part, other] = shares.map((share) => percent(share ?? 0));
  const taken = isDifference ? `${part} of ${whose} in A and ${other} in B` : `${part} of ${whose}`;
  const how = state.hide === "both" ? "hidden" : state.sinks === "dim" ? "dimmed" : "not dimmed";
  return ` ${how} · over all heads they take ${taken}`;
}
