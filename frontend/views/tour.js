// The tour for a first visit: what is where, in a few steps that point at the real thing.

import { byId, element, setText } from "../page/dom.js";
import { hasPin } from "../state/pins.js";
import { storePreference } from "../storage/browser_storage.js";
import { button } from "./parts/button.js";

const SEEN = "headscope.tour";
const GAP = 10; // CSS pixels between a step and what it points at
const EDGE = 8; // between a step and the window's edge
const ONE_COLUMN = 1000; // CSS pixels of a window below which everything is one column
const NARROW = 640; // CSS pixels of a window in which the card is along the bottom, as in tour.css

/**
 * What each step points at, and says; clear: what the card must not cover either; before: prepares the page, and returns what
 * takes that back.
 * @type {{at: string, title: string, text: string, clear?: string, before?: (store: Store) => (() => void) | void}[]}
 */
const STEPS = [
  { at: "#sentence", clear: "#strips", title: "Type a sentence", text: "Any sentence, or one of the examples. The model reads it as tokens, in the strip below the box: point at one to see its attention in every head." },
  { at: "#grid-card", title: "All heads at once", text: "One small map per head: each row is a token that attends (query), each column a token it attends to (key); stronger colour = more attention. While a token is chosen, each tile is its row alone. Layers go from top to bottom, heads from left to right. Letters are roles shown on a corpus; colour and order heads by any metric." },
  {
    at: "#tab-pinned",
    title: "Pin heads side by side",
    text: "Click a map to pin it here, as heatmap, lines or table, with exact weights. Next to it is what the head does, with the evidence.",
    before(store) {
      const { actions } = store;
      actions.chooseTab("pinned");
      const { analysis } = store.state.sides.a;
      if (store.state.pins.length > 0 || !analysis) return undefined;
      const cell = pinnedFirst(analysis);
      actions.togglePin(cell);
      return () => hasPin(store.state.pins, cell) && actions.togglePin(cell);
    },
  },
  { at: "#view-bar", title: "Change the view", text: "Show raw or value-weighted attention, choose one of four scales, hide sinks, merge pieces into words. The legend always says what you see." },
  { at: "#add-against", title: "Compare", text: "Change one word, or choose another model: see both maps and their difference, with heads sorted by how much they changed." },
  { at: "#strips", title: "Which head links two words?", text: "Click a token, then another one, such as “it” and “animal”: every tile shows the weight of that link, and all heads are ranked by it." },
  { at: "#side-tabs", title: "More views", text: "Heads charts every metric; Corpus averages them over your own sentences; with a causal model such as SmolLM2, Generate writes a text token by token." },
  { at: ".top-links", title: "Export and share", text: "Save figures for papers, numbers, or a page that works without HeadScope; copy a link to exactly this view. Press ? for keyboard shortcuts and the glossary." },
];

/** The head that is pinned where none is: one that the smallest model has, too. @param {{n_layers: number, n_heads: number}} model */
export function pinnedFirst({ n_layers, n_heads }) {
  return { layer: Math.min(3, n_layers - 1), head: Math.min(1, n_heads - 1) };
}

