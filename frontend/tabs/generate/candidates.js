// What may come next, as a list of bars: each with its probability, a click goes on with it.

import { element, setText } from "../../page/dom.js";

/** @typedef {import("../../generate/generation.js").Candidate} Candidate */
/**
 * @typedef {object} Choice what is listed
 * @property {Candidate[]} candidates
 * @property {number} rest the probability of all others
 * @property {number | null} chosen the id of the one that was taken; null: none is yet
 */

const FIRST_ROWS = 10;

/** @param {number} probability as a percentage with two decimals, a sign where those would all be zero */
export function percentText(probability) {
  if (probability > 0 && probability < 0.00005) return "<0.01 %";
  return `${(100 * probability).toFixed(2)} %`;
}

export class CandidateList {
  #isWhole = false;
  /** @type {Choice | null} */
  #written = null;

  /** @param {(candidate: Candidate) => void} take */
  constructor(take) {
    this.take = take;
    this.list = element("ol", { class: "candidates" });
    this.more = element("button", { type: "button", class: "plain", hidden: true, onclick: () => this.#showAll() });
    this.root = element("div", { class: "candidates-box" }, this.list, this.more);
  }

  #showAll() {
    this.#isWhole = true;
    if (this.#written) this.#write(this.#written);
  }

  /** @param {Choice | null} choice null: nothing is known */
  render(choice) {
    const before = this.#written;
    if (choice !== null) {
      if (before?.candidates !== choice.candidates || before.chosen !== choice.chosen) this.#write(choice);
    } else if (before !== null) {
      // Nothing old stays to be read, but its room does: the answer to come will need as much.
      this.root.style.minHeight = `${this.root.offsetHeight}px`;
      this.#written = null;
      this.list.replaceChildren();
      this.more.hidden = true;
    }
  }

  /** @param {Choice} choice */
  #write(choice) {
    this.#written = choice;
    this.root.style.minHeight = "";
    const { candidates, rest, chosen } = choice;
    const shown = candidates.slice(0, this.#isWhole ? candidates.length : FIRST_ROWS);
    const others = rest + candidates.slice(shown.length).reduce((sum, { probability }) => sum + probability, 0);
    const parts = ["All others", bar(others), element("b", {}, percentText(others))];
    const last = element("li", { class: "others", "data-probability": others }, ...parts);
    this.list.replaceChildren(...shown.map((one) => this.#item(one, chosen)), last);
    this.more.hidden = shown.length === candidates.length;
    setText(this.more, `Show ${candidates.length}`);
  }

  /** @param {Candidate} candidate @param {number | null} chosen */
  #item(candidate, chosen) {
    const { id, text, piece, probability } = candidate;
    const isChosen = id === chosen;
    const attributes = {
      type: "button",
      disabled: chosen !== null,
      "data-id": id,
      "data-probability": probability,
      "aria-label": `${chosen === null ? "Go on with" : isChosen ? "Chosen:" : ""} “${text}”, ${percentText(probability)}`,
      title: `${piece} · id ${id}`,
      onclick: () => this.take(candidate),
    };
    const name = element("span", { class: "candidate", dir: "auto" }, text);
    const parts = [name, " ", bar(probability), element("b", {}, percentText(probability))];
    return element("li", { class: isChosen ? "chosen" : null }, element("button", attributes, ...parts));
  }
}

/** @param {number} probability */
function bar(probability) {
  const fill = element("span", { class: "edge-fill" });
  fill.style.width = `${100 * probability}%`;
  return element("span", { class: "edge-bar", "aria-hidden": "true" }, fill);
}
