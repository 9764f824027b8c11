// The lessons: which run or record each shows, and what to look for. Numbers are not said here: they are computed.

/**
 * @typedef {object} Lesson
 * @property {string} id
 * @property {string} title
 * @property {string[]} words what to look for
 * @property {"markov" | "repeats" | "language" | null} task whose source is named
 * @property {string[]} runs the first is shown, the others' losses are laid over it
 * @property {"heads" | "roles" | null} sweep a record of many trainings in place of runs
 * @property {"rests"} [compares] what is computed of its runs: how long each rests where it counts symbols alone
 * @property {string | null} score what the chart of heads begins with
 */

/** @type {Lesson[]} */
export const LESSONS = [
  {
    id: "pairs",
    title: "Counting pairs",
    words: [
      "Each sequence follows a random chain of its own. The dashed lines are what theory gives for a model that counts nothing, symbols, or pairs of symbols.",
      "Move the slider: does a head of layer 1 find what followed the current symbol earlier when the loss goes below the line of symbols?",
    ],
    task: "markov",
    runs: ["markov-2"],
    sweep: null,
    score: "induction",
  },
  {
    id: "slow",
    title: "A small learning rate waits",
    words: [
      "The same task with a smaller learning rate. Compare the two curves: how long does each of them stay near the line of symbols?",
    ],
    task: "markov",
    runs: ["markov-2-slow", "markov-2"],
    compares: "rests",
    sweep: null,
    score: "induction",
  },
  {
    id: "together",
    title: "Why two heads must work together",
    words: [
      "To continue a repeated text, a head must find the token after the earlier copy of this one. Its keys must know which token came before them: does a head of layer 0 attend to the token before, and from which step on?",
      "Compare: one layer alone, one layer whose keys are made of the token before, and two layers whose first one is fixed to the token before.",
    ],
    task: "repeats",
    runs: ["repeats", "repeats-one-layer", "repeats-shifted-keys", "repeats-previous-only"],
    sweep: null,
    score: "induction",
  },
  {
    id: "words",
    title: "Which head finds which word",
    words: [
      "In this small language the word that decides each form is known: a verb's subject, a pronoun's noun. The chart shows how often the strongest key of each head is that word.",
      "The dashed line is the best rule that does not read. A head counts only above it.",
    ],
    task: "language",
    runs: ["language"],
    sweep: null,
    score: null,
  },
  {
    id: "how-many",
    title: "How many heads?",
    words: ["The same width cut into 1 head, into more, and into one head per dimension, each trained from several seeds. Look where more heads help and where each is too narrow."],
    task: "language",
    runs: [],
    sweep: "heads",
    score: null,
  },
  {
    id: "who",
    title: "Who does it?",
    words: ["The same training from several seeds. Heads of two models are matched by their maps. Does the matched head have the same role, and is it the head of the same number?"],
    task: "language",
    runs: [],
    sweep: "roles",
    score: null,
  },
];

/** @param {string} id `none` is none @returns {Lesson | null} */
export function lessonById(id) {
  return LESSONS.find((lesson) => lesson.id === id) ?? null;
}
