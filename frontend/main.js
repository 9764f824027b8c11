// The wiring: state, server, address bar and views. Nothing is decided here.

import { Comparisons } from "./compare/comparison.js";
import { CorpusRun } from "./corpus/question.js";
import { Generation } from "./generate/generation.js";
import { Atlases } from "./heads/atlas.js";
import { BuildWatch } from "./heads/build.js";
import { AskedEdges } from "./heads/edges.js";
import { ChosenFigure } from "./heads/figures.js";
import { QueryKeys, fetchQueryKey } from "./maps/query_key.js";
import { byId, setText } from "./page/dom.js";
import { RateLimit } from "./page/rate_limit.js";
import {
  BASE,
  fetchAtlas,
  fetchComparison,
  fetchConfig,
  fetchCorpus,
  fetchEdges,
  fetchFigure,
  fetchMap,
  fetchMetrics,
  fetchModels,
} from "./requests/api.js";
import { fetchBuild, startBuild, stopBuild } from "./requests/build_api.js";
import { Conversation } from "./requests/conversation.js";
import { ExactValues } from "./requests/exact.js";
import { Latest } from "./requests/latest.js";
import { browserStorage } from "./storage/browser_storage.js";
import { keepWork } from "./storage/keep_work.js";
import { isLinkable, readLink, writeLink } from "./state/permalink.js";
import { seenFrom } from "./state/side.js";
import { createStore } from "./actions/store.js";
import { emptyView, viewOf } from "./state/view.js";
import { createAgainst } from "./views/against.js";
import { createCompare } from "./tabs/compare/compare.js";
import { createCorpus } from "./tabs/corpus/corpus.js";
import { createDetail } from "./views/detail/detail.js";
import { drawViews } from "./views/drawing.js";
import { createExport } from "./views/export.js";
import { createGenerate } from "./tabs/generate/generate.js";
import { createGridSides } from "./views/grid/grid_sides.js";
import { createGridTools } from "./views/grid/grid_tools.js";
import { createGrids } from "./views/grid/grids.js";
import { createLegend } from "./views/grid/legend.js";
import { createAsk } from "./tabs/ask/ask.js";
import { createBuildPanel } from "./views/build/build_panel.js";
import { createHeads } from "./tabs/heads/heads.js";
import { createHistory } from "./views/history.js";
import { createFocusRestorer } from "./views/restore_focus.js";
import { createKeys } from "./views/keys.js";
import { createLimits } from "./views/limits.js";
import { createLook } from "./views/look.js";
import { createModels } from "./views/models.js";
import { createCombine } from "./tabs/pinned/combine.js";
import { createPanels } from "./tabs/pinned/panels.js";
import { createSentence } from "./views/sentence.js";
import { createSideTabs } from "./views/side_tabs.js";
import { createStatus } from "./views/status.js";
import { createTokens } from "./views/tokens.js";
import { createTour } from "./views/tour.js";

const RETRY_MS = 2000;
// Safari allows 100 changes of the address in 30 seconds; this makes at most 95 of them.
const ADDRESS_ALLOWANCE = { burst: 20, every_ms: 400 };
const IN_THE_LINK = [...Object.keys(emptyView()), "config"];

const store = createStore();
const { actions } = store;

const settleFocus = createFocusRestorer();
const views = [
  createModels(actions),
  createSentence(actions, () => conversation.ask()),
  createAgainst(actions, () => conversationOfB.ask()),
  createStatus(actions),
  createTokens(actions),
  createLook(actions),
  createGridSides(actions),
  createGridTools(actions),
  createGrids(actions),
  createLegend(actions),
  createSideTabs(actions),
  createPanels(actions),
  createCompare(actions),
  createCombine(actions),
  createAsk(actions),
  createHeads(actions),
  createCorpus(actions),
  createGenerate(actions, { write: (n) => generation.write(n), stop: () => generation.stop() }),
  createDetail(actions),
  createExport(),
  createHistory(actions, keepWork(store)),
  createBuildPanel(actions),
  createLimits(),
  { render: () => settleFocus() }, // last: it looks where the others have left the focus
];

// The server: one stream of analyses a side, exact values for what is pinned.

