// The address of the page: it always holds the view, opens the one it is given, and can be copied.

import { byId, setText } from "../page/dom.js";
import { RateLimit } from "../page/rate_limit.js";
import { isLinkable } from "../state/permalink.js";

// Safari allows 100 changes of the address in 30 seconds; this makes at most 95 of them.
const ALLOWANCE = { burst: 20, every_ms: 400 };
const SAID_MS = 2000;

/**
 * @param {Store} store whose view becomes the one in the address
 * @param {(misread: import("../state/permalink.js").Misread) => void} report is told what of an opened link was not understood
 */
export function createAddressBar(store, report) {
  const { actions, views } = store;
  const writing = new RateLimit(write, ALLOWANCE);
  const copy = byId("copy-link", HTMLButtonElement);
  const menu = /** @type {HTMLElement | null | undefined} */ (copy.closest("details")?.querySelector("summary"));
  const link = () => `#${views.write(store.state)}`;
  let resetting = 0;

  function write() {
    const address = link();
    if (store.state.config === null || address === location.hash) return;
    try {
      history.replaceState(null, "", address);
    } catch {
      // A browser that has had enough changes keeps the old address; the next change tries again.
    }
  }

  /** @returns {Promise<string>} how it went */
  async function copyLink() {
    if (!isLinkable(store.state)) return "The text is too long for a link";
    try {
      // Pages that did not come over https, unless from this machine, have no clipboard at all.
      await navigator.clipboard.writeText(new URL(link(), location.href).href);
      return "Copied";
    } catch {
      return "Could not copy. Copy the link from the address bar";
    }
  }

  copy.addEventListener("click", async () => {
    write();
    const said = await copyLink();
    setText(copy, said);
    // A key copies while the menu is closed.
    if (menu && !menu.parentElement?.hasAttribute("open")) setText(menu, said);
    clearTimeout(resetting);
    resetting = setTimeout(() => {
      setText(copy, "Copy link");
      if (menu) setText(menu, "Share");
    }, SAID_MS);
  });
  /** @param {string} fragment */
  function open(fragment) {
    actions.restore(views.read(fragment));
    report(views.misread(fragment));
  }

  window.addEventListener("hashchange", ({ newURL }) => {
    // Not from the address bar: what was waiting to be written there may have come in between.
    open(new URL(newURL).hash);
    writing.request(); // drops from the address what could not be restored, even when nothing else changed
  });
  store.watch((state) => [...Object.values(views.parts(state)), state.config], () => writing.request());
  open(location.hash);
}
