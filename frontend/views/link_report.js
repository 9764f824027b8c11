// A line that says which parts of the opened link mean nothing to this page; the rest of the link is shown.

import { CHANGE } from "../heads/measures.js";
import { byId, element, setText } from "../page/dom.js";
import { whatName } from "../state/pins.js";
import { analysisOf } from "../state/sides.js";

/** @typedef {import("../state/permalink.js").Misread} Misread */

const MOST_PARTS = 6;
const LONGEST_PART = 40;

/** What the line says; "": everything was understood. @param {Misread} misread */
export function reportWords({ parts, isNewer }) {
  const newer = isNewer ? "This link was made by a newer version of HeadScope. " : "";
  if (parts.length === 0) return newer && `${newer}Everything in it is shown that this version knows.`;
  const named = parts.slice(0, MOST_PARTS).map((part) => (part.length > LONGEST_PART ? `${part.slice(0, LONGEST_PART)}…` : part));
  const more = parts.length - named.length;
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `${newer}This link has parts that HeadScope does not know: ${list}. The rest is shown.`;
}

/** What an opened link colours heads by, if nothing here is called that; "": it is known. @param {Pick<State, "color_by" | "metrics_catalogue">} state */
export function unknownColour({ color_by, metrics_catalogue }) {
  const name = color_by.replace(/^corpus:/, "");
  const isKnown = ["map", "role", CHANGE].includes(name) || metrics_catalogue === null || metrics_catalogue.metrics.some((metric) => metric.name === name);
  return isKnown ? "" : `Heads cannot be coloured by “${color_by}”: HeadScope does not know it.`;
}

/**
 * What an opened link says of heads and tokens that the answer has none of; "": the answer has them all.
 * @param {Pick<State, "pins" | "lock">} asked
 * @param {Pick<State, "pins" | "lock">} shown
 * @param {number} n_tokens of the answer
 */
export function lostWords(asked, shown, n_tokens) {
  const heads = asked.pins.filter((pin) => !shown.pins.includes(pin)).map(whatName);
  const chosen = asked.lock !== null && shown.lock === null ? [...asked.lock.queries, ...asked.lock.keys] : [];
  const tokens = chosen.filter((token) => token >= n_tokens);
  const lost = [...heads, ...(tokens.length > 0 ? [`${tokens.length === 1 ? "token" : "tokens"} ${tokens.join(", ")}`] : [])];
  return lost.length === 0 ? "" : `This model and text do not have all that the link shows: ${lost.join("; ")}.`;
}

/** @param {Store} store @returns {(misread: Misread) => void} shows what of a link was not understood, or hides the line */
export function createLinkReport(store) {
  const line = byId("link-report", HTMLElement);
  const words = element("span");
  const hide = () => void (line.hidden = true);
  line.replaceChildren(words, element("button", { type: "button", class: "plain", onclick: hide }, "Dismiss"));
  const say = (/** @type {string} */ said) => {
    line.hidden = said === "";
    setText(words, said);
  };
  let said = "";
  /** Whether an opened link still waits for its answer, which drops what it has no place for. */
  let isDue = false;
  store.subscribe((state, before) => {
    if (!isDue || state.sides.a.run === before.sides.a.run) return;
    isDue = state.sides.a.run.phase === "pending";
    const lost = lostWords(before, state, analysisOf(state, before.lock?.side ?? "a")?.n_tokens ?? 0);
    const all = [said, lost, unknownColour(state)].filter(Boolean).join(" ");
    if (all !== said) say(all);
  });
  return (misread) => {
    said = reportWords(misread);
    isDue = true;
    say(said);
  };
}
