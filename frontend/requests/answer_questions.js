// Asking the server what resources want to know: each question once, none that is no longer asked, none while the
// server does not answer.

import { keptAnswers, keyOf } from "./resource.js";

/** @typedef {import("./resource.js").Resource<any, any>} AnyResource */
/** @typedef {(resource: AnyResource, question: any, signal: AbortSignal) => Promise<unknown>} Send */

/** The server answered with an error. */
export class ServerError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** @param {unknown} error @returns {Problem} */
export function problemOf(error) {
  if (error instanceof ServerError) return error.problem;
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "unreachable", message: `The server gave no answer (${reason}).`, details: null };
}

/** Keep the answers of some resources up to date. @param {Store} store @param {AnyResource[]} resources @param {Send} send */
export function answerQuestions(store, resources, send) {
  /** @type {Map<AnyResource, Map<string, AbortController>>} */
  const pending = new Map(resources.map((resource) => [resource, new Map()]));

  /** @param {AnyResource} resource @param {State} state */
  function update(resource, state) {
    const asked = new Map(resource.questions(state).map((question) => [keyOf(question), question]));
    const underWay = /** @type {Map<string, AbortController>} */ (pending.get(resource));
    for (const [key, abort] of underWay) {
      if (asked.has(key)) continue;
      underWay.delete(key);
      abort.abort();
    }
    const known = state.answers.get(resource) ?? new Map();
    store.actions.keepAnswers(resource, keptAnswers(resource, known, new Set(asked.keys())));
    if (state.connection === "lost" || !resource.when(state)) return;
    for (const [key, question] of asked) {
      if (!underWay.has(key) && !known.has(key)) void ask(resource, key, question, underWay);
    }
  }

  /** @param {AnyResource} resource @param {string} key @param {any} question @param {Map<string, AbortController>} underWay */
  async function ask(resource, key, question, underWay) {
    const abort = new AbortController();
    underWay.set(key, abort);
    /** @type {import("./resource.js").AnyKnown} */
    let known;
    try {
      known = { question, answer: await send(resource, question, abort.signal), problem: null };
    } catch (error) {
      known = { question, answer: null, problem: problemOf(error) };
    }
    if (abort.signal.aborted) return;
    underWay.delete(key);
    const wanted = new Set(resource.questions(store.state).map(keyOf));
    store.actions.keepAnswers(resource, keptAnswers(resource, store.state.answers.get(resource) ?? new Map(), wanted, [key, known]));
  }

  store.subscribe((state, before) => {
    if (before.connection === "lost" && state.connection !== "lost") store.actions.forgetUnreachable();
    for (const resource of resources) update(resource, store.state);
  });
}
