// The one state object of the page: its shape and how it begins.

/** @typedef {{layer: number, head: number}} Cell */
/** @typedef {Record<string, (number | string | null)[]>} Values per metric one value a head, null where undefined */
/**
 * @typedef {object} Measures of one layer on this sentence
 * @property {Values} raw
 * @property {Values | null} weighted of value-weighted maps; null unless these were asked for
 * @property {import("../requests/api.js").SentenceLabel[][]} labels of each head, from its raw map
 */
/**
 * @typedef {object} Stack one attention of a model, and what has come of it: most models have one of them
 * @property {"encoder" | "decoder" | "cross"} stack
 * @property {number} n_layers
 * @property {number} n_heads
 * @property {[number, number]} queries which tokens look, from and up to
 * @property {[number, number]} keys which are looked at
 * @property {boolean} causal
 * @property {Map<number, Frame>} layers the overview, layer by layer
 * @property {Map<number, Measures>} measures what each head does on this sentence, layer by layer
 * @property {Record<string, Opportunity> | null} opportunities how often this sentence gives a metric something to
 *   count; null: heads of cross-attention are not measured
 */
/**
 * @typedef {object} Answer one answer of the server
 * @property {string} id
 * @property {string} question the key of the question it answers
 * @property {string} model
 * @property {string} revision which weights, exactly
 * @property {string} device
 * @property {string} dtype
 * @property {"raw" | "weighted"} values whose overview it is
 * @property {boolean} value_weights whether its maps and metrics can be value-weighted
 * @property {Token[]} tokens
 * @property {string[][]} typed the characters of each sentence: places of tokens count them, not their halves
 * @property {number} n_tokens
 * @property {Stack[]} stacks
 */
/** @typedef {Answer & Pick<Stack, "n_layers" | "n_heads" | "layers" | "measures" | "opportunities">} Analysis seen at one of its stacks */
/**
 * @typedef {object} Run how far the answer to the current question is
 * @property {"idle" | "pending" | "streaming" | "done" | "failed"} phase
 * @property {{message: string, done: number, total: number} | null} progress
 * @property {Problem | null} problem
 * @property {Record<string, number> | null} timing
 * @property {number} layers how many layers have arrived
 */
/**
 * @typedef {object} Progress what was asked on one side and how far its answer is
 * @property {string} asked the key of the question last sent to the server
 * @property {Run} run
 * @property {Analysis | null} analysis
 * @property {number} measured grows when measures arrive
 */
/**
 * @typedef {object} CorpusWork what is done in the Corpus tab
 * @property {Draft} draft what is in the boxes
 * @property {number} runs how many were begun
 * @property {CorpusQuestion | null} asked what was run last and not stopped; null: nothing
 * @property {Problem | null} problem why a file was refused
 * @property {{by: string | null, falling: boolean, run: number, had_link: boolean}} ranking what somebody chose to rank heads by, of
 *   which run, and whether that run had a link to rank by
 */
/**
 * @typedef {object} BuildWork how a model's heads are measured
 * @property {string | null} open the model whose panel is open; null: none
 * @property {BuildStatus | null} status what the server said last
 * @property {{what: "start" | "stop", model: string} | null} ordered what was asked for and is not answered yet
 * @property {Problem | null} problem why the last request was refused
 * @property {number} edition grows when more may have been measured than the atlas on screen holds
 */
/** @typedef {Cell & {query: number, key: number}} PointedCell one weight in the map of one head */
/**
 * @typedef {object} TrainingWork what is done in the Training tab
 * @property {number} edition grows when the list of runs may be another one
 * @property {number} ended how many runs have ended while they were followed: a finished one is a model
 * @property {import("../training/record.js").Streamed | null} streamed
 * @property {import("../requests/training_api.js").RunOrder | null} ordered what was asked for and is not answered yet
 * @property {(Problem & {order: string}) | null} problem why the last order was refused
 * @property {string | null} deleting the run that would be deleted: it is asked for once more
 * @property {PointedCell | null} pointed
 * @property {boolean} isPlaying whether the steps are shown one after the other
 * @property {boolean} isFormOpen
 * @property {import("../training/form.js").RunDraft} draft what is in the form
 */
/**
 * @typedef {object} Writing one run of generation
 * @property {string} from the key of the question it continues
 * @property {string} stem what its branches belong to
 * @property {number} n_before how many tokens were written before it
 * @property {string} reached that of the question with what it wrote; the same while it writes
 * @property {"asking" | "writing" | "over"} phase
 * @property {string} message what happens before the first token
 * @property {Token[]} base the tokens it continues
 * @property {WrittenToken[]} tokens
 * @property {Frame | null} rows what each head looked at while the last of them was predicted
 * @property {"length" | "end" | "limit" | "stopped" | null} reason why it is over; null: it is not, or it failed
 * @property {Problem | null} problem
 * @property {number | null} ms how long it took
 */