/** @param {Store} store @param {BrowserStorage} storage @param {boolean} isFirst whether no link was opened @returns what starts it */
export function createTour(store, storage, isFirst) {
  const root = byId("tour", HTMLElement);
  const count = element("span", { class: "quiet" });
  const title = element("h2", { id: "tour-title", tabindex: -1 });
  const text = element("p", { id: "tour-text" });
  const back = button("plain", "Back", () => show(at - 1));
  const next = button("primary", "Next", () => show(at + 1));
  const end = button("plain", "End tour", close);
  const card = element(
    "div",
    { class: "tour-card", role: "dialog", "aria-labelledby": "tour-title", "aria-describedby": "tour-text", hidden: true },
    count,
    title,
    text,
    element("div", { class: "tour-foot" }, end, element("span", { class: "spring" }), back, next),
  );
  const ring = element("div", { class: "tour-ring", "aria-hidden": "true", hidden: true });
  root.replaceChildren(ring, card);
  let at = -1;
  /** What takes back what steps did to the page. @type {(() => void)[]} */
  let takenBack = [];
  /** What had the keyboard before. @type {Element | null} */
  let from = null;
  const targetOf = () => (at < 0 ? null : document.querySelector(STEPS[at].at));

  /** @param {number} step */
  function show(step) {
    if (step >= STEPS.length) return close();
    if (at < 0) from = document.activeElement;
    at = Math.max(0, step);
    const { at: target, before, ...said } = STEPS[at];
    const takeBack = before?.(store);
    if (takeBack) takenBack.push(takeBack);
    setText(count, `${at + 1} of ${STEPS.length}`);
    setText(title, said.title);
    setText(text, said.text);
    back.disabled = at === 0;
    setText(next, at === STEPS.length - 1 ? "Done" : "Next");
    card.hidden = false;
    ring.hidden = false;
    invitation.hidden = true;
    moved.disconnect();
    for (const seen of document.querySelectorAll(`main, #explore, ${target}`)) moved.observe(seen);
    // After the page has drawn what the step opened.
    requestAnimationFrame(() => requestAnimationFrame(bring));
    title.focus({ preventScroll: true });
  }

  function bring() {
    const target = targetOf();
    if (!target) return;
    // What the card would cover, or what is too tall for the window, is shown from its top.
    const isFromTop = window.innerWidth <= NARROW || target.clientHeight > window.innerHeight / 2;
    target.scrollIntoView({ block: isFromTop ? "start" : "center" });
    place();
  }

  // What a step opens, and maps that arrive, move what it points at.
  const moved = new ResizeObserver(place);

  function place() {
    const target = targetOf();
    if (!target) return;
    const box = target.getBoundingClientRect();
    const [wide, tall] = [document.documentElement.clientWidth, window.innerHeight];
    Object.assign(ring.style, { left: `${box.left - 4}px`, top: `${box.top - 4}px`, width: `${box.width + 8}px`, height: `${box.height + 8}px` });
    // Below, else above, else beside what is too tall for both.
    const [lowest, rightmost] = [tall - card.offsetHeight - EDGE, wide - card.offsetWidth - EDGE];
    const { clear } = STEPS[at];
    const bottom = clear ? (document.querySelector(clear)?.getBoundingClientRect().bottom ?? box.bottom) : box.bottom;
    const [below, above] = [bottom + GAP, box.top - card.offsetHeight - GAP];
    const isBeside = below > lowest && above < EDGE;
    const beside = box.right + GAP <= rightmost ? box.right + GAP : box.left - card.offsetWidth - GAP;
    const top = wide <= NARROW ? lowest : isBeside ? box.top : below <= lowest ? below : above;
    card.style.top = `${Math.max(EDGE, Math.min(top, lowest))}px`;
    card.style.left = `${Math.max(EDGE, Math.min(isBeside ? beside : box.left, rightmost))}px`;
  }

  function close() {
    at = -1;
    moved.disconnect();
    for (const takeBack of takenBack) takeBack();
    takenBack = [];
    card.hidden = true;
    ring.hidden = true;
    const isInvited = from !== null && invitation.contains(from);
    remember();
    if (from instanceof HTMLElement && !isInvited) from.focus();
  }

  function remember() {
    storePreference(storage, SEEN, "seen");
    invitation.remove();
    // The list of keys has the tour again.
    byId("keys-open", HTMLButtonElement).focus();
  }

  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    else if (event.key === "ArrowRight") show(at + 1);
    else if (event.key === "ArrowLeft") show(at - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  window.addEventListener("scroll", place, { passive: true });
  window.addEventListener("resize", place);

  const start = () => show(0);
  const invitation = element(
    "p",
    { class: "invitation" },
    element("span", {}, "See what every attention head of a model looks at. "),
    button("chip", "Take the tour", start),
    button("plain", "No, thanks", remember),
  );
  if (isFirst && storage.getItem(SEEN) === null) {
    // In one column the heads are a screen further down.
    if (window.innerWidth < ONE_COLUMN) byId("explore", HTMLElement).before(invitation);
    else byId("side-tabs", HTMLElement).parentElement?.after(invitation);
  }
  return start;
}
