// What the browser keeps of the work on this page: notes on heads, and the last analyses. The wiring of both.

import { RateLimit } from "../page/rate_limit.js";
import { browserStorage } from "./browser_storage.js";
import { History, HistoryKeeper } from "./history.js";
import { NotesKeeper, STORED_NOTES } from "./notes.js";
import { emptyView } from "../state/view.js";

/** As often as the address of the page is written; a dragged slider would write without end. */
const ALLOWANCE = { burst: 20, every_ms: 400 };
const IN_HISTORY = [...Object.keys(emptyView()), "run", "other"];

/**
 * @param {Store} store
 * @returns {{history: History, catchUp: () => void}} the last analyses; catching up enters what is still waiting for its turn
 */
export function keepWork(store) {
  const storage = browserStorage();
  const history = new History(storage);
  const keeper = new HistoryKeeper(history, () => Date.now());
  const entering = new RateLimit(() => keeper.enter(), ALLOWANCE);
  const notes = new NotesKeeper(store.actions, storage);
  notes.recall();
  window.addEventListener("storage", ({ key }) => {
    if (key === STORED_NOTES) notes.recall();
  });
  store.subscribe((state, changed) => {
    if (changed.has("notes")) notes.want(state);
    if (!IN_HISTORY.some((key) => changed.has(key))) return;
    keeper.want(state);
    entering.request();
  });
  window.addEventListener("pagehide", () => keeper.enter());
  return { history, catchUp: () => keeper.enter() };
}
