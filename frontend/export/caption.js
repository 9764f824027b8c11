// Captions of figures and names of files: whose maps these are, of which words, and what was done to them.

import { activeFilter, chosenModel, question } from "../state/selectors.js";
import { onSide, sidesOf } from "../state/sides.js";

const MOST_LETTERS = 40;
/** What is said of hidden tokens. @type {Record<State["hide"], string>} */
export const HIDING = { none: "", special: "special tokens hidden", first: "first token hidden", both: "special and first tokens hidden" };

/**
 * A paragraph each: the words, what was done to the maps, the program and the day.
 * @param {State} state
 * @param {{name: string, treatment: string[]}[]} maps
 * @param {Date} now
 * @returns {string[]}
 */
export function captionOf(state, maps, now) {
  const sides = sidesOf(state);
  const said = sides.map((side) => {
    const seen = onSide(state, side);
    const name = sides.length > 1 ? `${side.toUpperCase()}: ` : "";
    return `${name}${sentenceOf(seen)} ${chosenModel(seen)?.name ?? seen.model}`;
  });
  const version = state.config?.version;
  return [...said, ...doneTo(maps), `HeadScope${version ? ` ${version}` : ""}, ${dayOf(now)}`];
}

/** @param {SideView} seen */
function sentenceOf(seen) {
  const asked = question(seen);
  const texts = [asked?.text, asked?.text_pair].filter((text) => text !== undefined).map((text) => `“${text}”`);
  const written = asked?.continuation?.length ?? 0;
  return `${texts.join(" / ")}${written > 0 ? ` and ${written} generated ${written === 1 ? "token" : "tokens"}` : ""},`;
}

/**
 * What was done to maps: in one sentence where it is the same for all of them.
 * @param {{name: string, treatment: string[]}[]} maps
 * @returns {string[]}
 */
function doneTo(maps) {
  const each = maps.map(({ name, treatment }) => ({ name, words: treatment.join(", ") }));
  const different = [...new Set(each.map(({ words }) => words))];
  if (different.length < 2) return different.filter(Boolean).map(sentence);
  return different.map((words) => {
    const names = new Set(each.filter((one) => one.words === words).map(({ name }) => name));
    return `${[...names].join(", ")}: ${words || "as the model has them"}.`;
  });
}

/** @param {string} words */
function sentence(words) {
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

/**
 * What was truly done to the weights of a map, not to their colours; nothing: they are as the model has them.
 * @param {SideView} seen from the side whose tokens the map speaks of
 * @param {Pick<Sheet, "merged" | "renormalised" | "block">} sheet
 * @param {boolean} isFiltered
 * @returns {string[]}
 */
export function treatmentOf(seen, { merged, renormalised, block }, isFiltered) {
  const hidden = HIDING[seen.hide];
  return [
    hidden && block > 1 ? `${hidden} where a block of ${block} holds nothing else` : hidden,
    renormalised ? "rows renormalised" : "",
    merged ? "pieces merged to words" : "",
    isFiltered ? `only links ${activeFilter(seen)?.label}` : "",
  ].filter(Boolean);
}

/** @param {Date} now as 2026-01-31, where the reader is */
function dayOf(now) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * A name for a file: the model and the first words.
 * @param {{model: string | null, text: string | null}} question
 * @param {string} ending such as `-2x.png`
 */
export function fileName({ model, text }, ending) {
  return `headscope-${[model, text].map((part) => slug(part ?? "")).filter(Boolean).join("-")}${ending}`;
}

/** @param {string} text letters and digits of any script, as many whole words as there is room for */
function slug(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  let name = "";
  for (const word of words) {
    const longer = name === "" ? [...word].slice(0, MOST_LETTERS).join("") : `${name}-${word}`;
    if (longer.length > MOST_LETTERS && name !== "") break;
    name = longer;
  }
  return name;
}
