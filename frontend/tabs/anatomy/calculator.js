// The head calculator: sizes in boxes, presets of known models, what the sizes cost and what they can express.

import { bytesText, calculation, isPreset, largeText, presets, sizesChoice, sizesOf } from "../../anatomy/calculator.js";
import { element, setHidden, setText } from "../../page/dom.js";
import { bar } from "../../views/parts/bar.js";
import { button } from "../../views/parts/button.js";
import { switchBox } from "../../views/parts/switch.js";

/** @typedef {import("../../anatomy/calculator.js").Sizes} Sizes */

const PAUSE_MS = 250;
const FIELDS = /** @type {const} */ ([
  { name: "d_model", label: "d_model", about: "Numbers in the vector of a token" },
  { name: "n_heads", label: "Heads", about: "Query heads" },
  { name: "n_kv_heads", label: "K/V heads", about: "Key/value heads, shared by query heads; empty: as many as heads" },
  { name: "n_layers", label: "Layers", about: "" },
  { name: "n_tokens", label: "Tokens", about: "Length of the text" },
  { name: "bytes_per_number", label: "Bytes a number", about: "In the K/V cache: 2 for bfloat16, 4 for float32" },
]);

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createCalculator(store) {
  const { actions } = store;
  let waiting = 0;
  const change = (/** @type {Partial<Sizes>} */ part) => actions.choose(sizesChoice, { ...sizesChoice.of(store.state), ...part });
  const boxes = FIELDS.map(({ name, label, about }) => {
    const input = element("input", { type: "number", id: `calculator-${name}`, min: 1, step: 1, inputmode: "numeric", title: about, placeholder: name === "n_kv_heads" ? "as heads" : null });
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      const value = input.value === "" && name === "n_kv_heads" ? null : Math.round(Number(input.value));
      if (value !== null && !(value >= 1)) return;
      waiting = setTimeout(() => change({ [name]: value }), PAUSE_MS);
    });
    return { name, input, field: element("div", { class: "tool" }, element("label", { for: input.id, title: about }, label), input) };
  });
  const bias = switchBox("calculator-bias", "Biases", (on) => change({ bias: on }));
  const chips = element("div", { class: "chips calculator-presets", role: "group", "aria-label": "Sizes of known models" });
  const source = element("p", { class: "quiet" });
  const form = element("form", { class: "card calculator-form", autocomplete: "off", onsubmit: (event) => event.preventDefault() }, chips, element("div", { class: "calculator-fields" }, ...boxes.map(({ field }) => field), bias.field), source);
  const problem = element("div", { class: "problem", role: "alert", hidden: true });
  const results = element("div", { class: "calculator-results" });
  const root = element("div", { class: "calculator" }, form, problem, results);

  return {
    root,
    views: [
      {
        reads: (state) => [presets.of(state)?.answer, sizesChoice.of(state)],
        render(state) {
          const sizes = sizesChoice.of(state);
          const known = presets.of(state)?.answer?.presets ?? [];
          if (chips.childNodes.length !== known.length) {
            chips.replaceChildren(...known.map((preset) => button("chip small", preset.name, () => actions.choose(sizesChoice, { ...sizesOf(preset), bytes_per_number: sizesChoice.of(store.state).bytes_per_number }), { "data-preset": preset.id })));
          }
          known.forEach((preset, at) => /** @type {HTMLElement} */ (chips.childNodes[at]).setAttribute("aria-pressed", String(isPreset(preset, sizes))));
          const chosen = known.find((preset) => isPreset(preset, sizes));
          setText(source, chosen ? [chosen.source, chosen.note].filter(Boolean).join(". ") : "");
          for (const { name, input } of boxes) if (document.activeElement !== input) input.value = sizes[name] === null ? "" : String(sizes[name]);
          bias.box.checked = sizes.bias;
        },
      },
      {
        reads: (state) => [calculation.of(state), calculation.latest(state)],
        render(state) {
          const known = calculation.of(state);
          const shown = known?.problem ? null : (known?.answer ?? calculation.latest(state)?.answer ?? null);
          results.classList.toggle("stale", known === null);
          const problems = known?.problem ? [{ message: known.problem.message, size: "", nearest: [] }] : (shown?.problems ?? []);
          setHidden(problem, problems.length === 0);
          problem.replaceChildren(...problems.flatMap((/** @type {any} */ one) => problemOf(one)));
          results.replaceChildren(...(shown?.counts ? cardsOf(shown) : []));
        },
      },
    ],
  };

  /** @param {{size: string, message: string, nearest: number[]}} found */
  function problemOf({ size, message, nearest }) {
    const fixes = nearest.map((value) => button("chip small", `${size} ${value}`, () => change({ [size]: value })));
    return [element("p", {}, message), ...(fixes.length > 0 ? [element("div", { class: "chips" }, ...fixes)] : [])];
  }
}

