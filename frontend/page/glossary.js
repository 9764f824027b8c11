// The glossary: the terms of the field that the page uses, each in one or two plain sentences.

/** @typedef {{name: string, meaning: string}} Entry */

/** In the order in which a reader meets them. */
export const GLOSSARY = /** @satisfies {Record<string, Entry>} */ ({
  token: { name: "Token", meaning: "The unit a model reads: a word, a piece of a word or a punctuation mark." },
  special: { name: "Special token", meaning: "A token the model adds to a text, such as [CLS] at its start and [SEP] at its end. It stands for no word." },
  chat: {
    name: "Chat template",
    meaning: "Wraps the text in the markers this model was trained with, so that it replies instead of continuing. The markers are special tokens.",
  },
  unknown: { name: "Unknown token", meaning: "Stands for characters that the model's vocabulary lacks, often written [UNK]. The model cannot tell what was typed there." },
  layer: { name: "Layer", meaning: "One step of the model. Each layer updates the vectors of all tokens and passes them on to the next layer." },
  head: {
    name: "Attention head",
    meaning: "A part of a layer that lets each token collect information from other tokens. The heads of a layer work side by side, each with its own weights.",
  },
  query: { name: "Query", meaning: "The token that attends, and the vector with which it searches. Each row of a map belongs to one query." },
  key: { name: "Key", meaning: "The token that is attended to, and the vector by which it is found. Each column of a map belongs to one key." },
  weight: { name: "Attention weight", meaning: "How much of a query's attention a key gets: the softmax of the scores. The weights of a row add up to 1." },
  value: { name: "Value", meaning: "The vector that a token passes on to those that attend to it, in proportion to the attention weight." },
  score: {
    name: "Score (logit)",
    meaning: "A number before the softmax. An attention score says how well a query and a key match; a next-token logit says how likely the model finds that token.",
  },
  causal: { name: "Causal", meaning: "A causal model attends only to a token itself and to earlier ones, so it can write a text from left to right." },
  weighted: {
    name: "Value-weighted",
    meaning:
      "Each attention weight is multiplied by the length of the vector it passes on, then each row is scaled to add up to 1. A large weight on a short vector has little effect.",
  },
  rollout: {
    name: "Rollout",
    meaning: "An estimate of how information flows through several layers: the layers' mean maps, mixed with the identity, are multiplied. It is a heuristic.",
  },
  sink: { name: "Sink", meaning: "A special token or the first token: heads attend to it when they have nothing to do on a text. A head that mostly does has the role Sink." },
  delimiter: { name: "Delimiter", meaning: "A token that separates parts of a text: punctuation, or a special token such as [SEP]." },
  induction: {
    name: "Induction",
    meaning: "A pattern that continues repeated text: the head attends to the token that followed an earlier copy of the current token.",
  },
  entropy: { name: "Entropy", meaning: "How widely a distribution is spread: 0 when everything is on one token, largest when all tokens get the same share." },
  nats: { name: "Nats", meaning: "The unit of entropy and of loss with the natural logarithm. One nat is about 1.44 bits." },
  loss: { name: "Loss", meaning: "How far a model's predictions are from what follows: the mean of −log of the probability that it gave the right token. Lower is better." },
  held_out: { name: "Held-out", meaning: "Measured on texts that the training never sees, so that what was only memorised does not count." },
  checkpoint: { name: "Checkpoint", meaning: "A step of the training at which the weights are kept and every head is measured." },
  corpus: { name: "Corpus", meaning: "A collection of texts on which heads are measured: one sentence proves little." },
  softmax: { name: "Softmax", meaning: "Turns the scores of a row into weights that are positive and add up to 1." },
  encoder: { name: "Encoder and decoder", meaning: "In an encoder every token attends to the whole text; in a decoder only to itself and to earlier tokens." },
  temperature: { name: "Temperature", meaning: "How freely the next token is drawn: 0 takes the most probable one each time, 1 follows the probabilities. Top k draws among the k most probable." },
  atlas: { name: "Atlas", meaning: "The results of measuring every head of a model on a corpus. The roles of heads come from it." },
  role: { name: "Role", meaning: "What a head does on a corpus, clearly better than the best simple rule. Most heads have none that is proven." },
  rule: { name: "Rule that does not read", meaning: "A guess from positions or lists of words alone, such as “the previous word”. A head must beat the best one to get a role." },
  baseline: { name: "Baseline", meaning: "The value without any skill, for example that of uniform attention. A measurement counts only as far as it exceeds its baseline." },
  lift: { name: "Lift", meaning: "How far a value is above its baseline: value minus baseline." },
  interval: {
    name: "Interval (95 %)",
    meaning: "The range of values that fit the data. If the measurement were repeated on new texts, about 95 of 100 such ranges would contain the true value.",
  },
  null_model: {
    name: "Null model",
    meaning: "A model with nothing to find, for example with shuffled weights. Roles found in it are false and show how often the method errs.",
  },
});

/** @typedef {keyof typeof GLOSSARY} TermId */

/** The term that a metric of heads is about, by the metric's name. @type {Partial<Record<string, TermId>>} */
export const TERM_OF_METRIC = {
  entropy: "entropy",
  entropy_without_sink: "sink",
  first: "sink",
  special: "special",
  separator: "delimiter",
  induction: "induction",
};
