// The pinned maps as one figure.

import { linesOf } from "../maps/drawn_links.js";
import { legendTicks, scaleWords } from "../maps/scales.js";
import { sharedTop } from "../maps/shared_top.js";
import { captionOf } from "./caption.js";

/** @param {State} state @param {ShownMap[]} maps @param {Palette} palette @param {Date} now @returns {import("./figure.js").PanelFigure} */
export function pinnedFigure(state, maps, palette, now) {
  const { scale, range, sinks, mass } = state;
  const panels = maps.map(({ title, pin, values, drawing }) => {
    const { signed, top } = drawing.sheet;
    // A table is for reading on the screen: in a figure the same weights are a heatmap, those of several heads lines.
    const mode = /** @type {"heatmap" | "lines"} */ (pin.mode === "lines" || pin.kind === "overlay" ? "lines" : "heatmap");
    return {
      title,
      mode,
      drawing,
      links: mode === "lines" ? linesOf(drawing, mass) : [],
      words: `${values === "weighted" ? "value-weighted " : ""}${scaleWords({ scale, range, sinks }, signed, { top, end: top === sharedTop(state) ? "the scale of all maps" : "" })}`,
      ticks: legendTicks({ scale }, top, signed),
    };
  });
  const names = maps.map(({ name }) => name);
  return { title: `Attention maps: ${[...new Set(names)].join(", ")}`, caption: captionOf(state, maps, now), palette, panels };
}
