// The form for a new run: what is trained and how, what is wrong with it beside the field, how long it may take.

import { element, setText } from "../../page/dom.js";
import { button } from "../../views/parts/button.js";
import { createDialog } from "../../views/parts/dialog.js";
import { menu } from "../../views/parts/menu.js";
import { segmented } from "../../views/parts/segmented.js";
import { FIELDS, FIRST_LAYERS, estimateOf, estimateWords, headWidth, problemsByField, settingsOf, taskOf, valueOf } from "../../training/form.js";
import { records } from "../../training/record.js";
import { runs, tasks } from "../../training/runs.js";

/** @typedef {import("../../training/runs.js").TrainingTask} TrainingTask */

const ABOUT = "It is trained on the server in a process of its own, one run at a time, and goes on when this page is closed. What is not changed is as usual for the task.";

/** @param {Store} store @returns {PageView[]} */
export function createRunForm(store) {
  const { actions } = store;
  const dialog = createDialog("train", "Train a model", { isWide: false });
  dialog.root.addEventListener("close", () => actions.closeRunForm());
  const write = (/** @type {string} */ name, /** @type {string} */ value) => {
    const { values } = store.state.training.draft;
    actions.draftRun({ values: { ...values, [name]: value } });
  };
  const problems = new Map([...FIELDS.map(({ name }) => name), "n_symbols", "first_layer", "name", ""].map((name) => [String(name), element("p", { class: "field-problem", id: `train-${name || "form"}-problem`, role: "alert", hidden: true })]));
  const problemOf = (/** @type {string} */ name) => /** @type {HTMLElement} */ (problems.get(name));
  const taskBox = element("div", { class: "train-tasks" });
  const about = element("p", { class: "hint" });
  /** @type {ReturnType<typeof segmented> | null} */
  let taskButtons = null;
  const symbols = segmented("Symbols", [{ value: "2", text: "2" }, { value: "3", text: "3" }], (value) => write("n_symbols", value));
  const symbolsField = element("div", { class: "tool" }, element("span", {}, "Symbols"), symbols.group, problemOf("n_symbols"));
  const numbers = FIELDS.map(({ name, label, title }) => {
    const input = element("input", { type: "text", inputmode: "decimal", id: `train-${name}`, title, autocomplete: "off", "aria-describedby": `train-${name}-problem` });
    input.addEventListener("input", () => write(name, input.value));
    const field = element("div", { class: "tool" }, element("label", { for: input.id }, label), input, problemOf(name));
    return { name, input, field };
  });
  const width = element("output", { class: "train-width", for: "train-d_model train-n_heads" });
  const widthField = element("div", { class: "tool" }, element("span", {}, "d_head"), width);
  const first = menu("train-first_layer", "First layer", (value) => write("first_layer", value));
  first.field.append(problemOf("first_layer"));
  const firstAbout = element("p", { class: "hint" });
  const name = element("input", { type: "text", id: "train-name", maxlength: 80, placeholder: "By its settings", autocomplete: "off" });
  name.addEventListener("input", () => actions.draftRun({ name: name.value }));
  const nameField = element("div", { class: "tool" }, element("label", { for: name.id }, "Name"), name, problemOf("name"));
  const estimate = element("p", { class: "quiet train-estimate" });
  const start = element("button", { type: "submit", class: "primary" }, "Start training");
  const form = element(
    "form",
    { class: "train-form", autocomplete: "off", onsubmit: send },
    ...[element("p", { class: "quiet" }, ABOUT), taskBox, about],
    element("div", { class: "train-fields" }, ...numbers.slice(0, 3).map(({ field }) => field), widthField, ...numbers.slice(3).map(({ field }) => field), symbolsField),
    element("div", { class: "train-fields two" }, element("div", {}, first.field, firstAbout), nameField),
    problemOf(""),
    element("div", { class: "train-go" }, start, button("chip", "Cancel", dialog.close), estimate),
  );
  /** @param {Event} event */
  function send(event) {
    event.preventDefault();
    const task = known(store.state);
    if (task) actions.orderRun({ what: "start", settings: settingsOf(task, store.state.training.draft) });
  }

  /** @param {State} state @returns {TrainingTask | null} the task in the form */
  function known(state) {
    const all = tasks.latest(state)?.answer ?? null;
    return all && taskOf(all, state.training.draft);
  }

  /** @type {PageView} */
  const fields = {
    reads: ({ training, answers }) => (training.isFormOpen ? [training.draft, tasks.latest({ answers })] : null),
    render(state) {
      const { draft } = state.training;
      const all = tasks.latest(state)?.answer ?? [];
      const task = known(state);
      if (task === null) return;
      if (taskButtons === null) {
        taskButtons = segmented("Task", all.map(({ id, label }) => ({ value: id, text: label })), chooseTask, "task");
        taskBox.replaceChildren(taskButtons.group);
      }
      taskButtons.mark(task.id);
      setText(about, task.about);
      symbolsField.hidden = task.symbols.length < 2;
      symbols.mark(valueOf(task, draft, "n_symbols"));
      for (const { name: of, input } of numbers) {
        const value = valueOf(task, draft, of);
        if (input.value !== value) input.value = value;
      }
      const d_head = headWidth(task, draft);
      setText(width, d_head === null ? "not even" : String(d_head));
      const layer = valueOf(task, draft, "first_layer");
      first.write([{ label: "", options: FIRST_LAYERS.map(({ value, text }) => ({ value, text })) }], layer);
      setText(firstAbout, FIRST_LAYERS.find(({ value }) => value === layer)?.about ?? "");
      if (name.value !== draft.name) name.value = draft.name;
    },
  };

  /** @param {string} task its usual settings take the place of what was typed */
  function chooseTask(task) {
    const { name: kept } = store.state.training.draft;
    actions.draftRun({ task: /** @type {TrainingTask["id"]} */ (task), name: kept, values: {} });
  }

  /** @type {PageView} */
  const answers = {
    reads: ({ training }) => [training.isFormOpen, training.problem, training.ordered],
    render({ training }) {
      const found = training.problem?.order === "start" ? problemsByField(training.problem) : {};
      for (const [of, line] of problems) {
        line.hidden = !(of in found);
        setText(line, found[of] ?? "");
      }
      for (const { name: of, input } of numbers) input.setAttribute("aria-invalid", String(of in found));
      start.setAttribute("aria-disabled", String(training.ordered !== null));
      const [wrong] = numbers.filter(({ name: of }) => of in found);
      wrong?.input.focus();
    },
  };

  /** @type {PageView} */
  const time = {
    reads: (state) => (state.training.isFormOpen ? [state.training.draft, runs.latest(state), state.answers.get(records)] : null),
    render(state) {
      const task = known(state);
      const found = task && estimateOf(state, task, state.training.draft);
      setText(estimate, found ? estimateWords(found) : "");
    },
  };

  /** Last: it takes the focus to what the others show. @type {PageView} */
  const window = {
    reads: ({ training }) => [training.isFormOpen],
    render({ training }) {
      if (training.isFormOpen && form.parentNode === null) dialog.body.append(form);
      if (training.isFormOpen) dialog.open();
      else dialog.close();
    },
  };
  return [fields, answers, time, window];
}
