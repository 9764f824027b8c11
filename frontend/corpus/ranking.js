// The answer about a corpus as a ranking: its rows, the scale of their bars, and what they say in words.

import { numberText, roundUp } from "../heads/measures.js";
import { durationText } from "../page/labels.js";
import { corpusMeans, linkOf } from "./question.js";

/** @typedef {import("./question.js").Skipped} Skipped */
/**
 * @typedef {Cell & {mean: number | null, low: number | null, high: number | null, n: number, baseline: number | null}} Row one head;
 *   no mean: no case, low and high: its interval, baseline: the tick
 */
/** @typedef {{start: number, end: number}} BarScale */

const LINK = "link";
const FIRST_METRIC = "previous";
const SHOWN_LINES = 8;

/** What heads can be ranked by: the link first, where one was asked for. @param {CorpusAnswer} answer */
export function rankings({ link, metrics }) {
  const named = Object.entries(metrics).map(([value, { label, meaning, texts }]) => ({
    value,
    text: texts > 0 ? label : `${label} (no case)`,
    title: meaning,
  }));
  return link ? [{ value: LINK, text: "The link", title: "Attention from one word to the other" }, ...named] : named;
}

/**
 * How the last answer is ranked: as chosen for it, or as chosen before with the largest first. A new link comes first.
 * @param {State} state
 * @returns {{by: string, falling: boolean} | null} null: there is no answer
 */
export function rankingOf(state) {
  const { answer = null, question } = corpusMeans.latest(state) ?? {};
  if (answer === null) return null;
  const { by, falling, run, had_link } = state.corpus.ranking;
  const isNewLink = answer.link !== null && !had_link;
  return { by: rankedBy(answer, isNewLink ? null : by), falling: run !== question.run || falling };
}

/** What heads are ranked by: what was chosen, where the answer has it. @param {CorpusAnswer} answer @param {string | null} by */
export function rankedBy(answer, by) {
  const offered = rankings(answer).map(({ value }) => value);
  return [by, LINK, FIRST_METRIC].find((one) => one !== null && offered.includes(one)) ?? offered[0];
}

/** @param {CorpusAnswer} answer @param {string} by @param {boolean} falling @returns {Row[]} those without a case last */
export function rankedRows({ link, metrics }, by, falling) {
  const ofLink = by === LINK && link ? link.heads.map((head) => ({ ...head, n: link.texts, baseline: head.by_position })) : null;
  const rows = ofLink ?? metrics[by]?.heads.map((head) => ({ ...head, baseline: metrics[by].baseline })) ?? [];
  const turn = falling ? -1 : 1;
  // Sorting keeps the model's order between equals.
  return rows.sort((one, other) => Number(one.mean === null) - Number(other.mean === null) || turn * ((one.mean ?? 0) - (other.mean ?? 0)));
}

/** Round ends that nothing drawn is beyond; 0 is always on the scale. @param {Row[]} rows @returns {BarScale} */
export function scaleOf(rows) {
  const drawn = rows.flatMap(({ mean, low, high, baseline }) => [mean, low, high, baseline]).filter((value) => value !== null);
  const [lowest, highest] = [Math.min(0, ...drawn), Math.max(0, ...drawn)];
  return { start: lowest < 0 ? -roundUp(-lowest) : 0, end: highest > 0 || lowest === 0 ? roundUp(highest) : 0 };
}

/** What the numbers mean and compare with. @param {CorpusAnswer} answer @param {Draft} draft what was asked @param {string} by */
export function rankedWords({ link, metrics, values }, draft, by) {
  const attention = values === "weighted" ? "value-weighted attention" : "attention";
  if (by === LINK && link) {
    const words = linkOf(draft);
    const ends = words && "from_word" in words ? `from “${words.from_word}” to “${words.to_word}”` : "from what is marked “from” to what is marked “to”";
    const ticks = link.by_position_texts > 0 ? " By position alone (the tick): the same head at the same distances elsewhere in these texts, sinks left out." : "";
    return `Mean ${attention} ${ends} in ${counted(link.texts, "text")}; uniform attention would give ${numberText(link.uniform)}.${ticks}${intervalWords(link.texts)}`;
  }
  const { meaning, n, texts, baseline } = metrics[by];
  if (texts === 0) return `${meaning} These texts have no case of it.`;
  const tick = baseline === null ? "" : ` Uniform attention (the tick) would give ${numberText(baseline)}.`;
  const kind = values === "weighted" ? ", value-weighted" : "";
  return `${meaning} Mean over ${counted(n, "case")} in ${counted(texts, "text")}${kind}.${tick}${intervalWords(texts)}`;
}

/** @param {number} texts */
function intervalWords(texts) {
  return texts > 1 ? " The whisker is the 95 % interval of the mean, for other texts like these." : " One text has no interval.";
}

/** What was measured, in one line. @param {CorpusAnswer} answer @param {string} name of the model */
export function measuredWords({ given, texts, n_tokens, timing }, name) {
  const of = texts === given ? counted(texts, "text") : `${texts.toLocaleString("en")} of ${counted(given, "line")}`;
  return `${name}: ${of}, ${counted(n_tokens, "token")}, ${durationText(timing.total_ms)}.`;
}

/** @param {Skipped} skipped @param {string} what "left out", or "without the link" */
export function skippedWords({ n, meaning, lines }, what) {
  const listed = lines.slice(0, SHOWN_LINES).join(", ") + (lines.length > SHOWN_LINES ? ", …" : "");
  return `${counted(n, "line")} ${what}: ${meaning} (${lines.length === 1 ? "line" : "lines"} ${listed})`;
}

/** @param {Row} row for readers who cannot see the bar */
export function rowWords({ mean, low, high, baseline }) {
  if (mean === null) return "no case";
  const interval = low === null || high === null ? "no interval" : `${numberText(low)} to ${numberText(high)}`;
  return `${numberText(mean)}, ${interval}${baseline === null ? "" : `, tick at ${numberText(baseline)}`}`;
}

/** @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
