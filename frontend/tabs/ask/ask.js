// Asking by clicking: which heads make the link between the chosen tokens, best first.

import { numberText } from "../../heads/measures.js";
import { barEnd, edgeWords, listed, measuredWords, suggestedLink } from "../../heads/ranking.js";
import { atlasOnScreen, rolesOf } from "../../heads/roles.js";
import { byId, element, setText } from "../../page/dom.js";
import { headName } from "../../page/labels.js";
import { hasPin } from "../../state/pins.js";
import { chosenExample, isStale } from "../../state/selectors.js";
import { onSide } from "../../state/sides.js";
import { pageView } from "../../views/draw_views.js";
import { badges } from "../../views/parts/badges.js";
import { bar } from "../../views/parts/bar.js";
import { showMore } from "../../views/parts/show_more.js";
import { askActions } from "./actions.js";
import { SLOTS, createSlot } from "./ask_slot.js";
import { askChoice } from "./choice.js";
import { edges } from "./edges.js";

const FIRST_ROWS = 12;
const BY_NORM = "By the length of the vectors the weights let through (Kobayashi and others, 2020)";

const HOW_TO =
  "Click the token that looks, then the token it looks at, in the strip under the sentence: all heads are ranked by the attention between them.";

/** @type {Token[]} */
const NO_TOKENS = [];

/** @param {State} state the tokens that can be asked for: not those of an older text */
function tokensOf(state) {
  const a = onSide(state, "a");
  return a.analysis === null || isStale(a) ? NO_TOKENS : a.analysis.tokens;
}

/** @param {State} state whether both ends of the link have tokens */
function isAsked(state) {
  const { queries, keys } = askChoice.of(state);
  return tokensOf(state).length > 0 && queries.length > 0 && keys.length > 0;
}

/** @param {State} state what the server said of the link; null while unknown */
function knownOf(state) {
  return isAsked(state) ? edges.of(state) : null;
}

