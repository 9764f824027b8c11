// A window over the page: its title, a way to close it, and keys that must not reach the page behind it.

import { byId, element } from "../page/dom.js";

/**
 * @param {string} id of the dialog in the page; its opener is the button with `-open` after it
 * @param {string} title
 * @param {() => void} opened
 */
export function openedDialog(id, title, opened) {
  const root = byId(id, HTMLDialogElement);
  const close = element("button", { type: "button", class: "icon", "aria-label": "Close", title: "Close", onclick: () => root.close() }, "×");
  const body = element("div", { class: "dialog-body" });
  const head = element("header", { class: "dialog-head" }, element("h2", { id: `${id}-title` }, title), close);
  root.classList.add("take-away");
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
  byId(`${id}-open`, HTMLButtonElement).addEventListener("click", open);
  return { root, body, open, close: () => root.close() };
}
