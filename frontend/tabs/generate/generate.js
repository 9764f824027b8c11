// The tab in which a causal model writes: its text, what may come next, what each head looked at for it.

import { isWriting, next } from "../../generate/next.js";
import { element, setText } from "../../page/dom.js";
import { durationText, placedToken, tokenInWords } from "../../page/labels.js";
import { Generation } from "../../requests/generation.js";
import { socketAddress } from "../../requests/socket.js";
import { askedKey, isStale, question } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { term } from "../../views/parts/term.js";
import { createCandidates } from "./candidates.js";
import { createSampling } from "./sampling.js";
import { createStepHeads } from "./step_heads.js";
import { createWrittenText } from "./written_text.js";

/** Keep the continuation of each text that has an answer as one of its branches. @param {Store} store */
export function keepBranches(store) {
  const reads = (/** @type {State} */ state) => [state.sides.a.analysis, askedKey(onSide(state, "a"))];
  store.watch(reads, () => store.actions.keepWritten());
}

/** @param {State} state what is written, or was written last; null where that is another text than the one in the boxes */
function writingHere(state) {
  const { writing } = state;
  return isWriting(state) || writing?.reached === askedKey(onSide(state, "a")) ? writing : null;
}

/** @param {State} state the token that was written last, while more are coming */
function lastWritten(state) {
  return isWriting(state) ? state.writing?.tokens.at(-1) : undefined;
}

/** @param {State} state */
function canWrite(state) {
  const side = onSide(state, "a");
  return question(side) !== null && !isStale(side) && side.analysis !== null && state.connection !== "lost";
}

/** @param {WrittenToken} written the candidates it was chosen from */
function offeredWith({ candidates, id }) {
  const named = candidates.reduce((sum, { probability }) => sum + probability, 0);
  return { candidates, rest: Math.max(0, 1 - named), chosen: id };
}

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createGenerate(store, root) {
  const generation = new Generation(socketAddress("generate"), store);
  keepBranches(store);
  const text = createWrittenText(store);
  const tools = createSampling(store, generation, canWrite, (state) => statusInWords(writingHere(state)));
  const candidates = createCandidates(({ id }) => store.actions.continueWith([...store.state.sides.a.continuation, id]));
  const heads = createStepHeads(store);
  const problem = element("p", { class: "problem", role: "alert" });
  const facts = element("p", { class: "quiet" });
  const waiting = element("p", { class: "quiet" });
  const nextPart = element("section", { class: "generate-part" }, element("h2", {}, "Next token"), facts, waiting, candidates.root);
  const columns = element("div", { class: "generate-columns" }, nextPart, heads.waiting, heads.tokens, heads.heads, heads.foot);
  // What grows is below what is pressed meanwhile.
  root.replaceChildren(element("div", { class: "card generate-card" }, tools.root, problem, text.root, text.branches, columns));

  /** @param {WrittenToken | undefined} last @param {ReturnType<typeof next.of>} known */
  function renderNext(last, known) {
    const answer = known?.answer ?? null;
    const offered = last ? offeredWith(last) : answer && { ...answer, chosen: null };
    candidates.render(offered);
    const after = answer ? `After “${placedToken(answer.tokens[answer.n_tokens - 1], answer.n_tokens - 1)}”` : "";
    const open = answer ? [`${after}: `, term("entropy", "entropy"), ` ${answer.entropy.toFixed(3)} `, term("nats", "nats")] : [];
    facts.replaceChildren(...(last ? [`“${tokenInWords(last)}” was chosen.`] : open));
    nextPart.dataset.entropy = answer && !last ? String(answer.entropy) : "";
    facts.hidden = facts.textContent === "";
    waiting.hidden = offered !== null;
    setText(waiting, known?.problem?.message ?? "Asking the model…");
  }

  return [
    ...text.views,
    ...tools.views,
    pageView((state) => [writingHere(state)?.problem?.message ?? ""], (message) => {
      problem.hidden = message === "";
      setText(problem, message);
    }),
    pageView(({ sides }) => [sides.a.run.phase], (phase) => {
      columns.hidden = phase === "failed"; // the page says why above
    }),
    pageView((state) => [lastWritten(state), next.of(state)], renderNext),
    ...heads.views,
  ];
}

/** @param {Writing | null} writing */
function statusInWords(writing) {
  if (writing === null) return "";
  const { phase, message, tokens, reason, ms } = writing;
  const count = `${tokens.length} ${tokens.length === 1 ? "token" : "tokens"}`;
  if (phase === "asking") return message || "Asking the model…";
  if (phase === "writing") return `${count} written…`;
  const pace = ms !== null && tokens.length > 1 ? `, ${durationText(ms / tokens.length)} each` : "";
  if (reason === "end") return `${count}${pace}; the model ended the text.`;
  if (reason === "limit") return `${count}; the text has reached its maximum length.`;
  if (reason === "stopped") return `Stopped after ${count}.`;
  return tokens.length > 1 ? `${count} written${pace}.` : "";
}
