// The dialog that explains why one head attends from one token to another: q · k, scaled, then softmax over all keys.

import { largestInWords, numberInFull, openHead, pairOf, queryKey, refusalOf, scaleInWords, signed } from "../../maps/query_key.js";
import { stackTokens } from "../../maps/map_lines.js";
import { element, setText } from "../../page/dom.js";
import { tokenInWords, tokenLabel, weightText } from "../../page/labels.js";
import { whatName } from "../../state/pins.js";
import { chosenModel } from "../../state/selectors.js";
import { atPlace } from "../../state/sides.js";
import { ARROW_STEPS } from "../parts/arrow_steps.js";
import { button } from "../parts/button.js";
import { createDialog } from "../parts/dialog.js";
import { menu } from "../parts/menu.js";
import { term } from "../parts/term.js";
import { createSoftmaxRow } from "./detail_keys.js";
import { dimensionAt, dimensionInWords, drawStrips } from "./detail_strips.js";
import { createNumberTables } from "./detail_table.js";

/** @param {Store} store @returns {PageView[]} */
export function createDetail(store) {
  const { actions } = store;
  const about = element("p", { class: "quiet" });
  const dialog = createDialog("detail", "", { about, bodyClass: "detail-body", isWide: false });
  const queries = menu("detail-query", "Query: the token that attends", (value) => choose({ query: Number(value) }));
  const keys = menu("detail-key", "Key: the token attended to", (value) => choose({ key: Number(value) }));
  const strongest = button("plain", "Strongest link", () => actions.setView({ lock: null }));
  const pick = element("div", { class: "detail-pick" }, queries.field, keys.field, strongest);
  const hint = element("p", { class: "hint" }, "← → another key, ↑ ↓ another query. A pair chosen here is shown in all maps.");
  const waiting = element("p", { class: "panel-waiting", role: "status" });
  const problem = element("p", { class: "problem", role: "alert" });
  const canvas = element("canvas", { role: "img" });
  const said = element("p", { class: "detail-said" });
  const words = element("p", {});
  const score = element("dl", { class: "detail-score" });
  const scaleWords = element("p", { class: "quiet" });
  const softmax = createSoftmaxRow((key) => choose({ key }));
  const numbers = createNumberTables();
  const note = element("p", { class: "note" });
  const done = ["q · k", "", "softmax"].map((name) => element("span", {}, name));
  const results = ["dot", "score", "weight"].map((name) => element("output", { "data-step": name }));
  const steps = [
    section(done[0], results[0], canvas, said, words),
    section(done[1], results[1], score, scaleWords),
    section(done[2], results[2], softmax.root),
  ];
  const chain = element("div", { class: "detail-chain" }, ...steps);
  const answer = element("div", { class: "detail-answer" }, chain, note, numbers.root);
  dialog.body.append(pick, hint, waiting, problem, answer);
  /** @type {Theme | null} */
  let theme = null;
  /** The dimension under the pointer. @type {number | null} */
  let at = null;

  /** @param {{query?: number, key?: number}} part the other token stays */
  function choose(part) {
    const { detail } = store.state;
    const pair = pairOf(store.state);
    if (!pair || !detail) return;
    const { query, key } = { ...pair, ...part };
    actions.setView({ lock: { side: detail.side, queries: [query], keys: [key] } });
  }

  dialog.root.addEventListener("close", () => {
    if (!dialog.root.open) actions.openDetail(null); // closed by the browser itself
  });
  dialog.root.addEventListener("keydown", (event) => {
    const step = ARROW_STEPS[event.key];
    const isTaken = event.target instanceof Element && event.target.closest("select, .detail-scroll") !== null;
    const pair = pairOf(store.state);
    const open = openHead(store.state);
    if (!step || isTaken || !pair || !open || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const within = (/** @type {number} */ token, /** @type {[number, number]} */ [from, to]) =>
      Math.min(to - 1, Math.max(from, token));
    choose({ query: within(pair.query + step[0], open.stack.queries), key: within(pair.key + step[1], open.stack.keys) });
  });
  canvas.addEventListener("pointermove", ({ offsetX }) => {
    const found = answerIn(store.state);
    pointAt(found && dimensionAt(offsetX, canvas.clientWidth, found.q.length));
  });
  canvas.addEventListener("pointerleave", () => pointAt(null));

  /** @param {number | null} dimension */
  function pointAt(dimension) {
    if (dimension === at) return;
    at = dimension;
    draw();
  }

  /** @param {State} state @param {HeadPlace} place @param {QueryKey | null} found */
  function renderHead(state, place, found) {
    const open = openHead(state);
    const pair = pairOf(state);
    const name = whatName({ kind: "head", ...place });
    const tokens = open?.analysis.tokens ?? [];
    const named = (/** @type {number} */ token) => `“${tokenInWords(tokens[token])}”`;
    setText(dialog.heading, pair ? `${name}: ${named(pair.query)} → ${named(pair.key)}` : name);
    const model = chosenModel(atPlace(state, place));
    const isShared = found !== null && (found.key_head !== found.head || (model?.n_kv_heads ?? 0) < (model?.n_heads ?? 0));
    const facts = found === null ? [] : [`${found.q.length} dimensions`, ...(isShared ? [`key head ${found.key_head}`] : [])];
    setText(about, [model?.name ?? "", ...facts].join(" · "));
    strongest.hidden = state.lock === null;
    if (!open || !pair) return;
    const { queries: from, keys: to } = stackTokens(open.analysis, open.stack);
    const option = (/** @type {Token} */ token) => ({ value: String(token.index), text: `${token.index} ${tokenInWords(token)}` });
    queries.write([{ label: "", options: from.map(option) }], String(pair.query));
    keys.write([{ label: "", options: to.map(option) }], String(pair.key));
  }

  /** @param {QueryKey} found @param {Token[]} tokens */
  function write(found, tokens) {
    const { dot, scale, scaled, added, score: whole, weight } = found;
    const wholeText = whole === null ? "−∞" : numberInFull(whole);
    const texts = [numberInFull(dot), wholeText, weightText(weight)];
    [dot, whole, weight].forEach((value, step) => {
      results[step].dataset.value = String(value);
      setText(results[step], texts[step]);
    });
    const more = whole === null ? " + mask" : added === null ? "" : ` ${signed(added)}`;
    setText(done[1], `× ${shortest(scale)}${more}`);
    setText(words, largestInWords(found));
    const bias = added === null ? [] : [line("scaled", numberInFull(scaled), scaled), line("position bias", signed(added), added)];
    const end = line(whole === null ? "mask" : "score", wholeText, whole);
    score.replaceChildren(line("q · k", numberInFull(dot), dot), line("scale", `× ${shortest(scale)}`, scale), ...bias, end);
    setText(scaleWords, scaleInWords(found));
    softmax.write(found, tokens);
    numbers.show(found, tokens);
    setText(note, found.note ?? "");
    canvas.setAttribute("aria-label", `q, k and their product in ${found.q.length} dimensions. ${largestInWords(found)}`);
  }

  function draw() {
    const open = openHead(store.state);
    const found = answerIn(store.state);
    if (!open || found === null || theme === null) return;
    const [query, key] = [found.query, found.key].map((token) => tokenLabel(open.analysis.tokens[token]));
    const [room, narrow] = [steps[0], softmax.root].map(({ clientWidth }) => clientWidth);
    drawStrips(canvas, { steps: found, query, key, width: room, at }, theme);
    softmax.draw(found, narrow, theme);
    setText(said, at === null ? "" : dimensionInWords(found, at));
  }

  return [
    {
      resources: [queryKey],
      reads(state) {
        const { detail, lock } = state;
        if (detail === null) return [];
        const { query, key } = pairOf(state) ?? {};
        const known = [openHead(state)?.analysis, queryKey.of(state), refusalOf(state), chosenModel(atPlace(state, detail))];
        return [detail, lock === null, query, key, ...known];
      },
      render(state) {
        if (state.detail === null) return dialog.close();
        dialog.open();
        const known = queryKey.of(state);
        const failed = known === null ? refusalOf(state) : known.problem?.message;
        const found = known?.answer ?? null;
        problem.hidden = !failed;
        setText(problem, failed ?? "");
        renderHead(state, state.detail, found);
        answer.hidden = found === null;
        waiting.hidden = found !== null || Boolean(failed);
        setText(waiting, pairOf(state) ? "Loading the vectors…" : "Looking for the strongest link…");
      },
    },
    // The steps; those of the last answer stay while there is none.
    {
      reads(state, used) {
        const found = answerIn(state);
        return found && [used, found, openHead(state)?.analysis];
      },
      render(state, used) {
        theme = used;
        const found = answerIn(state);
        if (found) write(found, openHead(state)?.analysis.tokens ?? []);
        draw();
      },
    },
  ];
}

/** @param {State} state the steps asked for; null while they are not here */
function answerIn(state) {
  return queryKey.of(state)?.answer ?? null;
}

/** One step of the chain. @param {HTMLElement} done what is done @param {HTMLElement} result @param {...HTMLElement} parts how */
function section(done, result, ...parts) {
  return element("section", { class: "detail-step" }, element("h3", {}, done, " = ", result), ...parts);
}

/** @param {number} value without zeros at its end */
function shortest(value) {
  return String(Number(value.toFixed(4)));
}

/** @param {string} name @param {string} text @param {number | null} value */
function line(name, text, value) {
  return element("div", { "data-term": name, "data-value": value }, element("dt", {}, name === "score" ? term("score", name) : name), element("dd", {}, text));
}
