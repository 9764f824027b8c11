// Two small buttons that save the numbers of a table as files.

import { numberFile } from "../../export/number_files.js";
import { saveFile } from "../../export/saving.js";
import { element } from "../../page/dom.js";
import { button } from "./button.js";

const FORMATS = /** @type {const} */ ([
  { format: "csv", label: "CSV" },
  { format: "json", label: "JSON" },
]);

/**
 * @param {Pick<Store, "state">} store
 * @param {string} what the table in words, such as `the ranking`
 * @param {(state: State) => import("../../export/number_files.js").NumberTable | null} tableOf all of its rows; null: there is none now
 */
export function downloadNumbers(store, what, tableOf) {
  const save = (/** @type {"csv" | "json"} */ format) => {
    const table = tableOf(store.state);
    if (table) saveFile(numberFile(store.state, table, format, new Date()));
  };
  const buttons = FORMATS.map(({ format, label }) => {
    const words = `Save ${what} as ${label}, all rows`;
    return button("chip small", label, () => save(format), { title: words, "aria-label": words });
  });
  return element("div", { class: "download-numbers" }, ...buttons);
}
