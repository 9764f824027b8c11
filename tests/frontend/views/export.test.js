// The export dialog offers what the list of formats holds, and saves what they make.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { csvOf } from "../../../frontend/export/map_files.js";
import { FORMATS } from "../../../frontend/export/formats.js";
import { createExport } from "../../../frontend/views/export.js";
import { exportedStore, theme } from "../exported_view.js";
import { surface } from "../small_sheet.js";

/** An element of a page that is not drawn. */
class StandIn {
  children = [];
  childNodes = [];
  listeners = {};
  style = { setProperty: () => {} };
  classList = { add: () => {}, toggle: () => {} };
  own = "";

  setAttribute(name, value) {
    this[name] = value;
  }
  addEventListener(name, listener) {
    this.listeners[name] = listener;
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  get textContent() {
    return this.own + this.children.map((child) => child.textContent ?? child).join("");
  }
  set textContent(text) {
    [this.own, this.children] = [text, []];
  }
  get all() {
    return [this, ...this.children.flatMap((child) => child.all ?? [])];
  }
  click() {
    this.listeners.click?.();
    if (this.download) saved.push({ name: this.download, href: this.href });
  }
  showModal() {
    this.open = true;
  }
  getContext() {
    return Object.assign(surface(), { scale: () => {} });
  }
}

const GLOBALS = ["document", "window", "location", "HTMLDialogElement", "HTMLButtonElement"];
let places = {};
let saved = [];
beforeEach(() => {
  [places, saved] = [{ export: new StandIn(), "export-open": new StandIn() }, []];
  const document = { createElement: () => new StandIn(), getElementById: (id) => places[id] };
  const page = { document, window: {}, location: { origin: "http://here" }, HTMLDialogElement: StandIn, HTMLButtonElement: StandIn };
  Object.assign(globalThis, page);
});
afterEach(() => GLOBALS.forEach((name) => delete globalThis[name]));

/** The dialog, open over what a store shows. */
function opened(store, formats) {
  const view = createExport(store, formats);
  assert.deepEqual(view.reads(store.state, theme), [theme], "closed it is drawn from the theme alone");
  view.render(store.state, theme);
  places["export-open"].listeners.click();
  const { all } = places.export;
  const button = (id) => all.find((one) => one["data-format"] === id);
  const rows = all.filter(({ class: name }) => name === "export-row");
  return { view, button, rowOf: (id) => rows.find((row) => row.all.includes(button(id))), said: all.find(({ class: name }) => name === "export-said") };
}

test("a new format is one entry: it stands in the row of its kind, and a click saves what it makes", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const tsv = { id: "tsv", label: "TSV", makes: "numbers", make: ({ maps }) => ({ name: "maps.tsv", content: csvOf(maps).replaceAll(",", "\t") }) };
  const { button, rowOf, said } = opened(exportedStore("1.2h"), [...FORMATS, tsv]);
  assert.equal(button("tsv").textContent, "TSV");
  assert.equal(button("tsv").disabled, false);
  assert.equal(rowOf("tsv"), rowOf("csv"));
  assert.match(rowOf("tsv").textContent, /^Numbers/);
  button("tsv").click();
  await Promise.resolve();
  assert.deepEqual(saved.map(({ name }) => name), ["maps.tsv"]);
  assert.equal(said.textContent, "Saved maps.tsv");
});

test("every format has a button, in the order of the list, and those that cannot be made are disabled", () => {
  const { button } = opened(exportedStore("0.0h", { isExact: false }), FORMATS);
  const buttons = places.export.all.filter((one) => one["data-format"]);
  assert.deepEqual(buttons.map((one) => one["data-format"]), FORMATS.map(({ id }) => id));
  assert.deepEqual([button("csv").disabled, button("curl").disabled], [true, false]);
});

test("a format that fails says why", async () => {
  const broken = { id: "x", label: "X", makes: "page", make: async () => { throw new Error("Try again later."); } };
  const { button, said } = opened(exportedStore("1.2h"), [broken]);
  button("x").click();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(said.textContent, "That did not work: Try again later.");
});

test("an open dialog is drawn from the whole state, a closed one keeps the theme alone", () => {
  const store = exportedStore("1.2h");
  const { view } = opened(store, FORMATS);
  assert.deepEqual(view.reads(store.state, theme), [theme, store.state]);
});
