// What a corpus says of a model's heads: the shape of the server's record, and its fetching, once a model.

import { ServerError } from "../server/api.js";

/** @typedef {import("../state/state.js").State} State */
/** @typedef {import("../state/store.js").RunActions} RunActions */
/**
 * @typedef {object} Atlas one model's heads, measured on a corpus; lists of heads are indexed layer * n_heads + head
 * @property {{id: string, name: string, n_layers: number, n_heads: number}} model
 * @property {boolean | null} revision_matches whether it was made from the weights that are here
 * @property {{date: string, command: string}} made
 * @property {Record<string, CorpusMeasure>} measures
 * @property {Relation[]} relations
 * @property {Group[]} groups
 * @property {Role[]} roles
 * @property {Specialisation[]} specialisations
 * @property {Record<string, Example[]>} examples by "layer.head"
 * @property {string} examples_source whose sentences the examples are
 * @property {Record<string, [number, number, number][]>} similar by "layer.head": layer, head, distance
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
 * @property {(number | null)[] | null} weighted the values of value-weighted attention, without interval and baseline
 */
/**
 * @typedef {object} Relation
 * @property {string} id
 * @property {string} relation
 * @property {string} direction
 * @property {string} claim
 * @property {number} layer
 * @property {number} head
 * @property {number} accuracy
 * @property {number} n
 * @property {number} baseline
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
 * @typedef {object} Specialisation what people say heads do, as a question
 * @property {string} name
 * @property {string} question
 * @property {string[]} rows ids of roles or relations
 * @property {{layer: number, head: number, evidence: string} | null} best
 * @property {boolean} holds
 */
/** @typedef {{role: string | null, words: string[], query: number, key: number, weight: number, source: string}} Example */

export class Atlases {
  /** The model whose record is here or on its way. @type {string | null} */
  #model = null;

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
   * @param {State} state
   */
  async want({ model, models }) {
    const listed = models.find(({ id }) => id === model);
    if (model === this.#model || model === null || !listed) return;
    this.#model = model;
    /** @type {import("../state/state.js").KnownAtlas} */
    let known;
    try {
      known = { model, record: await this.#fetch(listed), problem: null };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const problem = error instanceof ServerError ? error.problem : { code: "unreachable", message, details: null };
      known = { model, record: null, problem };
      // A server that did not answer may do so next time; that there is no record is an answer.
      if (problem.code !== "no_atlas" && model === this.#model) this.#model = null;
    }
    if (this.#model === null || model === this.#model) this.actions.receiveAtlas(known);
  }

  /**
   * What the list of models has said already is not asked for.
   * @param {Pick<import("../server/api.js").Model, "id" | "no_atlas">} listed
   */
  async #fetch({ id, no_atlas }) {
    if (no_atlas !== null) throw new ServerError({ code: "no_atlas", message: no_atlas, details: { model: id } });
    return this.fetchAtlas(id);
  }
}
