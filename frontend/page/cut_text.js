// Cutting a text that is too long: after the last whole sentence that fits, else after the last word.

/** @typedef {{text: string, after: "sentence" | "word" | "character"}} CutText */

const LEAST = 0.5; // of what fits: a cut that keeps less is made after a word

/**
 * @param {string} text
 * @param {number} n_characters that fit, as the server counts them: a pair of surrogates is one
 * @returns {CutText | null} null: nothing to read would be left
 */
export function cutText(text, n_characters) {
  const room = unitsOf(text, n_characters);
  const sentence = lastBoundary(text, room, "sentence");
  const word = lastBoundary(text, room, "word");
  const [end, after] =
    sentence >= LEAST * room ? [sentence, "sentence"] : word > 0 ? [word, "word"] : [lastBoundary(text, room, "grapheme"), "character"];
  const kept = text.slice(0, /** @type {number} */ (end)).trimEnd();
  return kept.trim() === "" ? null : { text: kept, after: /** @type {CutText["after"]} */ (after) };
}

/** How many characters a text has, as the server counts them. @param {string} text */
export function codePoints(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Where a text's first characters end, in the units of JavaScript's strings. @param {string} text @param {number} n_characters */
function unitsOf(text, n_characters) {
  let [units, left] = [0, n_characters];
  for (const character of text) {
    if (left <= 0) break;
    units += character.length;
    left -= 1;
  }
  return units;
}

/** The last place up to which whole sentences, words or letters fit. @param {string} text @param {number} room @param {"sentence" | "word" | "grapheme"} granularity */
function lastBoundary(text, room, granularity) {
  // A little of what does not fit tells whether the last part that does is whole; the rest is not read.
  const read = text.slice(0, room + 200);
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter(undefined, { granularity }).segment(read)) {
    // Blanks after a sentence may be beyond the limit; they are cut off anyway.
    if (index + segment.trimEnd().length > room) break;
    end = index + segment.length;
  }
  return Math.min(end, room);
}
