// How numbers, colours and texts are written in an SVG document that other programs shall read, not only browsers.

/** Programs outside browsers know hexadecimal colours best. @param {string} style @param {number} alpha */
export function paintOf(style, alpha) {
  const numbers = /^rgba?\((.+)\)$/.exec(style)?.[1].match(/[\d.]+/g)?.map(Number);
  if (!numbers) return { colour: style, opacity: alpha };
  const hex = numbers.slice(0, 3).map((channel) => Math.round(channel).toString(16).padStart(2, "0"));
  return { colour: `#${hex.join("")}`, opacity: alpha * (numbers[3] ?? 1) };
}

/** @param {number} value with what a printer can show */
export function short(value) {
  return Number(value.toFixed(2)) + 0;
}

/** @type {Record<string, string>} */
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {string} text with a stand-in for what XML cannot hold at all */
export function escaped(text) {
  const kept = text.replace(/[\p{Surrogate}\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, "\uFFFD");
  return kept.replace(/[&<>"]/g, (sign) => ENTITIES[sign]);
}
