// The way to the panel that measures a model's heads, wherever it is said that they are not measured.

import { runningBuild, unmeasuredModel } from "../../heads/build.js";
import { element, setText } from "../../page/dom.js";

/** @typedef {import("../../requests/build_api.js").Build} Build */

export class MeasureButton {
  /** @type {string | null} */
  #model = null;

  /** @param {Pick<Actions, "openBuild">} actions */
  constructor(actions) {
    // Always the same element: a button that is put in place again while somebody presses it gets no click.
    this.root = element("button", { type: "button", class: "chip small measure-open", "aria-haspopup": "dialog" });
    this.root.addEventListener("click", () => this.#model !== null && actions.openBuild(this.#model));
  }

  /**
   * @param {SideView} side it draws from its analysis, its atlas, the models and the build
   * @param {string | null} [model] the one to measure; null: nothing is offered
   * @param {string} [words]
   */
  render(side, model = unmeasuredModel(side), words = "Measure this model's heads…") {
    this.#model = model;
    this.root.hidden = model === null;
    const running = runningBuild(side, model);
    setText(this.root, running ? `Measuring heads: ${stepWords(running)}…` : words);
  }
}

/** @param {Pick<Build, "section" | "sections">} build which section is under way, of how many */
export function stepWords({ section, sections }) {
  const at = section === null ? -1 : sections.indexOf(section);
  return at < 0 ? "beginning" : `section ${at + 1} of ${sections.length}`;
}
