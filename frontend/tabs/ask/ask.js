// Asking by clicking: which heads make the link between the chosen tokens, best first.

import { numberText } from "../../heads/measures.js";
import { barEnd, edgeWords, listed, measuredWords, shownEdges, suggestedLink } from "../../heads/ranking.js";
import { rolesOf } from "../../heads/roles.js";
import { headName } from "../../maps/labels.js";
import { byId, element, setText } from "../../page/dom.js";
import { Memo } from "../../page/memo.js";
import { hasPin } from "../../state/pins.js";
import { chosenExample, isStale } from "../../state/selectors.js";
import { SLOTS, Slot } from "./ask_slot.js";
import { badges } from "../../views/parts/badges.js";

/** @typedef {import("../../requests/api.js").Edge} Edge */

const FIRST_ROWS = 12;
const OF_INTEREST = ["tab", "ask", "edges", "analysis", "run", "pins", "atlas", "model", "text", "text_pair", "config"];

/** @type {Token[]} */
const NO_TOKENS = [];

/** @param {Actions} actions */
export function createAsk(actions) {
  const slots = SLOTS.map((slot) => new Slot(slot, actions));
  const swap = element("button", { type: "button", class: "plain", onclick: () => actions.swapAsked() }, "Swap");
  const clear = element("button", { type: "button", class: "plain", onclick: () => actions.clearAsked() }, "Clear");
  const empty = element("div", { class: "empty ask-empty" });
  const said = element("p", { class: "ask-said", role: "status" });
  const problem = element("div", { class: "problem ask-problem", role: "alert" });
  const body = element("tbody");
  const scale = element("span", { class: "quiet" });
  const titles = [
    element("th", { scope: "col" }, "Head"),
    element("th", { scope: "col", colspan: 2 }, "Weight ", scale),
    element(
      "th",
      { scope: "col", title: "By the length of the vectors the weights let through (Kobayashi and others, 2020)" },
      "Value-weighted",
    ),
    element("th", {}, element("span", { class: "unseen" }, "Pin")),
  ];
  const table = element("table", { class: "ranking" }, element("thead", {}, element("tr", {}, ...titles)), body);
  const more = element("button", { type: "button", class: "chip more", onclick: showAll });
  const answered = element("div", { class: "card ranking-card" }, table, more);
  byId("tab-ask", HTMLElement).replaceChildren(
    element("div", { class: "slots" }, ...slots.map(({ root }) => root)),
    element("div", { class: "ask-tools" }, swap, clear),
    empty,
    said,
    problem,
    answered,
  );
  /** @type {State | null} */
  let shown = null;
  let isOpen = false;
  /** The answer all of whose heads are listed. @type {Edges | null} */
  let whole = null;
  const [emptied, complained, ranked] = [new Memo(), new Memo(), new Memo()];

  function showAll() {
    const edges = shown && shownEdges(shown)?.answer;
    if (!shown || !edges) return;
    whole = edges;
    renderRanking(shown, edges);
  }

  /** @param {Token[]} tokens that can be asked for @param {import("../../requests/api.js").Example | null} example */
  function renderEmpty(tokens, example) {
    const link = suggestedLink(tokens, example);
    const parts = [
      element("p", { class: "empty-title" }, link && example ? example.hint : "Which heads link one word to another?"),
      element(
        "p",
        {},
        "Click the token that looks, then the token it looks at, in the strip under the sentence: all heads are ranked by the attention between them.",
      ),
    ];
    if (link) {
      const words = `${listed(tokens, link.queries)} → ${listed(tokens, link.keys)}`;
      const onclick = () => actions.askFor(link.queries, link.keys);
      parts.push(element("p", {}, element("button", { type: "button", class: "chip", onclick }, words)));
    }
    empty.replaceChildren(...parts);
  }

  /** @param {Problem | null} found */
  function renderProblem(found) {
    problem.hidden = found === null;
    problem.replaceChildren(...(found ? complaint(found, actions) : []));
  }

  /** @param {State} state @param {Edges} edges */
  function renderRanking(state, edges) {
    ranked.get([edges, whole, state.pins, state.atlas, state.analysis], () => writeRanking(state, edges));
  }

  /** @param {State} state @param {Edges} edges */
  function writeRanking(state, edges) {
    const { heads } = edges;
    const end = barEnd(heads);
    setText(scale, `0 to ${end}`);
    const count = whole === edges ? heads.length : FIRST_ROWS;
    body.replaceChildren(...heads.slice(0, count).map((edge) => row(state, edge, end)));
    more.hidden = count >= heads.length;
    setText(more, `Show all ${heads.length} heads`);
  }

  /** @param {State} state @param {Edge} edge @param {number} end */
  function row(state, edge, end) {
    const stack = Math.max(0, state.analysis?.stacks.findIndex((one) => one.stack === edge.stack) ?? 0);
    const cell = { layer: edge.layer, head: edge.head, stack };
    const name = headName(edge.layer, edge.head);
    const isPinned = hasPin(state.pins, cell);
    const pin = () => {
      actions.togglePin(cell);
      if (!isPinned) actions.lockAsked();
    };
    const button = {
      type: "button",
      class: "chip",
      "aria-pressed": String(isPinned),
      "aria-label": `${isPinned ? "Pinned" : "Pin"} ${name}`,
      onclick: pin,
    };
    return element(
      "tr",
      {
        "data-layer": edge.layer,
        "data-head": edge.head,
        "data-weight": edge.weight,
        onpointerenter: () => actions.pointAt(cell),
        onpointerleave: () => actions.pointAt(null),
      },
      element("th", { scope: "row" }, element("span", {}, name), " ", ...badges(rolesOf(state, cell))),
      element("td", { class: "edge", title: edgeWords(edge) }, bar(edge, end)),
      element("td", { class: "number" }, numberText(edge.weight)),
      element("td", { class: "number quiet" }, edge.weighted === null ? "–" : numberText(edge.weighted)),
      element("td", { class: "act" }, element("button", button, isPinned ? "Pinned" : "Pin")),
    );
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     */
    render(state, changed) {
      // At the start the strip is where it is; when somebody opens the tab it is what they need next.
      if (state.tab === "ask" && shown !== null && !isOpen) reveal(byId("tokens", HTMLElement));
      isOpen = state.tab === "ask";
      shown = state;
      if (state.tab !== "ask" || !OF_INTEREST.some((key) => changed.has(key))) return;
      const { ask, run } = state;
      // The tokens of an older text are no part of this question.
      const analysis = isStale(state) ? null : state.analysis;
      const tokens = analysis?.tokens ?? NO_TOKENS;
      for (const slot of slots) slot.render(ask, tokens);
      const isAsked = analysis !== null && ask.queries.length > 0 && ask.keys.length > 0;
      swap.disabled = clear.disabled = ask.queries.length + ask.keys.length === 0;
      empty.hidden = isAsked || state.analysis === null;
      const example = chosenExample(state);
      if (!empty.hidden) emptied.get([tokens, example], () => renderEmpty(tokens, example));
      const known = isAsked ? shownEdges(state) : null;
      const answer = known?.answer ?? null;
      const wait = run.phase === "failed" ? "" : "Asking all heads…";
      setText(said, answer ? measuredWords(tokens, answer) : isAsked && !known ? wait : "");
      const found = known?.problem ?? null;
      complained.get([found], () => renderProblem(found));
      answered.hidden = answer === null;
      if (answer) renderRanking(state, answer);
    },
  };
}

/** @param {HTMLElement} part scrolls to it unless all of it is seen */
function reveal(part) {
  const { top, bottom } = part.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) part.scrollIntoView({ block: "start" });
}

/**
 * The weight as a bar, with a tick where position alone would put it.
 * @param {Edge} edge
 * @param {number} end
 */
function bar({ weight, by_position }, end) {
  const fill = element("span", { class: "edge-fill" });
  fill.style.width = `${(100 * weight) / end}%`;
  const parts = [fill];
  if (by_position !== null) {
    const tick = element("span", { class: "edge-tick" });
    tick.style.left = `${(100 * by_position) / end}%`;
    parts.push(tick);
  }
  return element("span", { class: "edge-bar", "aria-hidden": "true" }, ...parts);
}

/**
 * @param {Problem} problem
 * @param {Actions} actions
 */
function complaint({ code, message }, actions) {
  const said = element("p", {}, message);
  if (code !== "not_visible") return [said];
  return [
    said,
    element(
      "p",
      {},
      element("button", { type: "button", class: "chip", onclick: () => actions.swapAsked() }, "Swap From and To"),
    ),
  ];
}
