// Captions of figures and names of files: the model and the words the maps are from, and what was done to them.

import { capital } from "../heads/roles.js";
import { activeFilter, chosenModel, question } from "../state/selectors.js";
import { onSide, sidesOf } from "../state/sides.js";

/** @typedef {{name: string, treatment: string[]}} Treated a map and what was done to its weights */

const MOST_LETTERS = 40;
/** How captions mention hidden tokens. @type {Record<State["hide"], string>} */
export const HIDING = { none: "", special: "special tokens hidden", first: "first token hidden", both: "special and first tokens hidden" };

/** How captions and files mention sinks that are set aside. */
const SINKS_DIMMED = "sinks (special and first tokens) dimmed, weights unchanged";

/** Paragraphs: words, what was done to the maps, program and day. @param {State} state @param {Treated[]} maps @param {Date} now */
export function captionOf(state, maps, now) {
  const sources = sidesOf(state).map((side) => {
    const seen = onSide(state, side);
    const name = seen.compared ? `${side.toUpperCase()}: ` : "";
    return `${name}${sentenceOf(seen)} ${chosenModel(seen)?.name ?? seen.model}`;
  });
  const version = state.config?.version;
  const localTime = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  const day = localTime.toISOString().slice(0, 10);
  return [...sources, ...treatmentSentences(maps), `HeadScope${version ? ` ${version}` : ""}, ${day}`];
}

/** @param {SideView} seen */
function sentenceOf(seen) {
  const asked = question(seen);
  const texts = [asked?.text, asked?.text_pair].filter((text) => text !== undefined).map((text) => `“${text}”`);
  const written = asked?.continuation?.length ?? 0;
  const wrapped = asked?.chat ? " in the model's chat template" : "";
  return `${texts.join(" / ")}${wrapped}${written > 0 ? ` and ${written} generated ${written === 1 ? "token" : "tokens"}` : ""},`;
}

/** What was done to maps: one sentence where it is the same for all of them. @param {Treated[]} maps */
function treatmentSentences(maps) {
  const each = maps.map(({ name, treatment }) => ({ name, words: treatment.join(", ") }));
  const different = [...new Set(each.map(({ words }) => words))];
  if (different.length < 2) return different.filter(Boolean).map((words) => `${capital(words)}.`);
  return different.map((words) => {
    const names = new Set(each.filter((one) => one.words === words).map(({ name }) => name));
    return `${[...names].join(", ")}: ${words || "as the model computes them"}.`;
  });
}

/**
 * What was actually done to a map: to its weights, and which of them are set aside. Empty: it is as the model has it.
 * @param {SideView} seen from the side whose tokens are on the axes
 * @param {Pick<Sheet, "merged" | "renormalised" | "block" | "dimmed">} sheet
 * @param {boolean} isFiltered
 */
export function treatmentOf(seen, { merged, renormalised, block, dimmed }, isFiltered) {
  const hidden = HIDING[seen.hide];
  return [
    hidden && block > 1 ? `${hidden} where a block of ${block} holds nothing else` : hidden,
    renormalised ? "rows renormalised" : "",
    merged ? "pieces merged into words" : "",
    dimmed ? SINKS_DIMMED : "",
    isFiltered ? `only links ${activeFilter(seen)?.label}` : "",
  ].filter(Boolean);
}

/** The model and the first words. @param {{model: string | null, text: string | null}} question @param {string} ending such as `-2x.png` */
export function fileName({ model, text }, ending) {
  return `headscope-${[model, text].map((part) => slug(part ?? "")).filter(Boolean).join("-")}${ending}`;
}

/** @param {string} text letters and digits of any script, as many whole words as there is room for */
function slug(text) {
  const [first = "", ...words] = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let name = [...first].slice(0, MOST_LETTERS).join("");
  for (const word of words) {
    if (name.length + 1 + word.length > MOST_LETTERS) break;
    name += `-${word}`;
  }
  return name;
}
