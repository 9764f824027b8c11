// What is said of each step: a few sentences for readers who know matrix products, and the shapes of this model.

/** @typedef {import("../../anatomy/walk.js").About} About */
/** @typedef {{sentences: string[], shapes: string[], source?: string}} Lesson */

const VASWANI = "Vaswani and others 2017, Attention Is All You Need";

/** @param {...number} sizes */
const shape = (...sizes) => `[${sizes.join(" × ")}]`;

/** What differs by model is said of the model on screen. @type {Record<string, (about: About) => Lesson>} */
export const LESSONS = {
  embeddings: ({ n_tokens: n, sizes: { d_model }, computation: { positions, segments, embedding_norm } }) => ({
    sentences: [
      `A model computes with numbers, not words. Each token is looked up in a learned table: a row of ${d_model} numbers, the same wherever the token stands.`,
      positions === "added"
        ? "Attention without a mask does not notice the order of its rows. So each position has a learned row too, and it is added."
        : "Attention without a mask does not notice the order of its rows. This model adds nothing for it here: it rotates queries and keys by their position, in step 3.",
      ...(segments ? ["A third row says which sentence a token is in."] : []),
      ...(embedding_norm ? ["A norm then gives every row mean 0 and the same spread, scaled by learned numbers."] : []),
    ],
    shapes: [positions === "added" ? `${shape(n, d_model)} + ${shape(n, d_model)} = ${shape(n, d_model)}` : shape(n, d_model)],
    source: `${VASWANI}, sections 3.4 and 3.5`,
  }),
  one_or_many: ({ n_tokens: n, sizes: { n_heads } }) => ({
    sentences: [
      "The weights of a row add up to 1. A token that needs both its verb and its noun must split that 1 between them.",
      `With ${n_heads} heads each relation can have a softmax of its own. Below them: their mean, and one head as large as all of them, made from the same queries and keys. Both blend what the heads keep apart.`,
    ],
    shapes: [`${n_heads} maps of ${shape(n, n)} against 1`],
    source: `${VASWANI}, section 3.2.2: with a single head, averaging inhibits attending to several kinds of information at once`,
  }),
  qkv: ({ n_tokens: n, key_head, sizes: { d_model, d_head, n_heads, n_kv_heads }, computation: { norm_first, positions } }) => ({
    sentences: [
      "Three learned matrices give each token a query (what it looks for), a key (what it is found by) and a value (what it passes on).",
      `Each reads all ${d_model} numbers of ${norm_first ? "the normed input" : "the input"}; only what it writes is ${d_head} wide. At the right: the queries of all heads from one matrix, which are the same numbers.`,
      ...(n_kv_heads < n_heads ? [`Here ${n_heads / n_kv_heads} heads share keys and values: this head reads those of key/value head ${key_head}.`] : []),
      ...(positions === "rotary" ? ["Queries and keys are then rotated by an angle that grows with the position, so that a score depends on the distance (Su and others 2021, RoFormer)."] : []),
    ],
    shapes: [`${shape(n, d_model)} × ${shape(d_model, d_head)} = ${shape(n, d_head)}`],
  }),
  scores: ({ n_tokens: n, sizes: { d_head } }) => ({
    sentences: [
      "A score is the dot product of a query with a key: large where both have large numbers of the same sign in the same places.",
      "Row: the token that looks. Column: the token that is looked at. The keys are drawn turned, one in each column.",
    ],
    shapes: [`${shape(n, d_head)} × ${shape(d_head, n)} = ${shape(n, n)}`],
  }),
  scale: ({ sizes: { d_head } }) => ({
    sentences: [
      `A dot product adds ${d_head} products. Of independent numbers with mean 0 and variance 1 its variance would be ${d_head}; divided by √${d_head} the scores have variance 1 again.`,
      "Large scores push softmax to a single key, where it hardly changes with the scores and learns slowly. Below: softmax of both.",
    ],
    shapes: [`√${d_head} = ${Number(Math.sqrt(d_head).toPrecision(4))}`],
    source: `${VASWANI}, section 3.2.1`,
  }),
  mask: ({ n_tokens: n, computation: { causal } }) => ({
    sentences: [
      causal
        ? "This model predicts the next token, so no token may see a later one: their scores become −∞."
        : "This model reads in both directions and hides nothing. A model that predicts the next token would hide all later ones.",
      "Click a number of the mask to hide or show that key. A row that sees no key at all becomes zeros.",
    ],
    shapes: [`${shape(n, n)} + ${shape(n, n)} = ${shape(n, n)}`],
  }),
  softmax: ({ n_tokens: n }) => ({
    sentences: [
      "exp makes every score positive, and exp(−∞) is 0. Divided by their sum, the numbers of a row add up to 1.",
      "So attention is always shared out: a head with nothing to do must still put its 1 somewhere, often on the first token.",
    ],
    shapes: [`${shape(n, n)}, each row alone`],
    source: "Xiao and others 2023, Efficient Streaming Language Models with Attention Sinks",
  }),
  values: ({ n_tokens: n, sizes: { d_head } }) => ({
    sentences: [
      "Each token receives the values of the tokens it sees, each times its weight. A weight says how much is taken, the value what.",
      "A large weight on a short value moves little (Kobayashi and others 2020).",
    ],
    shapes: [`${shape(n, n)} × ${shape(n, d_head)} = ${shape(n, d_head)}`],
  }),
  concat: ({ n_tokens: n, sizes: { d_head, n_heads } }) => ({
    sentences: ["What the heads have collected is laid side by side. Nothing is computed here, and no head has seen another yet."],
    shapes: [`${n_heads} of ${shape(n, d_head)} → ${shape(n, n_heads * d_head)}`],
  }),
  output: ({ n_tokens: n, sizes: { d_head, d_model } }) => ({
    sentences: [
      `W_O has ${d_head} rows for each head. So its product is a sum: every head writes a vector of ${d_model} numbers of its own, and the output adds them up.`,
      "What a head writes has a length, and a direction that agrees with the whole output (cosine 1), is across (0) or against it (−1).",
    ],
    shapes: [`${shape(n, d_head)} × ${shape(d_head, d_model)} = ${shape(n, d_model)}`],
    source: "Elhage and others 2021, A Mathematical Framework for Transformer Circuits",
  }),
  block: ({ sizes: { d_model, d_mlp }, computation: { norm, norm_first, gated, activation } }) => ({
    sentences: [
      "The output is added to the input, it does not replace it: what was there stays, unless something is written against it.",
      norm_first
        ? `${norm} is applied to what attention and MLP read (pre-norm), never to the sum itself.`
        : `${norm} is applied to each sum (post-norm), as in the original transformer.`,
      d_mlp === null ? "The blocks of this model have no MLP." : `The MLP treats each token alone: ${d_model} → ${d_mlp} numbers, ${activation}${gated ? " with a gate" : ""}, and back.`,
    ],
    shapes: d_mlp === null ? [] : [`${shape(d_model, d_mlp)} and ${shape(d_mlp, d_model)}`],
    source: "Xiong and others 2020, On Layer Normalization in the Transformer Architecture",
  }),
  stack: ({ sizes: { n_layers }, computation: { predicts } }) => ({
    sentences: [
      `A block returns the shape it was given, so blocks are stacked: ${n_layers} here. Each reads the sum of what all earlier ones have written.`,
      "Top: the row of one token before the first block and after each. Below: its length, and its cosine with the block before, for every token.",
      predicts ? "The last row gives the prediction." : "This model predicts no next token: its last rows are what it gives.",
    ],
    shapes: [],
  }),
};
