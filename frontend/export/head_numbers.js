// The numbers of one head as a table to save: every metric on this sentence and on the corpus, not rounded.

import { layerValues } from "../heads/measures.js";
import { headName } from "../page/labels.js";
import { isWeighted } from "../state/selectors.js";

/** @typedef {import("./number_files.js").NumberTable} NumberTable */

const COLUMNS = [
  ...["side", "layer", "head", "metric", "label"],
  ...["sentence_values", "sentence", "sentence_n", "sentence_uniform_attention"],
  ...["corpus_values", "corpus", "corpus_low", "corpus_high", "corpus_n", "corpus_baseline"],
];

/**
 * One row a metric; what is not known is empty. Interval and baseline of the corpus are those of raw attention.
 * @param {SideView} state
 * @param {Cell} cell
 * @param {Atlas | null} record
 * @returns {NumberTable}
 */
export function headNumbersTable(state, cell, record) {
  const { layer, head } = cell;
  const metrics = state.metrics_catalogue?.metrics ?? [];
  const names = new Set(metrics.map(({ name }) => name));
  const others = Object.entries(record?.measures ?? {}).filter(([name]) => !names.has(name)).map(([name, { label }]) => ({ name, label }));
  const values = layerValues(state, layer);
  const rows = [...metrics, ...others].map(({ name, label }) => {
    const { n = null, baseline = null } = state.analysis?.opportunities?.[name] ?? {};
    const sentence = [names.has(name) ? (isWeighted(state) ? "weighted" : "raw") : null, values?.[name]?.[head] ?? null, n, baseline];
    return [state.side.toUpperCase(), layer, head, name, label, ...sentence, ...corpusFields(state, cell, record, name)];
  });
  return {
    id: `L${layer}-H${head}-numbers`,
    title: `the numbers of ${headName(layer, head)} of ${state.side.toUpperCase()}, on the sentence and on the corpus`,
    values: "as the columns sentence_values and corpus_values say",
    columns: COLUMNS,
    rows,
  };
}

/** @param {SideView} state @param {Cell} cell @param {Atlas | null} record @param {string} name @returns {(string | number | null)[]} */
function corpusFields(state, { layer, head }, record, name) {
  const measure = record?.measures[name];
  if (!record || !measure) return [null, null, null, null, null, null];
  const at = layer * record.model.n_heads + head;
  const weighted = isWeighted(state) ? measure.weighted : null;
  if (weighted) return ["weighted", weighted[at], null, null, measure.n, null];
  return ["raw", measure.values[at], measure.low?.[at] ?? null, measure.high?.[at] ?? null, measure.n, measure.baseline];
}
