// Asking the server the questions of resources: each once, none that is no longer asked, none while the server does not
// answer.

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
function problemOf(error) {
  if (error instanceof ServerError) return error.problem;
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "unreachable", message: `The server gave no answer (${reason}).`, details: null };
}

/** Keep the answers of some resources up to date. @param {Store} store @param {AnyResource[]} resources @param {Send} send */
export function answerQuestions(store, resources, send) {
  const updates = resources.map((resource) => updateOf(resource, store, send));
  store.subscribe((state, before) => {
    if (before.connection === "lost" && state.connection !== "lost") store.actions.forgetUnreachable();
    for (const update of updates) update(store.state);
  });
}

/** @param {AnyResource} resource @param {Store} store @param {Send} send @returns {(state: State) => void} asks what is asked in a state */
function updateOf(resource, store, send) {
  /** @type {Map<string, AbortController>} */
  const pending = new Map();
  const knownIn = (/** @type {State} */ { answers }) => answers.get(resource) ?? new Map();

  /** @param {string} key @param {any} question */
  async function ask(key, question) {
    const abort = new AbortController();
    pending.set(key, abort);
    /** @type {import("./resource.js").AnyKnown} */
    let known;
    try {
      known = { question, answer: await send(resource, question, abort.signal), problem: null };
    } catch (error) {
      known = { question, answer: null, problem: problemOf(error) };
    }
    if (abort.signal.aborted) return;
    pending.delete(key);
    const wanted = new Set(resource.questions(store.state).map(keyOf));
    store.actions.keepAnswers(resource, keptAnswers(resource, knownIn(store.state), wanted, [key, known]));
  }

  return (state) => {
    const asked = new Map(resource.questions(state).map((question) => [keyOf(question), question]));
    for (const [key, abort] of pending) {
      if (asked.has(key)) continue;
      pending.delete(key);
      abort.abort();
    }
    const known = knownIn(state);
    store.actions.keepAnswers(resource, keptAnswers(resource, known, new Set(asked.keys())));
    if (state.connection === "lost" || !resource.when(state)) return;
    for (const [key, question] of asked) {
      if (!pending.has(key) && !known.has(key)) void ask(key, question);
    }
  };
}
