// A window over the page: its title, a way to close it, and keys that must not reach the page behind it.

import { byId, element } from "../../page/dom.js";

/**
 * A dialog whose opener is the button with its id and `-open`.
 * @param {string} id of the dialog in the page
 * @param {string} title
 * @param {() => void} opened
 * @param {Parameters<typeof plainDialog>[3]} [options]
 */
export function openedDialog(id, title, opened, options) {
  const dialog = plainDialog(id, title, opened, options);
  byId(`${id}-open`, HTMLButtonElement).addEventListener("click", dialog.open);
  return dialog;
}

/**
 * A dialog that others open.
 * @param {string} id of the dialog in the page
 * @param {string} title
 * @param {() => void} opened
 * @param {object} [options]
 * @param {HTMLElement | null} [options.about] stands below the title
 * @param {string} [options.bodyClass]
 * @param {boolean} [options.isWide]
 */
export function plainDialog(id, title, opened, { about = null, bodyClass = "dialog-body", isWide = true } = {}) {
  const root = byId(id, HTMLDialogElement);
  const close = element("button", { type: "button", class: "icon", "aria-label": "Close", title: "Close", onclick: () => root.close() }, "×");
  const body = element("div", { class: bodyClass });
  const heading = element("h2", { id: `${id}-title` }, title);
  const head = element("header", { class: "dialog-head" }, about ? element("div", {}, heading, about) : heading, close);
  root.classList.toggle("wide", isWide);
  root.replaceChildren(head, body);
  // Escape closes the window alone; what is locked or pinned behind it stays.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  root.addEventListener("click", (event) => {
    if (event.target === root) root.close();
  });
  const open = () => {
    if (root.open) return;
    root.showModal();
    opened();
  };
  return { root, heading, closer: close, body, open, close: () => root.close() };
}
