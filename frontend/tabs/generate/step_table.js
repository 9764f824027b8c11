// What each head attends to, as a table: made only when somebody wants to read it, as it has a row for each head.

import { onSinks } from "../../generate/step_rows.js";
import { element } from "../../page/dom.js";
import { headName, placedToken } from "../../page/labels.js";

/** @typedef {import("./step_heads.js").Drawn} Drawn */

export function createStepTable() {
  const body = element("tbody");
  const titles = element("tr");
  const table = element("table", { class: "detail-table" }, element("thead", {}, titles), body);
  const scroll = element("div", { class: "detail-scroll", tabindex: 0, role: "region", "aria-label": "All heads" }, table);
  const root = element("details", { class: "detail-numbers", ontoggle: write }, element("summary", {}, "As a table"), scroll);
  /** @type {Drawn | null} */
  let shown = null;

  function write() {
    if (!root.open || shown === null) return;
    const { step, own, looks, watched } = shown;
    const last = watched !== null ? [`On ${placedToken(step.tokens[watched], watched)}`] : [];
    const names = ["Head", "Strongest token", "Weight", "On sinks", ...last];
    titles.replaceChildren(...names.map((text) => element("th", { scope: "col" }, text)));
    const written = (/** @type {number | undefined} */ weight) => weight?.toFixed(step.exact ? 3 : 2) ?? "–";
    const rows = own.map((look, at) => {
      const [layer, head] = [Math.floor(at / step.n_heads), at % step.n_heads];
      const most = look ? [placedToken(step.tokens[look.key], look.key), written(look.weight)] : ["–", "–"];
      const resting = written(onSinks(step, layer, head) ?? undefined);
      const on = watched !== null ? [written(looks[at]?.weight)] : [];
      const cells = [...most, resting, ...on].map((text) => element("td", {}, text));
      return element("tr", {}, element("th", { scope: "row" }, headName(layer, head)), ...cells);
    });
    body.replaceChildren(...rows);
  }

  return {
    root,
    /** @param {Drawn} drawn */
    render(drawn) {
      shown = drawn;
      write();
    },
  };
}
