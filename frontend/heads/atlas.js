// What a corpus says of a model's heads: the shape of the server's record, requested once per model and edition.

import { perObject } from "../page/memo.js";
import { resource } from "../requests/resource.js";
import { onSide, sidesOf } from "../state/sides.js";

/** @typedef {"surface" | "sink" | "copy" | "names" | "syntax" | "coreference" | "similarity"} SectionName */
/**
 * @typedef {object} Atlas what the page reads of a model's record; lists of heads are indexed layer * n_heads + head
 * @property {{id: string, name: string, n_layers: number, n_heads: number}} model
 * @property {boolean | null} revision_matches whether it was made from the weights that are here
 * @property {Partial<Record<SectionName, {made: {date: string, command: string}}>>} sections what was measured, and when
 * @property {SectionName[]} missing sections that were not measured
 * @property {{heads: number, with_role: number, beyond_idle: number, groups: Record<string, number>}} counts heads with a
 *   role; beyond_idle: with one that is neither sink nor delimiter
 * @property {Record<string, CorpusMeasure>} measures
 * @property {Group[]} groups
 * @property {Role[]} roles
 * @property {NotAbove[]} not_above
 * @property {Behaviour[]} behaviours
 * @property {NullResult[]} nulls
 * @property {Specialisation[]} specialisations
 * @property {Record<string, Example[]>} examples by "layer.head"
 * @property {string} examples_source whose sentences the examples are
 * @property {Record<string, [number, number, number][]>} similar by "layer.head": layer, head, distance
 * @property {[number, number][]} [layout] place of each head on a map by similarity; empty where that is not measured,
 *   not recorded in snapshots
 */
/**
 * @typedef {object} CorpusMeasure
 * @property {string} label
 * @property {string} meaning
 * @property {string} unit
 * @property {number | null} n
 * @property {number | null} baseline
 * @property {(number | null)[]} values
 * @property {(number | null)[] | null} low
 * @property {(number | null)[] | null} high
 * @property {(number | null)[] | null} [weighted] the values of value-weighted attention, without interval and baseline
 */
/**
 * @typedef {object} Lead a head compared with a rule on the same cases, with the 95 % interval of the difference
 * @property {string} split
 * @property {number} n
 * @property {number} accuracy
 * @property {number} rule_accuracy
 * @property {number} difference
 * @property {number} low
 * @property {number} high
 */
/**
 * @typedef {object} Group
 * @property {string} id
 * @property {string} label
 * @property {string} letter
 * @property {string} meaning
 * @property {boolean} idle whether its roles say where a head rests when it finds nothing to do
 * @property {string} against what the baseline of its roles is, in words
 */
/** @typedef {{id: string, group: string, label: string, claim: string, heads: RoleHolder[]}} Role heads best first */
/**
 * @typedef {Cell & RoleNumbers} RoleHolder
 * @typedef {object} RoleNumbers
 * @property {number} n cases
 * @property {number} value
 * @property {number | null} low the lower end of its 95 % interval
 * @property {number | null} baseline
 * @property {number | null} lift value minus baseline
 * @property {string} split the data it was measured on
 * @property {string} evidence one sentence
 */
/**
 * @typedef {object} NotAbove a claim that a head does not make better than the best simple rule: no role
 * @property {string} id
 * @property {string} label
 * @property {string} claim
 * @property {number} layer
 * @property {number} head
 * @property {string} rule in words
 * @property {[Lead, Lead, ...Lead[]]} leads on dev, on test and, of two halves of one file, on both together
 */
/**
 * @typedef {object} Behaviour the simple rule a head follows, from words to a word
 * @property {number} layer
 * @property {number} head
 * @property {string} words
 * @property {string} rule
 * @property {number} n choices
 * @property {number} agreement share of them that the rule explains
 * @property {number} uniform share of those of uniform attention
 * @property {string} evidence
 */
/**
 * @typedef {object} NullResult what the same protocol finds where there is nothing to find
 * @property {SectionName} section
 * @property {string} what
 * @property {number} runs
 * @property {number} roles over all runs
 * @property {string[]} found which, at most ten
 * @property {number} expected false roles a run
 * @property {number} upper end of the 95 % interval of that number
 * @property {boolean} counts_as_false false where roles may be real
 */
/**
 * @typedef {object} Specialisation what people say heads do, as a question
 * @property {string} name
 * @property {string} question
 * @property {string[]} rows ids of roles
 * @property {(Cell & {evidence: string}) | null} best
 * @property {boolean} holds
 */
/** @typedef {{role: string | null, words: string[], query: number, key: number, weight: number, source: string}} Example */

/** @typedef {{model: string, edition: number}} AtlasQuestion edition: grows with each section that was measured */

/** The records of both sides' models, where the server has one. @type {import("../requests/resource.js").Resource<AtlasQuestion, Atlas>} */
export const atlas = resource(
  ({ model }) => `/models/${encodeURIComponent(model)}/atlas`,
  (state) => {
    const wanted = new Set(sidesOf(state).map((side) => onSide(state, side).model));
    const listed = state.models.filter(({ id, no_atlas }) => wanted.has(id) && no_atlas === null);
    return listed.map(({ id }) => ({ model: id, edition: state.build.edition }));
  },
  { method: "GET", keep: 4 },
);

/** What the list of models says already is not requested. */
const unmeasured = perObject((/** @type {Model} */ { id, no_atlas }) => {
  const problem = { code: "no_atlas", message: no_atlas ?? "", details: { model: id } };
  return { question: { model: id }, answer: null, problem };
});

/**
 * What is known of a model's heads from a corpus: of the last edition, while a newer one is on its way.
 * @param {Pick<State, "answers" | "models" | "build">} state
 * @param {string} model
 * @returns {import("../state/state.js").Known<Atlas> | null} null while unknown
 */
export function atlasOfModel(state, model) {
  const listed = state.models.find(({ id }) => id === model);
  if (listed && listed.no_atlas !== null) return unmeasured(listed);
  return atlas.find(state, { model, edition: state.build.edition }) ?? atlas.latest(state, (asked) => asked.model === model);
}
