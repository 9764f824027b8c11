// A made-up training run: two layers of two heads, three checkpoints, and the film of a text of three tokens.

const SETTINGS = { task: "language", n_symbols: null, first_layer: "free", n_layers: 2, n_heads: 2, d_model: 8, d_mlp: 0, steps: 100, batch: 64, learning_rate: 0.003, seed: 0, points: 3 };

const metric = (value) => ({ n: 50, baseline: 0.2, value, low: value.map((row) => row.map((one) => one - 0.05)), high: value.map((row) => row.map((one) => one + 0.05)) });
const relation = (accuracy, heads) => ({ label: "verb and subject", n: 40, accuracy, low: 0, high: 1, n_hard: 9, hard_accuracy: accuracy / 2, heads, rule: "itself", rule_accuracy: 0.5 });

/** A checkpoint in which one head has this much of everything. */
export function point(step, loss, share = 0, more = {}) {
  const rows = [[0.1, 0.2], [share, 0.1]];
  const roles = share > 0.5 ? [{ layer: 1, head: 0, role: "subject", label: "verb and subject", n: 20, value: share, low: 0.1, baseline: 0.5 }] : [];
  return { kind: "point", step, loss, accuracy: 0.5, metrics: { induction: metric(rows) }, relations: { subject: relation(0.9, rows) }, roles, ...more };
}

export const loss = (step, value = 1) => ({ kind: "loss", step, loss: value, seconds: step / 10 });

export function summary(more = {}) {
  return { id: "run-1", name: "A run", shipped: false, state: "done", message: "", ahead: null, step: 100, loss: 0.5, accuracy: 0.5, settings: SETTINGS, n_parameters: 1234, created: "2026-01-01T00:00:00+00:00", ...more };
}

export function record(more = {}) {
  const points = [point(0, 2), point(50, 1.5, 0.1), point(100, 0.5, 0.8)];
  const lines = [{ id: "nothing", label: "uses nothing", value: 1.6, meaning: "All alike." }];
  return { ...summary(), lines, losses: [loss(50), loss(100, 0.4)], points, kept_steps: [0, 50, 100], examples: ["a b c", "c b a"], vocabulary: ["a", "b", "c", "d", "e"], n_events: 7, ...more };
}

/** The film of three tokens at these steps, as safetensors are read. */
export function film(steps = [0, 50, 100]) {
  const tokens = ["a", "b", "c"].map((text, index) => ({ index, id: index, text, piece: text, kind: "word_start", word: index, start: 0, end: 1, segment: 0 }));
  const shape = [steps.length, 2, 2, 3, 3];
  const values = Float32Array.from({ length: steps.length * 36 }, (_, at) => at / 1000);
  const meta = { run: "run-1", steps, tokens, predictions: steps.map((step) => (step === 0 ? ["a", "a", "a"] : ["b", "a", "c"])) };
  return { tensors: { patterns: { shape, values } }, metadata: { meta: JSON.stringify(meta) } };
}

export const task = {
  ...{ id: "language", label: "Small language", about: "Sentences.", source: "Its own", settings: SETTINGS, symbols: [], vocabulary: ["a"], examples: ["a"] },
  relations: [{ id: "subject", label: "verb and subject", claim: "before a verb → its subject" }],
};
