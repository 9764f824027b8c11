// The chart of the Heads tab: asked for while the tab is open, once for each chart, question and atlas.

import { resource } from "../../requests/resource.js";
import { figureQuestion } from "./chart_choice.js";

/** @type {import("../../requests/resource.js").Resource<Record<string, unknown>, Figure>} */
export const figure = resource("/figures", figureQuestion, {
  when: ({ tab }) => tab === "heads",
  body: (/** @type {Record<string, unknown>} */ { edition: _, ...asked }) => asked,
});
