// Links of earlier versions: the defaults they were made with, and what their words are called now.

/** The version in which links are written. */
export const LINK_VERSION = 2;

/** What links of a version left unsaid because it was the default then, in today's words. @type {Record<number, Record<string, string>>} */
const DEFAULTS = { 1: { sinks: "show" } };

/** The version of a link by its words; links of version 1 do not say theirs. @param {ReadonlyMap<string, string>} words */
export function versionOf(words) {
  const said = words.get("v");
  if (said === undefined) return 1;
  return isVersion(said) ? Number(said) : LINK_VERSION;
}

/** @param {string} word */
export function isVersion(word) {
  return /^[1-9]\d{0,5}$/.test(word);
}

/** A link in the words and with the defaults of today. @param {ReadonlyMap<string, string>} words of a link; none: nothing was chosen */
export function inTodaysWords(words) {
  const version = words.size === 0 ? LINK_VERSION : versionOf(words);
  const today = new Map([...Object.entries(DEFAULTS[version] ?? {}), ...words]);
  if (version === 1) translateFirst(today);
  return today;
}

/** Value-weighted maps were a switch, and heads were ranked by a link in a tab of its own. @param {Map<string, string>} words */
function translateFirst(words) {
  if (words.get("weighted") === "true") words.set("values", "weighted");
  if (words.get("tab") === "ask") {
    const [queries, keys] = (words.get("ask") ?? "/").replaceAll(",", "+").split("/");
    if (queries || keys) words.set("focus", `${queries}.${keys ?? ""}`);
    words.delete("tab");
  }
  words.delete("weighted");
  words.delete("ask");
}
