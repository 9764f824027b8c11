// Records of many trainings: how many heads help, and which head does what in which seed.

import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { shownSweep } from "./choices.js";
import { isTrainingOpen, lossText } from "./runs.js";

/**
 * @typedef {object} SweepRun one trained model
 * @property {number} n_heads
 * @property {number} seed
 * @property {number} loss
 * @property {Record<string, number>} accuracy by relation
 * @property {Record<string, number>} hard_accuracy where a nearer word would mislead
 * @property {Record<string, number | null>} learned_at by relation, the step from which 95 % of its cases fit; null: it never was
 * @property {number | null} apart mean divergence between two heads of a layer, in nats; null: there is one head
 * @property {number} roles how many heads have a role of the task
 */
/** @typedef {{settings: import("./runs.js").RunSettings, labels: Record<string, string>, runs: SweepRun[]}} HeadsSweep */
/**
 * @typedef {object} RoleAcrossSeeds
 * @property {string} role
 * @property {string} label
 * @property {{seed: number, heads: [number, number][]}[]} placed
 * @property {number} n_seeds
 * @property {number} n_pairs heads with the role, over pairs of seeds that both have it
 * @property {number | null} matched how often the matched head has the role too
 * @property {number | null} shuffled the same for random matchings
 * @property {number | null} shuffled_high what 97.5 % of them stay below
 * @property {number | null} same_place how often the head of the same number has it
 */
/**
 * @typedef {{settings: import("./runs.js").RunSettings, seeds: number[], roles: RoleAcrossSeeds[], matched_distance: number,
 *   shuffled_distance: number}} RolesSweep
 */
/** @typedef {{heads: HeadsSweep, roles: RolesSweep}} Sweeps */
/** @typedef {import("../drawing/line_chart.js").Series} Series */

const QUESTION = {};

/** @type {import("../requests/resource.js").Resource<object, Sweeps>} */
export const sweeps = resource("/learn/sweeps", (state) => (shownSweep(state) === null ? null : QUESTION), { method: "GET", when: isTrainingOpen });

/** @typedef {{title: string, yTitle: string, values: {name: string, tone: number, of: (run: SweepRun) => number | null}[]}} SweepMeasure */

/** What is shown of each number of heads. @param {HeadsSweep} sweep @returns {SweepMeasure[]} */
function measuresOf({ labels, runs }) {
  const relations = Object.entries(labels).map(([id, name], tone) => ({ id, name, tone }));
  const byRelation = (/** @type {"accuracy" | "hard_accuracy"} */ which) =>
    relations.filter(({ id }) => runs.some((run) => id in run[which])).map(({ id, name, tone }) => ({ name, tone, of: (/** @type {SweepRun} */ run) => run[which][id] ?? null }));
  return [
    { title: "Held-out loss", yTitle: "Nats", values: [{ name: "loss", tone: 0, of: ({ loss }) => loss }] },
    { title: "Steps until 95 % have the right form", yTitle: "Step", values: relations.map(({ id, name, tone }) => ({ name, tone, of: ({ learned_at }) => learned_at[id] ?? null })) },
    { title: "Right form, by relation", yTitle: "Share right", values: byRelation("accuracy") },
    { title: "The same where a nearer word would mislead", yTitle: "Share right", values: byRelation("hard_accuracy") },
    { title: "How different the heads of a layer are", yTitle: "Divergence (nats)", values: [{ name: "divergence", tone: 0, of: ({ apart }) => apart }] },
    { title: "Heads with a role of the task", yTitle: "Heads", values: [{ name: "heads", tone: 0, of: ({ roles }) => roles }] },
  ];
}

/** The values of each number of heads, over seeds. @param {SweepRun[]} runs @param {(run: SweepRun) => number | null} of */
export function bySize(runs, of) {
  const sizes = [...new Set(runs.map(({ n_heads }) => n_heads))].sort((one, other) => one - other);
  return sizes.flatMap((n_heads) => {
    const values = runs.filter((run) => run.n_heads === n_heads).map(of).filter((value) => value !== null);
    if (values.length === 0) return [];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return [{ n_heads, values, mean, low: Math.min(...values), high: Math.max(...values) }];
  });
}

