// The tab in which a causal model writes on: its text, what may come next, what each head looked at for it.

import { isWriting, shownNext } from "../../generate/generation.js";
import { isPooled, stepOf } from "../../generate/step_rows.js";
import { tokenInWords } from "../../maps/labels.js";
import { byId, element, setText } from "../../page/dom.js";
import { isStale, question, questionKey, writes } from "../../state/selectors.js";
import { CandidateList } from "./candidates.js";
import { SamplingTools } from "./sampling.js";
import { StepHeads } from "./step_heads.js";
import { WrittenText } from "./written_text.js";

/** @typedef {import("./candidates.js").Choice} Choice */
/** @typedef {import("./sampling.js").Writer} Writer */

const OF_INTEREST = [
  ...["tab", "text", "model", "models", "continuation", "sampling", "analysis", "run", "connection"],
  ...["next", "writing", "branches", "lock", "hover", "cursor", "pins", "hide"],
];

/**
 * @param {Actions} actions
 * @param {Writer} writer
 */
export function createGenerate(actions, writer) {
  const text = new WrittenText(actions);
  const tools = new SamplingTools(actions, writer);
  const candidates = new CandidateList(({ id }) => actions.continueWith([...(shown?.continuation ?? []), id]));
  const heads = new StepHeads(actions);
  const problem = element("p", { class: "problem", role: "alert" });
  const facts = element("p", { class: "quiet" });
  const waiting = element("p", { class: "quiet" });
  const unseen = element("p", { class: "panel-waiting" });
  const next = element("section", { class: "card generate-card" }, element("h2", {}, "Next token"), facts, waiting, candidates.root);
  const looks = element("section", { class: "card generate-card" }, element("h2", {}, "What each head looks at"), heads.root, unseen);
  const columns = element("div", { class: "generate-columns" }, next, looks);
  byId("tab-generate", HTMLElement).replaceChildren(
    // What grows stands below what is pressed meanwhile.
    element("section", { class: "card generate-card" }, tools.root, problem, text.root, text.branches),
    columns,
  );
  /** @type {State | null} */
  let shown = null;

  /** @param {State} state @returns {Choice | null} */
  function choiceOf(state) {
    const last = isWriting(state) ? state.writing?.tokens.at(-1) : undefined;
    if (last) {
      const named = last.candidates.reduce((sum, { probability }) => sum + probability, 0);
      return { candidates: last.candidates, rest: Math.max(0, 1 - named), chosen: last.id };
    }
    const answer = shownNext(state)?.answer ?? null;
    return answer && { candidates: answer.candidates, rest: answer.rest, chosen: null };
  }

  /** @param {State} state */
  function renderNext(state) {
    const known = shownNext(state);
    const choice = choiceOf(state);
    candidates.render(choice);
    const last = isWriting(state) ? state.writing?.tokens.at(-1) : undefined;
    const answer = known?.answer;
    const after = answer ? `After “${tokenInWords(answer.tokens[answer.n_tokens - 1])}”` : "";
    const open = answer ? `${after}: entropy ${answer.entropy.toFixed(3)} nats.` : "";
    setText(facts, last ? `“${tokenInWords(last)}” was chosen.` : open);
    next.dataset.entropy = answer && !last ? String(answer.entropy) : "";
    facts.hidden = facts.textContent === "";
    waiting.hidden = choice !== null;
    setText(waiting, known?.problem?.message ?? "Asking the model…");
  }

  /** @param {State} state */
  function renderStanding(state) {
    const { writing } = state;
    const isBusy = isWriting(state);
    const isOurs = writing !== null && (isBusy || writing.reached === questionKey(question(state)));
    problem.hidden = !isOurs || writing.problem === null;
    setText(problem, isOurs ? (writing.problem?.message ?? "") : "");
    const canWrite = question(state) !== null && !isStale(state) && state.analysis !== null && state.connection !== "lost";
    tools.render(state.sampling, { isWriting: isBusy, canWrite, said: isOurs ? standingInWords(writing) : "" });
  }

  return {
    /** @param {State} state @param {Set<string>} changed @param {Theme} theme */
    render(state, changed, theme) {
      shown = state;
      if (state.tab !== "generate" || !writes(state) || !OF_INTEREST.some((key) => changed.has(key))) return;
      text.render(state);
      renderStanding(state);
      columns.hidden = state.run.phase === "failed"; // the page says why above
      renderNext(state);
      const step = stepOf(state);
      heads.render(state, step, looks.clientWidth - 32, theme);
      unseen.hidden = step !== null;
      const isLong = state.analysis !== null && !isStale(state) && isPooled(state.analysis);
      setText(unseen, isLong ? "Maps of texts this long are pooled: single rows come with the next step." : "Waiting for the maps…");
    },
  };
}

/** @param {import("../../actions/generation.js").Writing} writing */
function standingInWords({ phase, message, tokens, reason, ms }) {
  const count = `${tokens.length} ${tokens.length === 1 ? "token" : "tokens"}`;
  if (phase === "asking") return message || "Asking the model…";
  if (phase === "writing") return `${count} written…`;
  const pace = ms !== null && tokens.length > 1 ? `, ${Math.round(ms / tokens.length)} ms each` : "";
  if (reason === "end") return `${count}${pace}; the model ended the text.`;
  if (reason === "limit") return `${count}; the text is as long as it may be.`;
  if (reason === "stopped") return `Stopped after ${count}.`;
  return tokens.length > 1 ? `${count} written${pace}.` : "";
}
