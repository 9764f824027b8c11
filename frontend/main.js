// The wiring: state, server, address bar, tabs and views. Nothing is decided here.

import { createStore } from "./actions/store.js";
import { watchedModel } from "./heads/build.js";
import { byId } from "./page/dom.js";
import { connect } from "./requests/connect.js";
import { ViewCodec } from "./state/permalink.js";
import { choicesWith } from "./state/view.js";
import { browserStorage } from "./storage/browser_storage.js";
import { keepWork } from "./storage/keep_work.js";
import { TABS } from "./tabs/index.js";
import { isWaiting, knownEvents, watchedRun } from "./training/record.js";
import { createAddressBar } from "./views/address_bar.js";
import { createArcs } from "./views/arcs.js";
import { createAgainst } from "./views/against.js";
import { createBuildPanel } from "./views/build/build_panel.js";
import { createDetail } from "./views/detail/detail.js";
import { drawViews } from "./views/draw_views.js";
import { closeDrops } from "./views/drops.js";
import { createExport } from "./views/export.js";
import { showExample, showStrongest } from "./views/first_visit.js";
import { createGridSides } from "./views/grid/grid_sides.js";
import { createGridTools } from "./views/grid/grid_tools.js";
import { createGrids } from "./views/grid/grids.js";
import { createLegend } from "./views/grid/legend.js";
import { createHistory } from "./views/history.js";
import { holdSentences } from "./views/hold_sentences.js";
import { createKeys } from "./views/keys.js";
import { createLimits } from "./views/limits.js";
import { createLinkReport } from "./views/link_report.js";
import { createModels } from "./views/models.js";
import { noteRest } from "./views/note_rest.js";
import { createFocusRestorer } from "./views/restore_focus.js";
import { createSentence } from "./views/sentence.js";
import { createStatus } from "./views/status.js";
import { createTabs } from "./views/tabs.js";
import { createTokens } from "./views/tokens.js";
import { createTour } from "./views/tour.js";
import { createViewBar } from "./views/view_bar.js";

const store = createStore(new ViewCodec(choicesWith(TABS)));
const { actions } = store;

/** @type {PageView[]} */
const views = [
  ...createModels(actions),
  createSentence(actions, () => server.ask("a")),
  createAgainst(store, () => server.ask("b")),
  createStatus(actions),
  createViewBar(actions),
  createGridSides(actions),
  createGridTools(actions),
  createGrids(actions),
  createTabs(store, TABS),
  // After the maps: text on a canvas makes the browser compute the styles of what has changed before it.
  createTokens(actions),
  createArcs(),
  createLegend(actions),
  createDetail(store),
  createExport(store),
  createHistory(store, keepWork(store)),
  createBuildPanel(actions),
  createLimits(),
  createFocusRestorer(), // last: it looks where the others have left the focus
].flat();

const resources = [...views, ...TABS].flatMap((part) => part.resources ?? []);
const server = connect(store, [...new Set(resources)], watchedModel, { watchedRun, knownEvents, isWaiting });

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && actions.release()) event.preventDefault();
});
byId("skip", HTMLButtonElement).addEventListener("click", () => byId("grid", HTMLCanvasElement).focus());
const storage = browserStorage();
createKeys(store, storage, createTour(store, storage, location.hash === ""));
closeDrops();
holdSentences();
noteRest(store);
showExample(store, location.hash === "");
showStrongest(store);
createAddressBar(store, createLinkReport(store));
drawViews(store, views);
server.start();
