// A window over the page: its title, a way to close it, and keys that must not reach the page behind it.

import { byId, element } from "../../page/dom.js";
import { button } from "./button.js";

/**
 * A dialog that the page's button with its id and `-open` opens, where there is one; else others open it.
 * @param {string} id of the dialog in the page
 * @param {string} title
 * @param {object} [options]
 * @param {() => void} [options.opened] called after it was opened
 * @param {HTMLElement | null} [options.about] goes below the title
 * @param {string} [options.bodyClass]
 * @param {boolean} [options.isWide]
 */
export function createDialog(id, title, { opened = () => {}, about = null, bodyClass = "dialog-body", isWide = true } = {}) {
  const root = byId(id, HTMLDialogElement);
  const close = () => root.close();
  const closer = button("icon", "×", close, { "aria-label": "Close", title: "Close" });
  // What is longer than the window is scrolled, by keys too.
  const body = element("div", { class: bodyClass, tabindex: 0, role: "group", "aria-labelledby": `${id}-title` });
  const heading = element("h2", { id: `${id}-title` }, title);
  root.classList.toggle("wide", isWide);
  root.replaceChildren(element("header", { class: "dialog-head" }, about ? element("div", {}, heading, about) : heading, closer), body);
  // Escape closes the dialog alone; what is locked or pinned behind it stays.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  root.addEventListener("click", (event) => {
    if (event.target === root) close();
  });
  const open = () => {
    if (root.open) return;
    root.showModal();
    opened();
  };
  document.getElementById(`${id}-open`)?.addEventListener("click", open);
  return { root, heading, closer, body, open, close };
}