/** @param {Store} store @param {HTMLElement} root @returns {PageView[]} */
export function createAsk(store, root) {
  const { actions } = store;
  const asking = askActions(store);
  const slots = SLOTS.map((slot) => createSlot(slot, asking, tokensOf));
  const swap = element("button", { type: "button", class: "plain", onclick: asking.swapEnds }, "Swap");
  const clear = element("button", { type: "button", class: "plain", onclick: asking.clear }, "Clear");
  const empty = element("div", { class: "empty ask-empty" });
  const said = element("p", { class: "ask-said", role: "status" });
  const problem = element("div", { class: "problem ask-problem", role: "alert" });
  const body = element("tbody");
  const scale = element("span", { class: "quiet" });
  const titles = [
    element("th", { scope: "col" }, "Head"),
    element("th", { scope: "col", colspan: 2 }, "Weight ", scale),
    element("th", { scope: "col", title: BY_NORM }, "Value-weighted"),
    element("th", {}, element("span", { class: "unseen" }, "Pin")),
  ];
  const table = element("table", { class: "ranking" }, element("thead", {}, element("tr", {}, ...titles)), body);
  const more = showMore(FIRST_ROWS);
  const card = element("div", { class: "card ranking-card" }, table, more.button);
  const tools = element("div", { class: "ask-tools" }, swap, clear);
  root.replaceChildren(element("div", { class: "slots" }, ...slots.map((slot) => slot.root)), tools, empty, said, problem, card);
  // Whoever opens the tab needs the tokens next. A page that starts with it open has none yet, and stays where it is.
  store.watch(({ tab }) => [tab], ({ tab, sides }) => {
    if (tab === "ask" && sides.a.analysis !== null) requestAnimationFrame(() => reveal(byId("tokens", HTMLElement)));
  });

  /** @param {boolean} isHidden @param {Token[]} tokens @param {ReturnType<typeof chosenExample>} example */
  function renderEmpty(isHidden, tokens, example) {
    empty.hidden = isHidden;
    const link = suggestedLink(tokens, example);
    const title = link && example ? example.hint : "Which heads link one word to another?";
    const parts = [element("p", { class: "empty-title" }, title), element("p", {}, HOW_TO)];
    if (link) {
      const words = `${listed(tokens, link.queries)} → ${listed(tokens, link.keys)}`;
      const onclick = () => asking.askFor(link.queries, link.keys);
      parts.push(element("p", {}, element("button", { type: "button", class: "chip", onclick }, words)));
    }
    empty.replaceChildren(...parts);
  }

  /** @param {Problem | null} found */
  function renderProblem(found) {
    problem.hidden = found === null;
    const turn = element("button", { type: "button", class: "chip", onclick: asking.swapEnds }, "Swap From and To");
    const remedy = found?.code === "not_visible" ? [element("p", {}, turn)] : [];
    problem.replaceChildren(...(found ? [element("p", {}, found.message), ...remedy] : []));
  }

  /** @param {State} state */
  function renderRanking(state) {
    const answer = knownOf(state)?.answer ?? null;
    card.hidden = answer === null;
    if (answer === null) return;
    const end = barEnd(answer.heads);
    setText(scale, `0 to ${end}`);
    more.show(answer.heads, answer, (heads) => body.replaceChildren(...heads.map((edge) => row(state, edge, end))));
  }

  /** @param {State} state @param {Edge} edge @param {number} end */
  function row(state, edge, end) {
    const a = onSide(state, "a");
    const stack = Math.max(0, a.analysis?.stacks.findIndex((one) => one.stack === edge.stack) ?? 0);
    const cell = { layer: edge.layer, head: edge.head, stack };
    const name = headName(edge.layer, edge.head);
    const isPinned = hasPin(state.pins, cell);
    const word = isPinned ? "Pinned" : "Pin";
    const onclick = () => {
      actions.togglePin(cell);
      if (!isPinned) asking.lockLink();
    };
    const button = { type: "button", class: "chip", "aria-pressed": String(isPinned), "aria-label": `${word} ${name}`, onclick };
    const data = { "data-layer": edge.layer, "data-head": edge.head, "data-weight": edge.weight };
    return element(
      "tr",
      { ...data, onpointerenter: () => actions.pointAt(cell), onpointerleave: () => actions.pointAt(null) },
      element("th", { scope: "row" }, element("span", {}, name), " ", ...badges(rolesOf(a, cell))),
      element("td", { class: "edge", title: edgeWords(edge) }, bar(edge.weight / end, edge.by_position && edge.by_position / end)),
      element("td", { class: "number" }, numberText(edge.weight)),
      element("td", { class: "number quiet" }, edge.weighted === null ? "–" : numberText(edge.weighted)),
      element("td", { class: "act" }, element("button", button, word)),
    );
  }

  return [
    ...slots.flatMap(({ views }) => views),
    pageView((state) => [askChoice.of(state)], ({ queries, keys }) => {
      swap.disabled = clear.disabled = queries.length + keys.length === 0;
    }),
    pageView((state) => [isAsked(state) || state.sides.a.analysis === null, tokensOf(state), chosenExample(onSide(state, "a"))], renderEmpty),
    pageView((state) => [isAsked(state), tokensOf(state), knownOf(state)], (isLink, tokens, known) => {
      const wait = isLink && !known ? "Asking all heads…" : "";
      setText(said, known?.answer ? measuredWords(tokens, known.answer) : wait);
    }),
    pageView((state) => [knownOf(state)?.problem ?? null], renderProblem),
    {
      reads: (state) => [knownOf(state)?.answer, state.pins, atlasOnScreen(onSide(state, "a")), state.sides.a.analysis],
      render: renderRanking,
    },
  ];
}

/** What the next click on a token does. @param {Pick<Store, "state">} store */
export function nextStep({ state }) {
  const ask = askChoice.of(state);
  const isFrom = ask.end === "queries";
  if (ask[ask.end].length > 0) return [`More tokens go to “${isFrom ? "From" : "To"}”; click a chosen one to take it out.`];
  return [isFrom ? "Click the token that looks." : "Now click the token it looks at."];
}

/** @param {HTMLElement} part scrolls to it unless all of it is visible */
function reveal(part) {
  const { top, bottom } = part.getBoundingClientRect();
  if (top < 0 || bottom > window.innerHeight) part.scrollIntoView({ block: "start" });
}
