// Roles of heads as a corpus proved them: which head has which, and the heads that a menu entry highlights.

import { headName, unbroken } from "../page/labels.js";
import { perObject } from "../page/memo.js";
import { atlasOfModel } from "./atlas.js";

/** @typedef {import("./atlas.js").Role} Role */
/** @typedef {{role: Role, group: Atlas["groups"][0], tone: number, holder: Role["heads"][0]}} HeadRole tone: the group's number */

export const UNASSIGNED = "No proven role on the corpus";
/** The same of a head that follows a simple rule, which is no role. */
export const ONLY_USUAL = "No proven role beyond its usual choice";

/** @param {SideView} state what is known of the model whose heads are on screen */
function knownAtlas(state) {
  const model = state.analysis?.model ?? state.model;
  return model === null ? null : atlasOfModel(state, model);
}

/** The record of the model whose heads the grid shows. @param {SideView} state @returns {Atlas | null} */
export function atlasOnScreen(state) {
  return knownAtlas(state)?.answer ?? null;
}

/** Why the model on screen has no record; null if it has one or that is not known yet. @param {SideView} state @returns {Problem | null} */
export function atlasProblem(state) {
  return knownAtlas(state)?.problem ?? null;
}

/**
 * How far the lower end of a role's interval is above its baseline, in parts of the way from there to 1: roles with
 * different baselines can be compared by it. Null where the role has no interval or no baseline.
 * @param {Pick<Role["heads"][0], "low" | "baseline">} holder
 */
export function roleStrength({ low, baseline }) {
  return low === null || baseline === null || baseline >= 1 ? null : (low - baseline) / (1 - baseline);
}

/**
 * The roles of each head by "layer.head", the strongest first. Those without a strength come after all that have one,
 * and where a head rests comes last: an idle head has nothing to do in most texts, which says little of what it does.
 */
export const rolesByHead = perObject((/** @type {Atlas} */ atlas) => {
  /** @type {Map<string, HeadRole[]>} */
  const found = new Map();
  for (const role of atlas.roles) {
    const tone = atlas.groups.findIndex((group) => group.id === role.group);
    if (tone < 0) continue;
    for (const holder of role.heads) {
      const name = `${holder.layer}.${holder.head}`;
      found.set(name, [...(found.get(name) ?? []), { role, group: atlas.groups[tone], tone, holder }]);
    }
  }
  for (const roles of found.values()) {
    roles.sort((one, other) => Number(one.group.idle) - Number(other.group.idle) || byStrength(one, other) || one.tone - other.tone);
  }
  return found;
});

/** @param {HeadRole} one @param {HeadRole} other */
export function byStrength({ holder: one }, { holder: other }) {
  const [first, second] = [roleStrength(one) ?? -Infinity, roleStrength(other) ?? -Infinity];
  return first === second ? 0 : second - first;
}

/** @param {HeadRole[]} roles of one head, as `rolesByHead` orders them; whether it has some, and only rests */
export function onlyRests(roles) {
  return roles.length > 0 && roles[0].group.idle;
}

/** @param {SideView} state @param {Cell} cell @returns {HeadRole[]} */
export function rolesOf(state, { layer, head }) {
  const record = atlasOnScreen(state);
  return (record && rolesByHead(record).get(`${layer}.${head}`)) ?? [];
}

/** The groups of a head's roles, each once. @param {HeadRole[]} roles */
export function groupsOf(roles) {
  return roles.filter(({ tone }, at) => roles.findIndex((other) => other.tone === tone) === at);
}

/** How many heads have a role, and how many of them do more than rest. @param {Pick<Atlas, "counts">} atlas */
export function roleCountWords({ counts: { heads, with_role, beyond_idle } }) {
  const verb = with_role === 1 ? "has" : "have";
  return `${with_role} of ${heads} heads ${verb} a role, ${beyond_idle} not counting sinks and delimiters`;
}

/**
 * @typedef {object} HighlightedHeads the heads that a menu entry highlights
 * @property {Map<string, number>} strengths of the heads that match, by "layer.head"
 * @property {Set<string>} roles by which they match
 * @property {string} text how many there are and of what
 */

/**
 * The heads of a chosen role, group or question; null: all heads, also when this model's record has no such entry.
 * @param {SideView} state
 * @returns {HighlightedHeads | null}
 */
export function headsOfRoles(state) {
  const record = atlasOnScreen(state);
  if (record === null) return null;
  const { model, groups, roles, specialisations } = record;
  const highlighted = (/** @type {Role[]} */ matching, /** @type {(count: string) => string} */ words) => {
    const strengths = strengthsOf(matching);
    const text = words(`${strengths.size} of ${model.n_layers * model.n_heads} heads`);
    return { strengths, roles: new Set(matching.map(({ id }) => id)), text };
  };
  const group = groups.find(({ id }) => state.show === `group:${id}`);
  const members = roles.filter((one) => one.group === group?.id);
  if (group) return highlighted(members, (count) => `${group.label}: ${count}. ${capital(group.meaning)}.`);
  const role = roles.find(({ id }) => state.show === `role:${id}`);
  if (role) return highlighted([role], (count) => `${capital(role.label)}: ${count}. Best: ${bestWords(role.heads[0])}`);
  const asked = specialisations.find(({ name }) => state.show === `spec:${name}`);
  if (!asked) return null;
  const { question, holds, rows, best } = asked;
  const proven = roles.filter(({ id }) => rows.includes(id));
  if (holds) return highlighted(proven, (count) => `${question} ${count}.${best ? ` Best: ${bestWords(best)}` : ""}`);
  const nearest = best ? `: the best, ${bestWords(best)}` : " and none could be measured.";
  return highlighted([], () => `${question} No head of this model does this well enough for a role${nearest}`);
}

/** @param {Role[]} roles @returns {Map<string, number>} by "layer.head", the largest lift of each */
function strengthsOf(roles) {
  /** @type {Map<string, number>} */
  const strengths = new Map();
  for (const { layer, head, lift, value } of roles.flatMap((role) => role.heads)) {
    const name = `${layer}.${head}`;
    strengths.set(name, Math.max(strengths.get(name) ?? -Infinity, lift ?? value));
  }
  return strengths;
}

/** @param {Cell & {evidence: string}} best */
function bestWords({ layer, head, evidence }) {
  return unbroken(`${headName(layer, head)}, ${evidence}`);
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
