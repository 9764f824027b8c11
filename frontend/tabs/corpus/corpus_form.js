// The texts of a corpus, one a line, typed or from a file, and the link to look for in them.

import { corpusQuestion, linesOf } from "../../corpus/question.js";
import { counted } from "../../corpus/ranking.js";
import { element, setText } from "../../page/dom.js";

/** @typedef {import("../../corpus/question.js").Draft} Draft */
/** @typedef {import("../../corpus/question.js").LinkKind} LinkKind */

/** @type {{kind: LinkKind, label: string, hint: string}[]} */
const LINKS = [
  { kind: "none", label: "None", hint: "" },
  { kind: "words", label: "Two words", hint: "From every place of the first word in a text to every place of the second; whole words, upper or lower case." },
  { kind: "marked", label: "Marks", hint: "Mark each line: The {to:animal} slept because {from:it} was tired. For braces of the text write \\{ and \\}." },
];
const BYTES_A_CHARACTER = 4; // the most that UTF-8 takes

export class CorpusForm {
  /** @type {State | null} */
  #state = null;

  /** @param {Actions} actions */
  constructor(actions) {
    this.actions = actions;
    this.text = element("textarea", { id: "corpus-text", rows: 7, dir: "auto", spellcheck: "false", placeholder: "One text a line…" });
    this.text.addEventListener("input", () => actions.draftCorpus({ text: this.text.value }));
    this.text.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      actions.runCorpus();
    });
    this.file = element("input", { type: "file", accept: ".txt,text/plain", hidden: true, onchange: () => void this.#read() });
    const choose = element("button", { type: "button", class: "chip", onclick: () => this.file.click() }, "Choose a text file…");
    this.count = element("span", { class: "count" });
    this.links = LINKS.map(({ kind, label }) => {
      const button = element("button", { type: "button", "data-link": kind, onclick: () => actions.draftCorpus({ link: kind }) }, label);
      return button;
    });
    this.words = (/** @type {const} */ ({ from_word: "From", to_word: "To" }));
    this.inputs = Object.entries(this.words).map(([name, label]) => {
      const input = element("input", { type: "text", id: `corpus-${name}`, autocomplete: "off", spellcheck: "false" });
      input.addEventListener("input", () => actions.draftCorpus({ [name]: input.value }));
      return { name: /** @type {"from_word" | "to_word"} */ (name), label, input };
    });
    this.wordFields = element(
      "div",
      { class: "corpus-words" },
      ...this.inputs.map(({ label, input }) => element("div", { class: "tool" }, element("label", { for: input.id }, label), input)),
    );
    this.hint = element("p", { class: "hint" });
    this.run = element("button", { type: "submit", class: "primary", title: "Ctrl+Enter" }, "Run");
    this.cancel = element("button", { type: "button", class: "chip", onclick: () => actions.cancelCorpus() }, "Cancel");
    this.root = element(
      "form",
      { class: "card corpus-form", autocomplete: "off" },
      element("div", { class: "field" }, element("label", { for: "corpus-text" }, "Texts, one a line"), this.text),
      element("div", { class: "corpus-file" }, choose, this.file, this.count),
      element(
        "div",
        { class: "corpus-link" },
        element("div", { class: "tool" }, element("span", { id: "corpus-link-label" }, "Rank heads by a link"), element("div", { class: "segmented", role: "group", "aria-labelledby": "corpus-link-label" }, ...this.links)),
        this.wordFields,
      ),
      this.hint,
      element("div", { class: "corpus-go" }, this.run, this.cancel),
    );
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      actions.runCorpus();
    });
  }

  async #read() {
    const file = this.file.files?.[0];
    const limit = this.#state?.config?.limits.max_corpus_characters ?? Infinity;
    if (!file) return;
    this.file.value = ""; // the same file can be chosen again after a change
    if (file.size > BYTES_A_CHARACTER * limit) {
      const message = `${file.name} is too large to send: the limit is ${limit.toLocaleString("en")} characters. Use \`headscope corpus\` on the command line, which has no such limit.`;
      return this.actions.refuseCorpus({ code: "corpus_too_large", message, details: null });
    }
    this.actions.draftCorpus({ text: await file.text() });
  }

  /** @param {State} state */
  render(state) {
    this.#state = state;
    const { draft, asked } = state.corpus;
    // What is being typed is there already: writing it again would move the caret.
    if (this.text.value !== draft.text) this.text.value = draft.text;
    for (const { name, input } of this.inputs) if (input.value !== draft[name]) input.value = draft[name];
    const n = linesOf(draft.text).filter((line) => line.trim() !== "").length;
    setText(this.count, n === 0 ? "" : counted(n, "text"));
    for (const button of this.links) button.setAttribute("aria-pressed", String(button.dataset.link === draft.link));
    this.wordFields.hidden = draft.link !== "words";
    setText(this.hint, LINKS.find(({ kind }) => kind === draft.link)?.hint ?? "");
    this.run.disabled = asked !== null || corpusQuestion(state) === null;
    this.cancel.hidden = asked === null;
  }
}
