// One kind of REST question: what is to be asked in a state, and the answers there are. `answer_questions.js` asks.

import { perObject } from "../page/memo.js";

/** @typedef {Known<any>} AnyKnown */
/**
 * @template Question, Answer
 * @typedef {object} Resource
 * @property {(question: Question) => string} path below the API's base
 * @property {"GET" | "POST"} method
 * @property {(question: Question) => object} body what is sent of a question
 * @property {string} accept the media type of its answers
 * @property {number} keep how many answers are kept that are not asked for any more
 * @property {(state: State) => Question[]} questions what is asked in a state; the first one counts for `of`
 * @property {(state: State) => boolean} when whether it can be asked now
 * @property {(state: State) => Known<Answer> | null} of the answer to the present question, or why there is none; null while unknown
 * @property {(state: Pick<State, "answers">, question: Question) => Known<Answer> | null} find the answer to one of several questions
 * @property {(state: Pick<State, "answers">, isMeant?: (question: Question) => boolean) => Known<Answer> | null} latest the last answer
 *   that came, to whatever question
 */

/** A question as text: the same for equal questions. @type {(question: object) => string} */
export const keyOf = perObject((question) => JSON.stringify(question));

/**
 * Declare a question to the server. It is asked once; an answer that comes when something else is asked is dropped.
 * @template {object} Question
 * @template Answer
 * @param {string | ((question: Question) => string)} path
 * @param {(state: State) => Question | Question[] | null} question what is to be asked; null: nothing
 * @param {object} [options]
 * @param {(state: State) => boolean} [options.when] whether it can be asked now; what is known stays known
 * @param {"GET" | "POST"} [options.method]
 * @param {(question: Question) => object} [options.body] what is sent of the question; without it all of it
 * @param {string} [options.accept]
 * @param {number} [options.keep]
 * @returns {Resource<Question, Answer>}
 */
export function resource(path, question, options = {}) {
  const { when = () => true, method = "POST", body = (asked) => asked, accept = "application/json", keep = 1 } = options;
  /** @type {Resource<Question, Answer>} */
  const made = {
    path: typeof path === "string" ? () => path : path,
    ...{ method, body, accept, keep, when },
    questions(state) {
      const asked = question(state);
      return asked === null ? [] : Array.isArray(asked) ? asked : [asked];
    },
    of(state) {
      const [present] = made.questions(state);
      return present ? made.find(state, present) : null;
    },
    find: ({ answers }, asked) => answers.get(made)?.get(keyOf(asked)) ?? null,
    latest({ answers }, isMeant = () => true) {
      const known = [...(answers.get(made)?.values() ?? [])];
      return known.findLast(({ question: asked, answer }) => answer !== null && isMeant(asked)) ?? null;
    },
  };
  return made;
}

/**
 * What is known of a resource with one more answer: those asked for now stay, and the last of the others.
 * @param {Pick<Resource<any, any>, "keep">} resource
 * @param {ReadonlyMap<string, AnyKnown>} before
 * @param {Set<string>} wanted keys of what is asked now
 * @param {[string, AnyKnown] | null} [received]
 * @returns {ReadonlyMap<string, AnyKnown>} the same when nothing changed
 */
export function keptAnswers({ keep }, before, wanted, received = null) {
  const all = received === null ? [...before] : [...before].filter(([key]) => key !== received[0]).concat([received]);
  // A failure that is not asked for any more is dropped: the next time its question is asked again.
  const others = all.filter(([key, { answer }]) => !wanted.has(key) && answer !== null).map(([key]) => key);
  const kept = new Set(others.slice(Math.max(0, others.length - keep)));
  const after = all.filter(([key]) => wanted.has(key) || kept.has(key));
  return received === null && after.length === before.size ? before : new Map(after);
}