/** @typedef {{id: number, text: string, piece: string, probability: number}} Candidate a token that may come next */
/** @typedef {Token & {probability: number, candidates: Candidate[]}} WrittenToken */
/**
 * @typedef {object} AnatomyWork what happens in the tab Anatomy
 * @property {import("../anatomy/trail.js").Spot | null} pointed the number under the pointer
 * @property {import("../anatomy/trail.js").Spot | null} asked the same once the pointer stays
 * @property {import("../anatomy/loops.js").Loop} loop the timed loop
 * @property {Record<string, import("../anatomy/exercises.js").Attempt>} attempts answers to exercises, by exercise
 * @property {string[]} right exercises that were answered rightly, now or in an earlier visit
 */
/**
 * @typedef {object} Surroundings everything that nobody chose
 * @property {{a: SideQuestion & Progress, b: (SideQuestion & Progress) | null}} sides b null: nothing is compared
 * @property {Model[]} models
 * @property {Config | null} config
 * @property {MetricsCatalogue | null} metrics_catalogue
 * @property {"connecting" | "open" | "lost"} connection
 * @property {boolean} typing whether the last change of the question came from typing
 * @property {Focus | null} hover
 * @property {Focus | null} example the lock that a first visit begins with: the first token that is clicked takes its place
 * @property {HeadPlace | null} cursor the grid cell the pointer or the arrow keys are on
 * @property {object} room another one whenever there is more or less room for a map
 * @property {HeadPlace | null} rested the cell that the pointer stayed on; the cursor itself, while that has not moved on
 * @property {HeadPlace | null} seen the cell the cursor was on last: its head stays in focus while nothing is pinned
 * @property {ReadonlyMap<object, ReadonlyMap<string, Known<any>>>} answers by resource, then by the key of the question
 * @property {Writing | null} writing what the model is writing, or wrote last; null: nothing of this text
 * @property {Map<string, Branch[]>} branches the continuations of texts, see branches.js
 * @property {CorpusWork} corpus what is typed in the Corpus tab, and what was run
 * @property {BuildWork} build how a model's heads are measured on a corpus
 * @property {AnatomyWork} anatomy
 * @property {TrainingWork} training small models and how they are trained
 * @property {import("../storage/notes.js").Notes | null} notes on single heads; null where nobody can write any
 */
/**
 * @template Answer
 * @typedef {{question: any, answer: Answer | null, problem: Problem | null}} Known an answer, or why there is none
 */
/** @typedef {Omit<View, "sides"> & Surroundings} State */
/** @typedef {Omit<State, keyof Progress> & SideQuestion & Progress & {side: Side, compared: boolean}} SideView the state from one side
 *   and at one attention of its model; compared: whether there are two sides */
/** @typedef {{readonly state: State, readonly views: ViewCodec, update: (patch: Partial<State>) => void}} Holder what actions change */

/** Where every question begins. @type {Run} */
export const IDLE = { phase: "idle", progress: null, problem: null, timing: null, layers: 0 };

/** A side on which nothing was asked yet. @type {Progress} */
export const NOTHING_ASKED = { asked: "null", run: IDLE, analysis: null, measured: 0 };

/** @param {ViewCodec} views @returns {State} */
export function initialState(views) {
  const view = views.usual();
  return {
    ...view,
    sides: { a: { ...view.sides.a, ...NOTHING_ASKED }, b: null },
    models: [],
    config: null,
    metrics_catalogue: null,
    connection: "connecting",
    typing: false,
    hover: null,
    example: null,
    cursor: null,
    rested: null,
    room: {},
    seen: null,
    answers: new Map(),
    writing: null,
    branches: new Map(),
    corpus: {
      draft: { text: "", link: "none", from_word: "", to_word: "" },
      runs: 0,
      asked: null,
      problem: null,
      ranking: { by: null, falling: true, run: 0, had_link: false },
    },
    build: { open: null, status: null, ordered: null, problem: null, edition: 0 },
    anatomy: { pointed: null, asked: null, loop: { phase: "idle", start: null, rounds: [], done: null, problem: null }, attempts: {}, right: [] },
    training: {
      ...{ edition: 0, ended: 0, streamed: null, ordered: null, problem: null, deleting: null, pointed: null, isPlaying: false },
      ...{ isFormOpen: false, draft: { task: null, name: "", values: {} } },
    },
    notes: null,
  };
}
