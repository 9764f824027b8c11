// The head calculator: sizes as a question, presets, and how large numbers are written.

import { resource } from "../requests/resource.js";
import { choice } from "../state/choice.js";
import { isOpen } from "./walk.js";

/** @typedef {{d_model: number, n_heads: number, n_kv_heads: number | null, n_layers: number, n_tokens: number, bytes_per_number: number, bias: boolean}} Sizes n_kv_heads null: as many as heads */
/** @typedef {Omit<Sizes, "bytes_per_number" | "n_tokens"> & {id: string, name: string, max_tokens: number | null, source: string, note: string, model: string | null}} Preset */
/** @typedef {{presets: Preset[], limits: Record<string, number>}} Presets */

/** @type {Sizes} */
const USUAL = { d_model: 768, n_heads: 12, n_kv_heads: null, n_layers: 12, n_tokens: 512, bytes_per_number: 2, bias: true };
const NAMES = /** @type {const} */ (["d_model", "n_heads", "n_layers", "n_tokens", "bytes_per_number"]);
/** Of a preset whose publication names no longest text. */
const TOKENS = 512;

export const sizesChoice = choice("anatomy_sizes", {
  link: "sizes",
  usual: USUAL,
  write: (sizes) => [...NAMES.map((name) => sizes[name]), sizes.n_kv_heads ?? "all", sizes.bias ? "bias" : "plain"].join("."),
  read(word) {
    const match = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})\.(\d{1,8})\.(\d)\.(\d{1,6}|all)\.(bias|plain)$/.exec(word);
    if (!match) return null;
    const [d_model, n_heads, n_layers, n_tokens, bytes_per_number] = match.slice(1, 6).map(Number);
    return { d_model, n_heads, n_layers, n_tokens, bytes_per_number, n_kv_heads: match[6] === "all" ? null : Number(match[6]), bias: match[7] === "bias" };
  },
  undo: "slide",
});

/** @param {Preset} preset @returns {Sizes} */
export function sizesOf({ d_model, n_heads, n_kv_heads, n_layers, max_tokens, bias }) {
  const shared = n_kv_heads === n_heads ? null : n_kv_heads;
  return { d_model, n_heads, n_kv_heads: shared, n_layers, n_tokens: max_tokens ?? TOKENS, bytes_per_number: 2, bias };
}

/** @param {Preset} preset @param {Sizes} sizes whether they are its own */
export function isPreset(preset, sizes) {
  const { d_model, n_heads, n_kv_heads, n_layers, bias } = sizesOf(preset);
  return d_model === sizes.d_model && n_heads === sizes.n_heads && n_kv_heads === sizes.n_kv_heads && n_layers === sizes.n_layers && bias === sizes.bias;
}

export const presets = /** @type {import("../requests/resource.js").Resource<object, Presets>} */ (
  resource("/learn/calculator", (state) => (isOpen(state, "calculator") ? {} : null), { method: "GET" })
);

/** @type {import("../requests/resource.js").Resource<Sizes, any>} */
export const calculation = resource("/learn/calculator", (state) => (isOpen(state, "calculator") ? sizesChoice.of(state) : null));

/** A large number with the names of thousands: 1.2 billion. @param {number} value */
export function largeText(value) {
  for (const [size, name] of /** @type {const} */ ([[1e15, "quadrillion"], [1e12, "trillion"], [1e9, "billion"], [1e6, "million"]])) {
    if (value >= size) return `${Number((value / size).toPrecision(3))} ${name}`;
  }
  return value.toLocaleString("en");
}

/** @param {number} bytes */
export function bytesText(bytes) {
  for (const [size, name] of /** @type {const} */ ([[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]])) {
    if (bytes >= size) return `${Number((bytes / size).toPrecision(3))} ${name}`;
  }
  return `${bytes} bytes`;
}
