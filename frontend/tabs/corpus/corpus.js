// The tab for the user's own texts: every metric of every head averaged over them, and heads ranked by a link.

import { corpusMeans, isMeasuring, linesOf } from "../../corpus/question.js";
import { counted, measuredWords, skippedWords } from "../../corpus/ranking.js";
import { element, setText, withCode } from "../../page/dom.js";
import { pageView } from "../../views/draw_views.js";
import { createCorpusForm } from "./corpus_form.js";
import { createCorpusTable } from "./corpus_table.js";

const HOW_TO =
  "One sentence proves little. Paste many, one per line: every metric of every head is averaged over them, with the number of cases and a 95 % interval; give two words, or mark them, and all heads are ranked by the link between them.";

/** @param {State} state why a file was refused, or the last run */
function problemOf(state) {
  return state.corpus.problem ?? corpusMeans.of(state)?.problem ?? null;
}

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createCorpus(store, root) {
  const form = createCorpusForm(store);
  const table = createCorpusTable(store.actions);
  const empty = element("div", { class: "empty" });
  const waiting = element("div", { class: "corpus-waiting" }, element("progress", { "aria-label": "Measuring the texts" }));
  const said = element("p", { class: "corpus-said", role: "status" });
  const problem = element("p", { class: "problem", role: "alert" });
  const left = element("ul", { class: "corpus-left" });
  const old = element("p", { class: "hint" });
  const answered = element("div", { class: "corpus-answer" }, left, old, table.root);
  root.replaceChildren(form.root, empty, problem, waiting, said, answered);

  /** @param {Config | null} config */
  function renderEmpty(config) {
    const parts = [element("p", { class: "empty-title" }, "What do the heads do on your own sentences?"), element("p", {}, HOW_TO)];
    if (config?.corpus_example) {
      const { texts, from_word, to_word } = config.corpus_example;
      const onclick = () => store.actions.draftCorpus({ text: texts.join("\n"), link: "words", from_word, to_word });
      const words = `${texts.length} sentences, “${from_word}” → “${to_word}”`;
      parts.push(element("p", {}, element("button", { type: "button", class: "chip", onclick }, words)));
    }
    empty.replaceChildren(...parts);
  }

  let wasBusy = false;

  /** @param {State} state */
  function renderStatus(state) {
    const { asked, draft } = state.corpus;
    const known = corpusMeans.latest(state);
    const isBusy = isMeasuring(state);
    empty.hidden = known !== null || isBusy || problemOf(state) !== null || draft.text !== "";
    waiting.hidden = !isBusy;
    answered.hidden = !known?.answer;
    // What was waited for is below the form, which may fill the window.
    if (wasBusy && !isBusy && !answered.hidden) said.scrollIntoView({ block: "start" });
    wasBusy = isBusy;
    // The last answer stays, dimmed, until the next one is here.
    answered.classList.toggle("stale", isBusy);
    const name = state.models.find(({ id }) => id === known?.question.model)?.name ?? known?.question.model;
    const measured = known?.answer ? measuredWords(known.answer, name) : "";
    setText(said, isBusy ? `Measuring ${counted(linesOf(asked?.draft.text ?? "").length, "line")} in every head…` : measured);
    const isOther = known !== null && known.question.model !== state.sides.a.model;
    const isChanged = known !== null && known.question.draft !== draft;
    const changed = isChanged ? "The texts or the link have changed since: run again." : "";
    setText(old, isOther ? "These are heads of another model than the one above: run again for its own." : changed);
  }

  /** @param {CorpusAnswer | null | undefined} answer what was not measured, and why */
  function renderSkipped(answer) {
    const skipped = answer?.skipped.map((one) => skippedWords(one, "left out")) ?? [];
    const unlinked = answer?.link?.skipped.map((one) => skippedWords(one, "without the link")) ?? [];
    left.replaceChildren(...[...skipped, ...unlinked].map((words) => element("li", {}, words)));
    left.hidden = left.childNodes.length === 0;
  }

  return [
    form.view,
    pageView(({ config }) => [config], renderEmpty),
    pageView((state) => [problemOf(state)], (found) => {
      problem.hidden = found === null;
      problem.replaceChildren(...withCode(found?.message ?? ""));
    }),
    {
      reads: (state) => [state.corpus, corpusMeans.of(state), corpusMeans.latest(state), state.models, state.sides.a.model],
      render: renderStatus,
    },
    pageView((state) => [corpusMeans.latest(state)?.answer], renderSkipped),
    table.view,
  ];
}
