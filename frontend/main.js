// The wiring: state, server, address bar and views. Nothing is decided here.

import { BASE, fetchConfig, fetchHead, fetchModels } from "./api.js";
import { byId, setText } from "./dom.js";
import { ExactValues } from "./exact.js";
import { readLink, writeLink } from "./permalink.js";
import { chosenModel, question, questionKey, viewOf } from "./selectors.js";
import { Stream } from "./socket.js";
import { createStore } from "./store.js";
import { CHOICES, ThemeSwitch } from "./theme.js";
import { createGrid } from "./views/grid.js";
import { drawLegend } from "./views/legend.js";
import { createModels } from "./views/models.js";
import { createPanels } from "./views/panels.js";
import { makePaper } from "./views/paper.js";
import { createSentence } from "./views/sentence.js";
import { createStatus } from "./views/status.js";
import { createTokens } from "./views/tokens.js";

const TYPING_PAUSE_MS = 400;
const RETRY_MS = 2000;
const EMPTY = { code: "empty_text", message: "Type a sentence, or choose one of the examples.", details: null };

const store = createStore();
const { actions } = store;

// Drawing: what changed is collected and drawn once per animation frame.

const views = [
  createModels(actions),
  createSentence(actions, ask),
  createStatus(actions),
  createTokens(actions),
  createGrid(actions),
  createPanels(actions),
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
  drawLegend(paper);
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

const address = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${BASE}/stream`;
const stream = new Stream(address, {
  connection(connection) {
    const isBack = connection === "open" && store.state.connection === "lost";
    actions.connect(connection);
    if (isBack) void describe();
  },
  message(message) {
    if (message.type === "progress") actions.progress(message);
    else if (message.type === "start") actions.begin(message);
    else if (message.type === "done") {
      actions.finish(message.timing);
      if (!chosenModel(store.state)?.loaded) void describe();
    } else actions.fail(message.error);
  },
  frame: (frame) => actions.receive(frame),
});
const exactValues = new ExactValues(actions, fetchHead, ask);

/** @type {ReturnType<typeof setTimeout> | undefined} */
let asking;
let scheduled = questionKey(null);

/** Put the question in the boxes to the server now. */
function ask() {
  clearTimeout(asking);
  if (store.state.config === null) return;
  const wanted = question(store.state);
  scheduled = questionKey(wanted);
  if (wanted === null) {
    stream.cancel();
    actions.fail(EMPTY);
  } else {
    actions.pend();
    stream.ask(wanted);
  }
}

/** Learn what the server has; without an answer try again until there is one. */
async function describe() {
  try {
    const [models, config] = await Promise.all([fetchModels(), fetchConfig()]);
    actions.describe(models, config);
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

store.subscribe((state, changed) => {
  drawSoon(changed);
  if (opened && questionKey(question(state)) !== scheduled) {
    scheduled = questionKey(question(state));
    clearTimeout(asking);
    asking = setTimeout(ask, state.typing ? TYPING_PAUSE_MS : 0);
  }
  if (["pins", "analysis", "run"].some((key) => changed.has(key))) exactValues.want(state);
  if (state.config !== null) {
    const link = `#${writeLink(viewOf(state))}`;
    if (link !== location.hash) history.replaceState(null, "", link);
  }
});

// The page as a whole: address bar, Escape, links to places in the page.

window.addEventListener("hashchange", () => actions.restore(readLink(location.hash)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && actions.release()) event.preventDefault();
});
byId("skip", HTMLButtonElement).addEventListener("click", () => byId("grid", HTMLCanvasElement).focus());
const copy = byId("copy-link", HTMLButtonElement);
copy.addEventListener("click", async () => {
  const done = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false,
  );
  setText(copy, done ? "Copied" : "Copy it from the address bar");
  setTimeout(() => setText(copy, "Copy link"), 2000);
});

actions.restore(readLink(location.hash));
drawAll();
void describe();
