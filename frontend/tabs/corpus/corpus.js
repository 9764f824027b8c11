// The tab for texts of one's own: every metric of every head averaged over them, and heads ranked by a link.

import { counted, measuredWords, skippedWords } from "../../corpus/ranking.js";
import { byId, element, setText, withCode } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { CorpusForm } from "./corpus_form.js";
import { CorpusTable } from "./corpus_table.js";

const OF_INTEREST = ["tab", "corpus", "config", "model", "models", "connection", "pins", "atlas", "values"];

/** @param {Actions} actions */
export function createCorpus(actions) {
  const form = new CorpusForm(actions);
  const table = new CorpusTable(actions);
  const empty = element("div", { class: "empty" });
  const waiting = element("div", { class: "corpus-waiting" });
  const said = element("p", { class: "corpus-said", role: "status" });
  const problem = element("p", { class: "problem", role: "alert" });
  const left = element("ul", { class: "corpus-left" });
  const old = element("p", { class: "hint" });
  const answered = element("div", { class: "corpus-answer" }, left, old, table.root);
  waiting.append(element("progress", { "aria-label": "Measuring the texts" }));
  byId("tab-corpus", HTMLElement).replaceChildren(form.root, empty, problem, waiting, said, answered);
  const [emptied, complained, listed] = [new Memo(), new Memo(), new Memo()];

  /** @param {State} state */
  function renderEmpty({ config }) {
    const example = config?.corpus_example;
    const parts = [
      element("p", { class: "empty-title" }, "What do the heads do on your own sentences?"),
      element(
        "p",
        {},
        "One sentence proves little. Paste many, one a line: every metric of every head is averaged over them, with the number of cases and a 95 % interval; give two words, or mark them, and all heads are ranked by the link between them.",
      ),
    ];
    if (example) {
      const { texts, from_word, to_word } = example;
      const onclick = () => actions.draftCorpus({ text: texts.join("\n"), link: "words", from_word, to_word });
      const words = `${texts.length} sentences, “${from_word}” → “${to_word}”`;
      parts.push(element("p", {}, element("button", { type: "button", class: "chip", onclick }, words)));
    }
    empty.replaceChildren(...parts);
  }

  /** @param {State} state */
  function saidWords({ corpus: { asked, known }, models }) {
    if (asked) return `Measuring ${counted(asked.texts.length, "line")} in every head…`;
    if (known === null) return "";
    const { model } = known.answer;
    return measuredWords(known.answer, models.find(({ id }) => id === model)?.name ?? model);
  }

  /** @param {CorpusAnswer} answer what was not measured, and why */
  function renderLeft(answer) {
    const skipped = answer.skipped.map((one) => skippedWords(one, "left out"));
    const unlinked = answer.link?.skipped.map((one) => skippedWords(one, "without the link")) ?? [];
    left.replaceChildren(...[...skipped, ...unlinked].map((words) => element("li", {}, words)));
    left.hidden = skipped.length + unlinked.length === 0;
  }

  /** @param {State} state why the answer is not that of what is in the boxes now; "" when it is */
  function oldWords({ corpus: { known, draft }, model }) {
    if (known === null) return "";
    if (known.answer.model !== model) return "These are heads of another model than the one above: run again for its own.";
    return known.draft === draft ? "" : "The texts or the link have changed since: run again.";
  }

  return {
    /** @param {State} state @param {Set<string>} changed */
    render(state, changed) {
      if (state.tab !== "corpus" || !OF_INTEREST.some((key) => changed.has(key))) return;
      const { asked, known, problem: found, draft } = state.corpus;
      form.render(state);
      empty.hidden = known !== null || asked !== null || found !== null || draft.text !== "";
      emptied.get([state.config], () => renderEmpty(state));
      complained.get([found], () => problem.replaceChildren(...withCode(found?.message ?? "")));
      problem.hidden = found === null;
      waiting.hidden = asked === null;
      answered.hidden = known === null;
      // An older answer stays, dimmed, until the next one is here.
      answered.classList.toggle("stale", asked !== null);
      setText(said, saidWords(state));
      setText(old, oldWords(state));
      if (known === null) return;
      listed.get([known], () => renderLeft(known.answer));
      table.render(state);
    },
  };
}
