// A made-up record of a model of two layers of three heads, in the shape the server gives.

import { atlas } from "../../frontend/heads/atlas.js";
import { keyOf } from "../../frontend/requests/resource.js";

/** Parts of a state that knows a model's record, or why there is none. */
export function withAtlas(answer, problem = null, model = "both") {
  const question = { model, edition: 0 };
  const answers = new Map([[atlas, new Map([[keyOf(question), { question, answer, problem }]])]]);
  return { answers, models: [{ id: model, no_atlas: null }], build: { edition: 0 } };
}

const holder = (layer, head, value, baseline) => ({
  layer,
  head,
  value,
  n: 100,
  low: value - 0.05,
  high: value + 0.05,
  baseline,
  lift: value - baseline,
  split: "the test set",
  evidence: `${value} of 100 on the test set.`,
});

/** The record of a model in which two heads rest, one of which has another role too. */
export const restingAtlas = () => {
  const { counts, groups, roles, ...others } = smallAtlas();
  const sink = { id: "sink", label: "Sink", letter: "F", meaning: "rests", idle: true, against: "uniform attention" };
  const heads = [holder(1, 1, 0.99, 0.05), holder(0, 2, 0.95, 0.05)];
  return {
    ...others,
    counts: { ...counts, with_role: 4, groups: { ...counts.groups, sink: 2 } },
    groups: [...groups, sink],
    roles: [...roles, { id: "sink64", group: "sink", label: "first token", claim: "tokens → the first token", heads }],
  };
};

const lead = (split, accuracy, rule_accuracy) => ({
  split,
  n: 1234,
  accuracy,
  rule_accuracy,
  difference: accuracy - rule_accuracy,
  low: accuracy - rule_accuracy - 0.05,
  high: accuracy - rule_accuracy + 0.05,
});

const fallen = (id, head, accuracy, rule_accuracy) => ({
  id,
  group: "syntax",
  label: id,
  claim: `${id} → their noun`,
  layer: 0,
  head,
  rule: "the next content word",
  leads: [lead("the dev set", accuracy, rule_accuracy), lead("the test set", accuracy, rule_accuracy)],
  evidence: `Not above the best simple rule. ${id} → their noun: it is the whole sentence.`,
});

export const nullOf = (section, more = {}) => ({
  section,
  id: "random",
  what: "The same model with random weights.",
  runs: 1,
  roles: 0,
  found: [],
  expected: 0,
  upper: 3.6889,
  counts_as_false: true,
  ...more,
});

export const smallAtlas = () => ({
  model: { id: "both", name: "Both", n_layers: 2, n_heads: 3 },
  revision_matches: true,
  sections: { surface: section(), syntax: section() },
  missing: ["sink", "copy", "names", "coreference", "similarity"],
  counts: { heads: 6, with_role: 3, beyond_idle: 3, groups: { syntax: 2, local: 2 } },
  not_above: [fallen("adjectives", 0, 0.62, 0.58), fallen("determiners", 0, 0.72, 0.61)],
  behaviours: [
    {
      layer: 0,
      head: 0,
      words: "function words",
      rule: "the next content word",
      n: 9876,
      agreement: 0.61,
      low: 0.6,
      high: 0.62,
      uniform: 0.12,
      evidence:
        "From function words to the next content word: 61 % of its 9,876 choices on the test set (95 % interval 60 to 62 %), uniform attention 12 %.",
    },
  ],
  nulls: [nullOf("surface"), nullOf("syntax")],
  measures: {
    entropy: measure("entropy", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    gap: measure("pronoun to name", [0.5, 0.52, null, 0.6, 0.7, 0.4]),
  },
  relations: [],
  groups: [
    { id: "syntax", label: "Syntax", letter: "S", meaning: "links words", idle: false, against: "the best rule that does not read" },
    { id: "coreference", label: "Coreference", letter: "C", meaning: "links names", idle: false, against: "the best rule that does not read" },
    { id: "local", label: "Local context", letter: "L", meaning: "looks at a neighbour", idle: false, against: "uniform attention" },
  ],
  roles: [
    { id: "previous", group: "local", label: "previous token", claim: "p", heads: [holder(1, 2, 0.9, 0.1), holder(0, 1, 0.6, 0.1)] },
    { id: "obj:dependent", group: "syntax", label: "objects", claim: "o", heads: [holder(1, 1, 0.6, 0.4), holder(1, 2, 0.5, 0.4)] },
    { id: "obj:head", group: "syntax", label: "verbs", claim: "v", heads: [holder(1, 2, 0.8, 0.4)] },
  ],
  specialisations: [
    {
      name: "verb-object",
      question: "Which heads link a verb and its object?",
      rows: ["obj:dependent", "obj:head"],
      best: { layer: 1, head: 2, evidence: "0.8 of 100 on the test set." },
      holds: true,
    },
    {
      name: "pronoun resolution, coreference",
      question: "Which heads link a pronoun to its name?",
      rows: [],
      best: { layer: 1, head: 1, evidence: "70 % of 100 on GAP, the nearest candidate 65 %." },
      holds: false,
    },
    { name: "cause", question: "Which heads link a clause?", rows: [], best: null, holds: false },
  ],
  examples: {},
  examples_source: "A treebank.",
  similar: {},
  layout: [],
});

function section() {
  return { made: { date: "2026-01-01", command: "headscope atlas build both" } };
}

function measure(label, values) {
  return { label, meaning: label, unit: "share", n: 50, baseline: null, values, low: null, high: null };
}