const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${BASE}/stream`;
const common = { state: () => store.state, loaded: describe };
const conversation = new Conversation("a", address, {
  ...common,
  actions,
  connection(connection) {
    const isBack = connection === "open" && store.state.connection === "lost";
    actions.connect(connection);
    if (isBack) describe();
  },
});
const conversationOfB = new Conversation("b", address, { ...common, actions: actions.b, connection: () => {} });
const exactValues = [new ExactValues(actions, fetchMap, "a"), new ExactValues(actions.b, fetchMap, "b")];
const atlases = [new Atlases(actions, fetchAtlas), new Atlases(actions.b, fetchAtlas)];
const isSeen = () => document.visibilityState === "visible";
const buildWatch = new BuildWatch(actions, { fetchBuild, startBuild, stopBuild }, isSeen);
const comparisons = new Comparisons(actions, fetchComparison);
const askedEdges = new AskedEdges(actions, fetchEdges);
const corpusRun = new CorpusRun(actions, fetchCorpus);
const chosenFigure = new ChosenFigure(actions, fetchFigure);
const queryKeys = new QueryKeys(actions, fetchQueryKey);
const generation = new Generation(address.replace(/stream$/, "generate"), { state: common.state, actions });

/** @type {Latest<Parameters<typeof actions.describe>>} */
const description = new Latest();
const fetchDescription = () => Promise.all([fetchModels(), fetchConfig(), store.state.metrics_catalogue ?? fetchMetrics()]);

/** Learn what the server has; without an answer try again until there is one. */
function describe() {
  // Each time is another wish: of two, the later one knows more.
  void description.want([{}], fetchDescription, ({ answer }) => {
    if (answer === null) {
      if (!conversation.isOpen) actions.connect("lost");
      setTimeout(describe, RETRY_MS);
      return;
    }
    actions.describe(...answer);
    wantAtlases(); // one that was not to be had may be now
    conversation.open();
  });
}

function wantAtlases() {
  const { state } = store;
  void atlases[0].want(state);
  if (state.against !== null && state.config !== null) void atlases[1].want(seenFrom(state, { side: "b", stack: 0 }));
}

const addressBar = new RateLimit(writeAddress, ADDRESS_ALLOWANCE);

store.subscribe((state, changed) => {
  conversation.want();
  if (state.against !== null && state.config !== null) {
    conversationOfB.open();
    conversationOfB.want();
  } else if (changed.has("against")) conversationOfB.rest();
  if (["against", "model", "models"].some((key) => changed.has(key))) wantAtlases();
  if (["pins", "detail", "analysis", "run", "other", "values"].some((key) => changed.has(key))) {
    for (const values of exactValues) values.want(state);
  }
  comparisons.want(state);
  buildWatch.want(state);
  askedEdges.want(state);
  corpusRun.want(state);
  chosenFigure.want(state);
  queryKeys.want(state);
  generation.want();
  if (IN_THE_LINK.some((key) => changed.has(key))) addressBar.request();
});

let edition = store.state.build.edition;
store.subscribe(({ build }) => {
  if (build.edition === edition) return;
  edition = build.edition;
  describe(); // more is measured: the list says of which models there is an atlas now, and it is asked for anew
});
document.addEventListener("visibilitychange", () => isSeen() && buildWatch.look());

// The page as a whole: address bar, Escape, links to places in the page.

function writeAddress() {
  if (store.state.config === null) return;
  const link = `#${writeLink(viewOf(store.state))}`;
  if (link === location.hash) return;
  try {
    history.replaceState(null, "", link);
  } catch {
    // A browser that has had enough changes keeps the old address; the next change tries again.
  }
}

window.addEventListener("hashchange", ({ newURL }) => {
  // Not from the address bar: what was waiting to be written there may have come in between.
  actions.restore(readLink(new URL(newURL).hash));
  addressBar.request(); // what the link said in vain leaves the address, even when nothing else changed
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && actions.release()) event.preventDefault();
});
byId("skip", HTMLButtonElement).addEventListener("click", () => byId("grid", HTMLCanvasElement).focus());
const copy = byId("copy-link", HTMLButtonElement);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let copyAgain;
copy.addEventListener("click", async () => {
  writeAddress();
  setText(copy, await copyLink());
  clearTimeout(copyAgain);
  copyAgain = setTimeout(() => setText(copy, "Copy link"), 2000);
});

/** @returns {Promise<string>} how it went */
async function copyLink() {
  const view = viewOf(store.state);
  if (!isLinkable(view)) return "The text is too long for a link";
  try {
    // Pages that did not come over https, unless from this machine, have no clipboard at all.
    await navigator.clipboard.writeText(new URL(`#${writeLink(view)}`, location.href).href);
    return "Copied";
  } catch {
    return "Copy it from the address bar";
  }
}

const storage = browserStorage();
const tour = createTour(store, storage, location.hash === "");
createKeys(store, { startTour: tour.start, storage });
actions.restore(readLink(location.hash));
drawViews(store, views);
describe();
