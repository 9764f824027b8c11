// A term that explains itself: on hover, on keyboard focus and on a tap. Escape closes the explanation.

import { element } from "../../page/dom.js";
import { GLOSSARY } from "../../page/glossary.js";

/** @typedef {import("../../page/glossary.js").TermId} TermId */

const GAP = 6; // CSS pixels between a term and its explanation
const EDGE = 8; // between an explanation and the window's edge
const LEAVE_MS = 150; // time to move the pointer from a term to its explanation

/** The explanations that are in the page, one per term. @type {Map<TermId, HTMLElement>} */
const tips = new Map();
/** @type {HTMLElement | null} */
let shown = null;
let leaving = 0;

/** A term in a text. @param {TermId} id @param {string} [text] as it is written here */
export function term(id, text = GLOSSARY[id].name) {
  const made = element("button", { type: "button", class: "term" }, text);
  explain(made, id);
  // A tap gives no hover, and no focus in every browser.
  made.addEventListener("click", (event) => {
    // The term may stand in a row or a slot that acts on clicks.
    event.stopPropagation();
    show(made, tipOf(id));
  });
  return made;
}

/** Let a control that is named by a term explain it. @param {HTMLElement} control @param {TermId} id */
export function explain(control, id) {
  const tip = tipOf(id);
  control.setAttribute("aria-describedby", tipName(id));
  control.addEventListener("pointerenter", (event) => {
    if (event.pointerType === "mouse") show(control, tip);
  });
  control.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "mouse") hideSoon();
  });
  control.addEventListener("focus", () => {
    // A control that a click puts the focus on has its own work to do.
    if (control.matches(":focus-visible")) show(control, tip);
  });
  control.addEventListener("blur", hide);
  control.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || shown !== tip) return;
    // Only the explanation closes: not the dialog around it, nor what is locked on the page.
    event.preventDefault();
    event.stopPropagation();
    hide();
  });
}

/** @param {TermId} id */
const tipName = (id) => `term-${id}`;

/** @param {TermId} id */
function tipOf(id) {
  const known = tips.get(id);
  if (known) return known;
  const { name, meaning } = GLOSSARY[id];
  const tip = element("div", { id: tipName(id), class: "term-tip", role: "tooltip", popover: "manual" }, element("strong", {}, name), " ", meaning);
  tip.addEventListener("pointerenter", () => clearTimeout(leaving));
  tip.addEventListener("pointerleave", hideSoon);
  tips.set(id, tip);
  document.body.append(tip);
  return tip;
}

/** @param {HTMLElement} at @param {HTMLElement} tip */
function show(at, tip) {
  clearTimeout(leaving);
  if (shown !== tip) hide();
  shown = tip;
  if (!tip.matches(":popover-open")) tip.showPopover();
  const box = at.getBoundingClientRect();
  const [right, bottom] = [document.documentElement.clientWidth - EDGE, window.innerHeight - EDGE];
  const below = box.bottom + GAP;
  const top = below + tip.offsetHeight <= bottom ? below : box.top - GAP - tip.offsetHeight;
  tip.style.left = `${Math.max(EDGE, Math.min(box.left, right - tip.offsetWidth))}px`;
  tip.style.top = `${Math.max(EDGE, top)}px`;
  window.addEventListener("scroll", hide, { capture: true, once: true, passive: true });
}

function hide() {
  clearTimeout(leaving);
  if (shown?.matches(":popover-open")) shown.hidePopover();
  shown = null;
}

function hideSoon() {
  clearTimeout(leaving);
  leaving = setTimeout(hide, LEAVE_MS);
}
