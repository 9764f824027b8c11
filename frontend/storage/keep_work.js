// What the browser keeps of the work on this page: notes on heads, and the last analyses. The wiring of both.

import { RateLimit } from "../page/rate_limit.js";
import { browserStorage } from "./browser_storage.js";
import { History, HistoryKeeper } from "./history.js";
import { NotesKeeper, STORED_NOTES } from "./notes.js";

/** As often as the address of the page is written; a dragged slider would write without end. */
const ALLOWANCE = { burst: 20, every_ms: 400 };

/** @param {Store} store @returns {{history: History, catchUp: () => void}} the last analyses; catching up enters what still waits */
export function keepWork(store) {
  const storage = browserStorage();
  const history = new History(storage);
  const keeper = new HistoryKeeper(history, store.views, () => Date.now());
  const catchUp = () => keeper.enter();
  const entering = new RateLimit(catchUp, ALLOWANCE);
  const notes = new NotesKeeper(store.actions, storage);
  notes.recall();
  window.addEventListener("storage", ({ key }) => {
    if (key === STORED_NOTES) notes.recall();
  });
  store.watch(({ notes: written }) => [written], (state) => notes.update(state));
  store.watch(
    (state) => [...Object.values(store.views.parts(state)), state.sides.a.run, state.sides.b?.run],
    (state) => {
      keeper.update(state);
      entering.request();
    },
  );
  window.addEventListener("pagehide", catchUp);
  return { history, catchUp };
}
