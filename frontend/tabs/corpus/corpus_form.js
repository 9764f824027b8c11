// The texts of a corpus, one a line, typed or from a file, and the link to look for in them.

import { corpusQuestion, isMeasuring, linesOf } from "../../corpus/question.js";
import { counted } from "../../corpus/ranking.js";
import { element, setText } from "../../page/dom.js";
import { pageView } from "../../views/draw_views.js";
import { segmented } from "../../views/parts/segmented.js";

/** @type {{value: Draft["link"], text: string, hint: string}[]} */
const LINKS = [
  { value: "none", text: "None", hint: "" },
  { value: "words", text: "Two words", hint: "From every place of the first word in a text to every place of the second; whole words, upper or lower case." },
  { value: "marked", text: "Marks", hint: "Mark each line: The {to:animal} slept because {from:it} was tired. For braces of the text write \\{ and \\}." },
];
const BY_LINK = "Rank heads by a link";
const WORDS = /** @type {const} */ ([["from_word", "From"], ["to_word", "To"]]);
const BYTES_A_CHARACTER = 4; // the most that UTF-8 takes

/** @param {Store} store */
export function createCorpusForm(store) {
  const { actions } = store;
  const run = (/** @type {Event} */ event) => {
    event.preventDefault();
    actions.runCorpus();
  };
  const text = element("textarea", { id: "corpus-text", rows: 7, dir: "auto", spellcheck: "false", placeholder: "One text per line…" });
  text.addEventListener("input", () => actions.draftCorpus({ text: text.value }));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(event);
  });
  const file = element("input", { type: "file", accept: ".txt,text/plain", hidden: true, onchange: () => void readFile() });
  const chooseFile = element("button", { type: "button", class: "chip", onclick: () => file.click() }, "Choose a text file…");
  const count = element("span", { class: "count" });
  const links = segmented(BY_LINK, LINKS, (link) => actions.draftCorpus({ link: /** @type {Draft["link"]} */ (link) }), "link");
  const words = WORDS.map(([name, label]) => {
    const input = element("input", { type: "text", id: `corpus-${name}`, autocomplete: "off", spellcheck: "false" });
    input.addEventListener("input", () => actions.draftCorpus({ [name]: input.value }));
    return { name, input, field: element("div", { class: "tool" }, element("label", { for: input.id }, label), input) };
  });
  const wordFields = element("div", { class: "corpus-words" }, ...words.map(({ field }) => field));
  const hint = element("p", { class: "hint" });
  const submit = element("button", { type: "submit", class: "primary", title: "Ctrl+Enter" }, "Run");
  const cancel = element("button", { type: "button", class: "chip", onclick: () => actions.cancelCorpus() }, "Cancel");
  const root = element(
    "form",
    { class: "card corpus-form", autocomplete: "off", onsubmit: run },
    element("div", { class: "field" }, element("label", { for: "corpus-text" }, "Texts, one per line"), text),
    element("div", { class: "corpus-file" }, chooseFile, file, count),
    element("div", { class: "corpus-link" }, element("div", { class: "tool" }, element("span", {}, BY_LINK), links.group), wordFields),
    hint,
    element("div", { class: "corpus-go" }, submit, cancel),
  );

  async function readFile() {
    const chosen = file.files?.[0];
    const limit = store.state.config?.limits.max_corpus_characters ?? Infinity;
    if (!chosen) return;
    file.value = ""; // the same file can be chosen again after a change
    if (chosen.size > BYTES_A_CHARACTER * limit) {
      const message = `${chosen.name} is too large to send: the limit is ${limit.toLocaleString("en")} characters. Use \`headscope corpus\` on the command line, which has no such limit.`;
      actions.refuseCorpus({ code: "corpus_too_large", message, details: null });
    } else actions.draftCorpus({ text: await chosen.text() });
  }

  /** @param {Draft} draft @param {boolean} isBusy @param {boolean} canRun */
  function render(draft, isBusy, canRun) {
    // Text being typed is in its box already: writing it again would move the caret.
    if (text.value !== draft.text) text.value = draft.text;
    for (const { name, input } of words) if (input.value !== draft[name]) input.value = draft[name];
    const n = linesOf(draft.text).filter((line) => line.trim() !== "").length;
    setText(count, n === 0 ? "" : counted(n, "text"));
    links.mark(draft.link);
    wordFields.hidden = draft.link !== "words";
    setText(hint, LINKS.find(({ value }) => value === draft.link)?.hint ?? "");
    submit.disabled = isBusy || !canRun;
    cancel.hidden = !isBusy;
  }

  return { root, view: pageView((state) => [state.corpus.draft, isMeasuring(state), corpusQuestion(state) !== null], render) };
}