/** @param {any} answer */
function cardsOf({ shape, counts, expresses }) {
  const { d_head, parameters, flops, cache, maps } = counts;
  const number = (/** @type {number} */ value) => value.toLocaleString("en");
  const head = element("section", { class: "card calculator-card d-head" }, element("h2", {}, "Width of a head"), element("p", { class: "large" }, element("output", {}, String(d_head))), element("p", { class: "quiet" }, `d_model ÷ heads = ${number(shape.d_model)} ÷ ${number(shape.n_heads)}`));
  const express = element("section", { class: "card calculator-card expresses" }, element("h2", {}, "What these sizes can express"), ...expresses.map((/** @type {string} */ sentence) => element("p", {}, sentence)));
  const cell = (/** @type {number} */ count, /** @type {string} */ shape) => element("td", {}, number(count), element("span", { class: "quiet" }, shape));
  const rows = parameters.matrices.map((/** @type {any} */ one) =>
    element("tr", {}, element("th", { scope: "row" }, one.name), cell(one.separate, `${one.n_separate} × [${one.separate_shape.join(" × ")}]`), cell(one.fused, `[${one.fused_shape.join(" × ")}]`)),
  );
  const sum = element("tr", { class: "sum" }, element("th", { scope: "row" }, "one layer"), cell(parameters.separate, ""), cell(parameters.fused, ""));
  const titles = ["Matrix", "separate", "fused"].map((text) => element("th", { scope: "col" }, text));
  const biases = parameters.biases > 0 ? [element("p", { class: "quiet" }, `With ${number(parameters.biases)} biases a layer.`)] : [];
  const counted = element("section", { class: "card calculator-card parameters" }, element("h2", {}, `Parameters: ${largeText(parameters.all_layers)} in all layers`), element("table", {}, element("thead", {}, element("tr", {}, ...titles)), element("tbody", {}, ...rows, sum)), ...biases);
  const most = Math.max(...flops.steps.map((/** @type {any} */ step) => step.flops));
  const steps = flops.steps.map((/** @type {any} */ step) => element("li", {}, element("span", {}, step.name.replaceAll("_", " ")), bar(step.flops / most), element("span", { class: "number" }, largeText(step.flops))));
  const operations = element("section", { class: "card calculator-card flops" }, element("h2", {}, `Operations: ${largeText(flops.all_layers)} for one text`), element("ol", { class: "flop-bars" }, ...steps), element("p", { class: "quiet" }, flops.counted));
  const both = Math.max(cache.all_layers, cache.full_multi_head);
  const caches = [
    ["these K/V heads", cache.all_layers],
    ["full multi-head", cache.full_multi_head],
  ].map(([name, bytes]) => element("li", {}, element("span", {}, String(name)), bar(Number(bytes) / both), element("span", { class: "number" }, bytesText(Number(bytes)))));
  const smaller = cache.times_smaller > 1 ? `Sharing makes it ${cache.times_smaller} times smaller. ` : "";
  const memory = element("section", { class: "card calculator-card cache" }, element("h2", {}, "K/V cache of one text"), element("ol", { class: "flop-bars" }, ...caches), element("p", { class: "quiet" }, `${smaller}${bytesText(cache.one_token)} a token in all layers. The maps of the text hold ${largeText(maps.all_layers)} weights.`));
  return [head, memory, express, counted, operations];
}
