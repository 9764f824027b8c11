// What helps when a text is over a limit: where to cut it, and which models would take it.

import { codePoints, cutText } from "../page/cut_text.js";

/** @typedef {"text" | "text_pair"} Field of a question */
/** @typedef {{field: Field, n_characters: number}} CutPlace the server's word on which text fits if cut there */
/** @typedef {{n_tokens?: number, max_tokens?: number, n_characters?: number, max_characters?: number, cut?: CutPlace}} LengthDetails */
/** @typedef {import("../page/cut_text.js").CutText & {field: Field, n_kept: number, n_characters: number}} Cut how many characters are kept, and of how many */

export const TOO_LONG = "text_too_long";

/** The counts of a text over a limit; null: something else is wrong. @param {Problem | null} problem @returns {LengthDetails | null} */
export function lengthDetails(problem) {
  return problem?.code === TOO_LONG ? /** @type {LengthDetails} */ (problem.details ?? {}) : null;
}

/**
 * Why a question with more characters than the server reads is not sent: the server closes a connection that brings a
 * message far over its limit.
 * @param {Question} asked
 * @param {Config} config
 * @returns {Problem | null}
 */
export function overlong({ text, text_pair = "" }, { limits: { max_characters } }) {
  if (text.length + text_pair.length <= max_characters) return null;
  const lengths = [text, text_pair].map(codePoints);
  const n_characters = lengths[0] + lengths[1];
  if (n_characters <= max_characters) return null;
  const [has, limit] = [n_characters, max_characters].map((count) => count.toLocaleString("en"));
  const what = text_pair === "" ? "The text has" : "The two texts have";
  const message = `${what} ${has} characters and the limit is ${limit}: remove at least ${(n_characters - max_characters).toLocaleString("en")}.`;
  const longer = lengths[1] > lengths[0] ? 1 : 0;
  const room = max_characters - lengths[1 - longer];
  const cut = { field: longer === 1 ? "text_pair" : "text", n_characters: room };
  return { code: TOO_LONG, message, details: { n_characters, max_characters, ...(room > 0 ? { cut } : {}) } };
}

/** The text of a side cut so that it fits; null where cutting one text is not enough. @param {Pick<SideView, "text" | "text_pair">} seen @param {Problem} problem @returns {Cut | null} */
export function cutToFit(seen, problem) {
  const place = lengthDetails(problem)?.cut;
  const text = place && seen[place.field];
  const cut = place && text ? cutText(text, place.n_characters) : null;
  return cut && place && text ? { ...cut, field: place.field, n_kept: codePoints(cut.text), n_characters: codePoints(text) } : null;
}

/**
 * The installed models whose limit is not below what the chosen one counts, the smallest first.
 * @param {Pick<SideView, "models" | "model" | "text_pair" | "continuation">} seen
 * @param {Problem} problem
 */
export function modelsThatTake({ models, model, text_pair, continuation }, problem) {
  const { n_tokens } = lengthDetails(problem) ?? {};
  if (n_tokens === undefined || continuation.length > 0) return [];
  const takesPairs = models.find(({ id }) => id === model)?.pairs ?? false;
  const needsPairs = takesPairs && Boolean(text_pair?.trim());
  return models
    .filter((one) => one.id !== model && one.available && one.state === "ready")
    .filter(({ examples = [] }) => examples.length === 0) // a small vocabulary lacks its words
    .filter(({ max_tokens, pairs }) => (max_tokens ?? 0) >= n_tokens && (pairs || !needsPairs))
    .sort((one, other) => (one.max_tokens ?? 0) - (other.max_tokens ?? 0));
}