/** The charts over the number of heads. @type {(sweep: HeadsSweep) => {title: string, chart: LineChart}[]} */
export const sweepCharts = perObject((sweep) => {
  const sizes = bySize(sweep.runs, ({ loss }) => loss).map(({ n_heads }) => n_heads);
  const xTicks = sizes.map((size) => ({ at: Math.log2(size), text: String(size) }));
  const ends = /** @type {[number, number]} */ ([Math.log2(sizes[0] ?? 1) - 0.3, Math.log2(sizes.at(-1) ?? 1) + 0.3]);
  return measuresOf(sweep).map(({ title, yTitle, values }) => ({
    title,
    chart: { series: values.flatMap(({ name, tone, of }) => seriesOf(name, bySize(sweep.runs, of), tone)), lines: [], xTitle: "Heads in each layer", xRange: ends, xTicks, yTitle },
  }));
});

/** The mean as a line with bars from the lowest to the highest seed, and each seed as a dot. @param {string} name @param {ReturnType<typeof bySize>} groups @param {number} tone @returns {Series[]} */
function seriesOf(name, groups, tone) {
  const x = groups.map(({ n_heads }) => Math.log2(n_heads));
  const bars = { low: groups.map(({ low }) => low), high: groups.map(({ high }) => high), ends: /** @type {const} */ ("bars") };
  const dots = groups.flatMap(({ n_heads, values }) => values.map((value) => ({ x: Math.log2(n_heads), y: value })));
  return [
    { name, x, y: groups.map(({ mean }) => mean), ...bars, tone, width: 2 },
    { name: `${name}, one seed`, x: dots.map((dot) => dot.x), y: dots.map((dot) => dot.y), tone, width: 0, isUnnamed: true, isFaint: true },
  ];
}

/** What the sweep says of the loss, in one sentence. @param {HeadsSweep} sweep */
export function headsWords({ runs }) {
  const groups = bySize(runs, ({ loss }) => loss).sort((one, other) => one.mean - other.mean);
  const [best, worst] = [groups[0], groups.at(-1)];
  if (!best || !worst || best === worst) return "";
  const said = (/** @type {typeof best} */ { n_heads, mean, low, high }) => `${n_heads} ${n_heads === 1 ? "head" : "heads"} (mean ${fine(mean)}, seeds ${fine(low)} to ${fine(high)})`;
  const overlap = best.high >= worst.low ? "; their seeds overlap" : "";
  return `The held-out loss is lowest with ${said(best)} and highest with ${said(worst)}${overlap}.`;
}

/** @param {number} loss three decimals: the models differ little */
function fine(loss) {
  return loss < 0.1 ? lossText(loss) : loss.toFixed(3);
}

/** Whether the matched head has the role more often than almost all random matchings. @param {RoleAcrossSeeds} role */
export function isMatched({ matched, shuffled_high }) {
  return matched !== null && shuffled_high !== null && matched > shuffled_high;
}

/** What the roles across seeds say, in a sentence or two. @param {RolesSweep} sweep */
export function rolesWords({ seeds, roles }) {
  const always = roles.filter(({ n_seeds }) => n_seeds === seeds.length);
  const shared = roles.filter(({ matched }) => matched !== null);
  const matched = shared.filter(isMatched);
  const places = shared.map(({ same_place }) => same_place).filter((share) => share !== null);
  const names = always.length === 0 ? "" : `: ${always.map(({ label }) => label).join(", ")}`;
  const count = always.length === 0 ? "no role" : always.length === 1 ? "one role" : `${always.length} roles`;
  const first = `Of ${roles.length} roles in ${seeds.length} seeds, ${count} ${always.length > 1 ? "appear" : "appears"} in every seed${names}.`;
  if (shared.length === 0) return first;
  const range = places.length === 0 ? "" : `; the head of the same number has it in ${percentRange(places)}`;
  const which = matched.length === shared.length ? `For each of the ${shared.length} roles` : `For ${matched.length} of the ${shared.length} roles`;
  return `${first} ${which} that two seeds share, the matched head has the role more often than 97.5 % of shuffled matchings${range}.`;
}

/** @param {number[]} shares */
function percentRange(shares) {
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => Math.round(100 * share));
  return least === most ? `${least} %` : `${least} to ${most} %`;
}
