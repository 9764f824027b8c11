// Boxes that open below a button: one at a time, closed by a click elsewhere or Escape.

/** Let the boxes of the page close by themselves. */
export function closeDrops() {
  const open = () => /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll("details.drop[open]")]);
  document.addEventListener("pointerdown", ({ target }) => {
    for (const drop of open()) if (!(target instanceof Node && drop.contains(target))) drop.open = false;
  });
  // A choice is made once: the menu of examples has done its work.
  document.addEventListener("click", ({ target }) => {
    const menu = target instanceof Element ? target.closest("#examples .chip")?.closest("details") : null;
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  // A dialog gives the focus back to where it was: a button in a closed box could not take it.
  document.addEventListener(
    "click",
    ({ target }) => {
      const opener = target instanceof Element ? target.closest(".drop-body [aria-haspopup=dialog]") : null;
      const drop = /** @type {HTMLDetailsElement | null} */ (opener?.closest("details.drop") ?? null);
      if (!drop?.open) return;
      drop.querySelector("summary")?.focus();
      drop.open = false;
    },
    true,
  );
  // Before anything else is released.
  document.addEventListener(
    "keydown",
    (event) => {
      const drop = event.key === "Escape" ? open().find((one) => one.contains(document.activeElement)) : undefined;
      if (!drop) return;
      drop.open = false;
      drop.querySelector("summary")?.focus();
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
