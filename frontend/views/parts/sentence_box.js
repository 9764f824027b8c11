// A box for a sentence, as tall as what is written in it.

/** Write into a box without moving the caret of somebody who is typing. @param {HTMLTextAreaElement} box @param {string} value */
export function writeBox(box, value) {
  if (box.value !== value) box.value = value;
  grow(box);
}

/** Make a box as tall as its text; a hidden one has no height yet. @param {HTMLTextAreaElement} box */
function grow(box) {
  if (box.offsetParent === null) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight + 2}px`;
}

/** Close a box after its text was sent: while it has the focus it is open, over what is asked for. @param {HTMLElement} box */
export function leaveBox(box) {
  box.blur();
  document.getElementById("grid")?.focus({ preventScroll: true });
}

/**
 * What happens while somebody types, on Enter (Shift+Enter begins a new line), and on Escape.
 * @param {HTMLTextAreaElement} box
 * @param {(text: string) => void} edit
 * @param {() => void} runNow
 */
export function listenToBox(box, edit, runNow) {
  box.addEventListener("input", () => {
    grow(box);
    edit(box.value);
  });
  box.addEventListener("keydown", (event) => {
    const isSent = event.key === "Enter" && !event.shiftKey;
    // While an input method composes a character, the keys belong to it.
    if ((!isSent && event.key !== "Escape") || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation(); // Escape closes the box and releases nothing
    if (isSent) runNow();
    leaveBox(box);
  });
  // A box that is not edited may be cut to one line.
  box.addEventListener("focus", () => grow(box));
  window.addEventListener("resize", () => grow(box));
}
