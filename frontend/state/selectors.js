// What can be computed from the state, computed here and nowhere else.

import { Memo, isSameList } from "../page/memo.js";
import { partsOf } from "./pins.js";
import { analysisOf, onSide } from "./sides.js";

/** The chosen model as the server describes it; null while unknown. @param {Pick<SideView, "models" | "model">} state */
export function chosenModel(state) {
  return state.models.find((model) => model.id === state.model) ?? null;
}

/** Whether the chosen model can continue a text. @param {SideView} state */
export function writes(state) {
  return chosenModel(state)?.kind === "decoder";
}

/** Whether the chosen model has a chat template. @param {Pick<SideView, "models" | "model">} state */
export function takesChat(state) {
  return chosenModel(state)?.chat_template ?? false;
}

/** Whether the text is wrapped in the model's chat template. @param {Pick<SideView, "models" | "model" | "chat">} state */
export function isChat(state) {
  return (state.chat ?? false) && takesChat(state);
}

/** The example whose very words are in the boxes, or null. @param {Pick<SideView, "config" | "text" | "text_pair">} state */
export function chosenExample({ config, text, text_pair }) {
  return config?.examples.find((example) => example.text === text && example.text_pair === text_pair) ?? null;
}

/** The question of each side and its key: made for each change of its texts, not for each move of the pointer. */
const asked = { a: new Memo(), b: new Memo() };

/** @param {SideView} state @returns {{question: Question | null, key: string}} */
function askedOn(state) {
  const { side, model, text, text_pair, continuation } = state;
  const takesPairs = chosenModel(state)?.pairs ?? false;
  const wraps = isChat(state);
  return asked[side].get([model, text, text_pair, continuation, takesPairs, wraps], () => {
    const isAsked = model !== null && text !== null && text.trim() !== "";
    const pair = takesPairs && text_pair?.trim() ? text_pair : null;
    const key = JSON.stringify(isAsked ? [model, text, pair, continuation, wraps] : null);
    return { question: questionOfKey(key), key };
  });
}

/**
 * What the server is to be asked on a side, null while there is nothing to ask. A second sentence goes along only
 * for a model that takes one and when it holds more than blanks, `chat` for one that has a chat template.
 * @param {SideView} state
 * @returns {Question | null} the same object while nothing changes
 */
export function question(state) {
  return askedOn(state).question;
}

/** @param {SideView} state the key of its question */
export function askedKey(state) {
  return askedOn(state).key;
}

/** @param {Question | null} asked */
export function questionKey(asked) {
  return JSON.stringify(asked && [asked.model, asked.text, asked.text_pair ?? null, asked.continuation ?? [], asked.chat ?? false]);
}

/** The question behind a key. @param {string} key @returns {Question | null} */
export function questionOfKey(key) {
  const parts = JSON.parse(key);
  if (parts === null) return null;
  const [model, text, text_pair, continuation, chat] = parts;
  const pair = text_pair === null ? {} : { text_pair };
  return { model, text, ...pair, ...(continuation.length > 0 ? { continuation } : {}), ...(chat ? { chat } : {}) };
}

/** The sentences of a question, by its key, in characters as the server counts them. @param {string} key @returns {string[][]} */
export function typedOf(key) {
  const asked = questionOfKey(key);
  return [asked?.text ?? "", asked?.text_pair ?? ""].map((sentence) => [...sentence]);
}

/**
 * Whether the maps of a side answer an older question than the one in its boxes. Old maps show no numbers and take no
 * clicks: their tokens are not those asked about.
 * @param {SideView} state
 */
export function isStale(state) {
  return state.analysis !== null && state.analysis.question !== askedKey(state);
}

/** @param {State} state @param {Side} side */
export function isStaleOn(state, side) {
  return isStale(onSide(state, side));
}

/** Whether a side has a whole answer to the question in its boxes. @param {SideView} state */
export function isAnswered(state) {
  return state.analysis !== null && state.run.phase === "done" && !isStale(state);
}

/** Whether a pinned map answers an older question, on any side it is made of. @param {State} state @param {What} what */
export function isOldPin(state, what) {
  return partsOf(what).some(({ side }) => isStaleOn(state, side));
}

/**
 * The focus that tiles and panels show: what is pointed at, else what is locked. There is none where a link names tokens that the
 * text on screen does not have, nor while its own text is not answered yet.
 * @param {State} state
 * @returns {Focus | null}
 */
export function shownFocus(state) {
  const focus = state.hover ?? state.lock;
  const analysis = focus && analysisOf(state, focus.side);
  return analysis && !isStaleOn(state, focus.side) ? focusWithin(focus, analysis.n_tokens) : null;
}

/** Whether what is locked is what is shown, not something else that is pointed at. @param {State} state */
export function isLockShown({ lock, hover }) {
  if (lock === null || hover === null) return lock !== null;
  return lock.side === hover.side && isSameList(lock.queries, hover.queries) && isSameList(lock.keys, hover.keys);
}

/** The focus when both its ends are among so many tokens, else null. @param {Focus | null} focus @param {number} n_tokens */
export function focusWithin(focus, n_tokens) {
  const isWithin = (/** @type {number[]} */ tokens) => tokens.every((token) => token < n_tokens);
  return focus !== null && isWithin(focus.queries) && isWithin(focus.keys) ? focus : null;
}

/** Whether metrics and the grid's maps are those of value-weighted attention. @param {Pick<State, "values">} state */
export function isWeighted({ values }) {
  return values === "weighted";
}

/** Whether one stack of layers reads two sentences together in the analysis on screen. @param {Pick<SideView, "analysis">} state */
export function hasPair({ analysis }) {
  return analysis !== null && analysis.stacks.length === 1 && analysis.tokens.some((token) => token.segment === 1);
}

/** The filter of a pair of sentences; null: everything is shown. @param {Pick<SideView, "analysis" | "filter" | "config">} state */
export function activeFilter(state) {
  if (!hasPair(state) || state.filter === "all") return null;
  return state.config?.filters.find((filter) => filter.id === state.filter) ?? null;
}

/** @param {Filter | null} filter @param {Token[]} tokens @returns {(query: number, key: number) => boolean} */
export function allowedBy(filter, tokens) {
  if (filter === null) return () => true;
  return (query, key) => isIn(tokens[query].segment, filter.query_segment) && isIn(tokens[key].segment, filter.key_segment);
}

/** @param {number} segment @param {number | null | undefined} wanted without it any */
export function isIn(segment, wanted) {
  return segment === (wanted ?? segment);
}
