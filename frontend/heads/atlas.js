// What a corpus says of a model's heads: the shape of the server's record, and its fetching, once a model.

import { ServerError } from "../requests/api.js";

/** @typedef {"surface" | "sink" | "copy" | "names" | "syntax" | "coreference" | "similarity"} SectionName */
/**
 * @typedef {object} Atlas one model's heads, measured on a corpus; lists of heads are indexed layer * n_heads + head
 * @property {{id: string, name: string, n_layers: number, n_heads: number}} model
 * @property {boolean | null} revision_matches whether it was made from the weights that are here
 * @property {Partial<Record<SectionName, {made: {date: string, command: string}}>>} sections what was measured, and when
 * @property {SectionName[]} missing sections that were not measured
 * @property {{heads: number, with_role: number, beyond_idle: number, groups: Record<string, number>}} counts heads with a
 *   role; beyond_idle: with one that is neither sink nor delimiter
 * @property {Record<string, CorpusMeasure>} measures
 * @property {Relation[]} relations
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
 * @typedef {object} Lead a head against a rule on the same cases, with the 95 % interval of the difference
 * @property {string} split
 * @property {number} n
 * @property {number} accuracy
 * @property {number} rule_accuracy
 * @property {number} difference
 * @property {number} low
 * @property {number} high
 */
/**
 * @typedef {object} Relation
 * @property {string} id
 * @property {string} relation
 * @property {string} direction
 * @property {string} claim
 * @property {string} rule the best simple rule, in words
 * @property {number} layer
 * @property {number} head
 * @property {number} accuracy
 * @property {number} n
 * @property {number} baseline what that rule gets
 * @property {[Lead, Lead, ...Lead[]]} leads on dev, on test and, of two halves of one file, on both together
 * @property {boolean} holds
 */
/** @typedef {{id: string, label: string, letter: string, meaning: string}} Group */
/** @typedef {{id: string, group: string, label: string, claim: string, heads: RoleHolder[]}} Role heads best first */
/**
 * @typedef {object} RoleHolder
 * @property {number} layer
 * @property {number} head
 * @property {number} value
 * @property {number | null} n
 * @property {number | null} low
 * @property {number | null} high
 * @property {number | null} baseline
 * @property {number | null} lift
 * @property {string} split
 * @property {string} evidence one sentence for people
 */
/**
 * @typedef {object} NotAbove a claim that a head does not make better than the best simple rule: no role
 * @property {string} id
 * @property {string} group
 * @property {string} label
 * @property {string} claim
 * @property {number} layer
 * @property {number} head
 * @property {string} rule in words
 * @property {[Lead, Lead, ...Lead[]]} leads on dev, on test and, of two halves of one file, on both together
 * @property {string} evidence
 */
/**
 * @typedef {object} Behaviour the simple rule that a head follows when it looks at words
 * @property {number} layer
 * @property {number} head
 * @property {string} words which words it looks from
 * @property {string} rule which word it looks at
 * @property {number} n
 * @property {number} agreement share of its choices that are the rule's
 * @property {number} low
 * @property {number} high
 * @property {number} uniform the same share for uniform attention
 * @property {string} evidence
 */
/**
 * @typedef {object} NullResult what the same protocol finds where there is nothing to find
 * @property {SectionName} section
 * @property {string} id
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
 * @property {string[]} rows ids of roles or relations
 * @property {{layer: number, head: number, evidence: string} | null} best
 * @property {boolean} holds
 */
/** @typedef {{role: string | null, words: string[], query: number, key: number, weight: number, source: string}} Example */

export class Atlases {
  /** Which record is here or on its way: see editionOf. @type {string | null} */
  #wanted = null;

  /**
   * @param {Pick<RunActions, "receiveAtlas">} actions of the side it is for
   * @param {(model: string) => Promise<Atlas>} fetchAtlas
   */
  constructor(actions, fetchAtlas) {
    this.actions = actions;
    this.fetchAtlas = fetchAtlas;
  }

  /**
   * Ask for the chosen model's record; an answer for a model no longer chosen is dropped.
   * @param {Pick<State, "model" | "models" | "build">} state
   */
  async want({ model, models, build }) {
    const listed = models.find(({ id }) => id === model);
    if (model === null || !listed) return;
    const wanted = editionOf(listed, build);
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    /** @type {KnownAtlas} */
    let known;
    try {
      known = { model, record: await this.#fetch(listed), problem: null };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const problem = error instanceof ServerError ? error.problem : { code: "unreachable", message, details: null };
      known = { model, record: null, problem };
      // A server that did not answer may do so next time; that there is no record is an answer.
      if (problem.code !== "no_atlas" && wanted === this.#wanted) this.#wanted = null;
    }
    if (this.#wanted === null || wanted === this.#wanted) this.actions.receiveAtlas(known);
  }

  /**
   * What the list of models has said already is not asked for.
   * @param {Listed} listed
   */
  async #fetch({ id, no_atlas }) {
    if (no_atlas !== null) throw new ServerError({ code: "no_atlas", message: no_atlas, details: { model: id } });
    return this.fetchAtlas(id);
  }
}

/** @typedef {Pick<Model, "id" | "no_atlas">} Listed */

/**
 * Which record of a model is wanted: another one once the server lists it, and after each section that was measured.
 * @param {Listed} listed
 * @param {Pick<State["build"], "edition">} build
 */
function editionOf({ id, no_atlas }, { edition }) {
  return JSON.stringify([id, no_atlas, edition]);
}
