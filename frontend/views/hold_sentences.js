// The box of a sentence is open while it has the focus. It closes when a press elsewhere is over, not when it begins: what is
// below the box must not move away under the pointer before the button there is released.

export function holdSentences() {
  const release = () => {
    for (const sentence of document.querySelectorAll(".sentence.held")) sentence.classList.remove("held");
  };
  document.addEventListener(
    "pointerdown",
    () => {
      release();
      document.querySelector(".sentence:focus-within")?.classList.add("held");
    },
    true,
  );
  // The click comes after these events.
  for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, () => setTimeout(release), true);
}
