// The wiring: state, server, address bar and views. Nothing is decided here.

import { BASE, fetchAtlas, fetchConfig, fetchEdges, fetchFigure, fetchHead, fetchMetrics, fetchModels } from "./api.js";
import { Atlases } from "./atlas.js";
import { byId, setText } from "./dom.js";
import { AskedEdges } from "./edges.js";
import { ExactValues } from "./exact.js";
import { ChosenFigure } from "./figures.js";
import { Pace } from "./pace.js";
import { emptyView, isLinkable, readLink, writeLink } from "./permalink.js";
import { chosenModel, overlong, question, questionKey, viewOf } from "./selectors.js";
import { Stream } from "./socket.js";
import { createStore } from "./store.js";
import { CHOICES, ThemeSwitch } from "./theme.js";
import { createAsk } from "./views/ask.js";
import { createGrid } from "./views/grid.js";
import { createGridTools } from "./views/grid_tools.js";
import { createHeads } from "./views/heads.js";
import { createLimits } from "./views/limits.js";
import { createLegend } from "./views/legend.js";
import { createModels } from "./views/models.js";
import { createPanels } from "./views/panels.js";
import { makePaper } from "./views/paper.js";
import { createSentence } from "./views/sentence.js";
import { createSideTabs } from "./views/side_tabs.js";
import { createStatus } from "./views/status.js";
import { createTokens } from "./views/tokens.js";

const TYPING_PAUSE_MS = 400;
const RETRY_MS = 2000;
// Safari allows 100 changes of the address in 30 seconds; this makes at most 95 of them.
const ADDRESS_ALLOWANCE = { burst: 20, every_ms: 400 };
const IN_THE_LINK = [...Object.keys(emptyView()), "config"];
const EMPTY = { code: "empty_text", message: "Type a sentence, or choose one of the examples.", details: null };

const store = createStore();
const { actions } = store;

// Drawing: what changed is collected and drawn once per animation frame.

const views = [
  createModels(actions),
  createSentence(actions, ask),
  createStatus(actions),
  createTokens(actions),
  createGridTools(actions),
  createGrid(actions),
  createLegend(),
  createSideTabs(actions),
  createPanels(actions),
  createAsk(actions),
  createHeads(actions),
  createLimits(),
];
/** @type {Set<string>} */
let changes = new Set();
let paper = makePaper("light");

function draw() {
  const drawn = changes;
  changes = new Set();
  for (const view of views) view.render(store.state, drawn, paper);
}

/** @param {Iterable<string>} changed */
function drawSoon(changed) {
  if (changes.size === 0) requestAnimationFrame(draw);
  for (const key of changed) changes.add(key);
}

function drawAll() {
  paper = makePaper(theme.theme);
  drawSoon(Object.keys(store.state));
}

const theme = new ThemeSwitch(drawAll);
window.addEventListener("resize", drawAll);
const themeButton = byId("theme", HTMLButtonElement);
const showTheme = () => {
  setText(byId("theme-name", HTMLElement), theme.choice);
  themeButton.setAttribute("aria-label", `Theme: ${theme.choice}`);
};
themeButton.addEventListener("click", () => {
  theme.choose(CHOICES[(CHOICES.indexOf(theme.choice) + 1) % CHOICES.length]);
  showTheme();
});
showTheme();

// The server: one stream of analyses, exact values for what is pinned.

const streamAddress = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${BASE}/stream`;
const stream = new Stream(streamAddress, {
  connection(connection) {
    const isBack = connection === "open" && store.state.connection === "lost";
    actions.connect(connection);
    if (isBack) void describe();
  },
  message(message) {
    if (message.type === "progress") actions.progress(message);
    else if (message.type === "start") actions.begin(message);
    else if (message.type === "metrics") actions.receiveMeasures(message);
    else if (message.type === "done") {
      actions.finish(message.timing);
      if (!chosenModel(store.state)?.loaded) void describe();
    } else actions.fail(message.error);
  },
  frame: (frame) => actions.receive(frame),
});
const exactValues = new ExactValues(actions, fetchHead, ask);
const atlases = new Atlases(actions, fetchAtlas);
const askedEdges = new AskedEdges(actions, fetchEdges);
const chosenFigure = new ChosenFigure(actions, fetchFigure);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;
let scheduled = questionKey(null);

/** Put the question in the boxes to the server now. */
function ask() {
  clearTimeout(asking);
  const { config } = store.state;
  if (config === null) return;
  const wanted = question(store.state);
  scheduled = questionKey(wanted);
  const problem = wanted === null ? EMPTY : overlong(wanted, config);
  if (wanted === null || problem !== null) {
    stream.cancel();
    actions.fail(problem ?? EMPTY);
  } else {
    actions.pend();
    stream.ask(wanted);
  }
}

/** Learn what the server has; without an answer try again until there is one. */
async function describe() {
  try {
    const metrics = store.state.metrics_catalogue ?? fetchMetrics();
    const [models, config, catalogue] = await Promise.all([fetchModels(), fetchConfig(), metrics]);
    actions.describe(models, config, catalogue);
  } catch {
    if (!opened) actions.connect("lost");
    setTimeout(describe, RETRY_MS);
    return;
  }
  if (!opened) open();
}

let opened = false;
function open() {
  opened = true;
  stream.open();
  ask();
}

const address = new Pace(writeAddress, ADDRESS_ALLOWANCE);

store.subscribe((state, changed) => {
  drawSoon(changed);
  if (opened && questionKey(question(state)) !== scheduled) {
    scheduled = questionKey(question(state));
    clearTimeout(asking);
    asking = setTimeout(ask, state.typing ? TYPING_PAUSE_MS : 0);
  }
  if (changed.has("model") || changed.has("models")) void atlases.want(state);
  if (["pins", "analysis", "run"].some((key) => changed.has(key))) exactValues.want(state);
  askedEdges.want(state);
  chosenFigure.want(state);
  if (IN_THE_LINK.some((key) => changed.has(key))) address.want();
});

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

window.addEventListener("hashchange", () => {
  actions.restore(readLink(location.hash));
  address.want(); // what the link said in vain leaves the address, even when nothing else changed
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && actions.release()) event.preventDefault();
});
byId("skip", HTMLButtonElement).addEventListener("click", () => byId("grid", HTMLCanvasElement).focus());
const copy = byId("copy-link", HTMLButtonElement);
copy.addEventListener("click", async () => {
  writeAddress();
  setText(copy, await copyLink());
  setTimeout(() => setText(copy, "Copy link"), 2000);
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

actions.restore(readLink(location.hash));
drawAll();
void describe();
