// The address of the page: it always holds the view, opens the one it is given, and can be copied.

import { byId, setText } from "../page/dom.js";
import { RateLimit } from "../page/rate_limit.js";
import { isLinkable } from "../state/permalink.js";

// Safari allows 100 changes of the address in 30 seconds; this makes at most 95 of them.
const ALLOWANCE = { burst: 20, every_ms: 400 };
const SAID_MS = 2000;

/** @param {Store} store whose view becomes the one in the address */
export function createAddressBar(store) {
  const { actions, views } = store;
  const writing = new RateLimit(write, ALLOWANCE);
  const copy = byId("copy-link", HTMLButtonElement);
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
      return "Copy it from the address bar";
    }
  }

  copy.addEventListener("click", async () => {
    write();
    setText(copy, await copyLink());
    clearTimeout(resetting);
    resetting = setTimeout(() => setText(copy, "Copy link"), SAID_MS);
  });
  window.addEventListener("hashchange", ({ newURL }) => {
    // Not from the address bar: what was waiting to be written there may have come in between.
    actions.restore(views.read(new URL(newURL).hash));
    writing.request(); // drops from the address what could not be restored, even when nothing else changed
  });
  store.watch((state) => [...Object.values(views.parts(state)), state.config], () => writing.request());
  actions.restore(views.read(location.hash));
}
