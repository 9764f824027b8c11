// A window over the page: its title, a way to close it, and keys that must not reach the page behind it.

import { byId, element } from "../../page/dom.js";

/**
 * A dialog whose opener is the button with its id and `-open`.
 * @param {string} id of the dialog in the page
 * @param {string} title
 * @param {() => void} opened
 */
export function openedDialog(id, title, opened) {
  const dialog = plainDialog(id, title, opened);
  byId(`${id}-open`, HTMLButtonElement).addEventListener("click", dialog.open);
  return dialog;
}

/**
 * A dialog that others open.
 * @param {string} id of the dialog in the page
 * @param {string} title
 * @param {() => void} opened
 */
export function plainDialog(id, title, opened) {
  const root = byId(id, HTMLDialogElement);
  const close = element("button", { type: "button", class: "icon", "aria-label": "Close", title: "Close", onclick: () => root.close() }, "×");
  const body = element("div", { class: "dialog-body" });
  const heading = element("h2", { id: `${id}-title` }, title);
  const head = element("header", { class: "dialog-head" }, heading, close);
  root.classList.add("wide");
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
