// Text to take along: put on the clipboard where that is allowed, and shown to be copied by hand in any case.

import { element, setText } from "../../page/dom.js";

/** @param {string} label of the box */
export function copyBox(label) {
  const text = element("textarea", { class: "copied", readonly: true, rows: 7, "aria-label": label, spellcheck: "false", wrap: "off" });
  const said = element("p", { class: "hint", role: "status" });
  const root = element("div", { class: "copy-box", hidden: true }, said, text);
  return {
    root,
    /** @param {string} words @param {string} name of what is copied */
    async offer(words, name) {
      text.value = words;
      setText(said, ""); // what was said of the one before
      root.hidden = false;
      try {
        // Pages that did not come over https, unless from this machine, have no clipboard at all.
        await navigator.clipboard.writeText(words);
        setText(said, `The ${name} is on the clipboard.`);
      } catch {
        text.focus();
        text.select();
        setText(said, `The ${name} is selected below: copy it with Ctrl+C or ⌘C.`);
      }
    },
  };
}
