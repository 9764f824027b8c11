// The wiring of a snapshot: a recorded analysis in place of a server, in the page that is packed around it. What needs a
// server is left out, and hidden by snapshot.css.

import { createStore } from "../actions/store.js";
import { atlas } from "../heads/atlas.js";
import { edges } from "../maps/edges.js";
import { exactMaps } from "../maps/exact.js";
import { exactRows } from "../maps/exact_rows.js";
import { byId } from "../page/dom.js";
import { ServerError, answerQuestions } from "../requests/answer_questions.js";
import { ViewCodec } from "../state/permalink.js";
import { isWeighted } from "../state/selectors.js";
import { choicesWith } from "../state/view.js";
import { pinnedTab } from "../tabs/pinned/tab.js";
import { createArcs } from "../views/arcs.js";
import { drawViews } from "../views/draw_views.js";
import { closeDrops } from "../views/drops.js";
import { createGridTools } from "../views/grid/grid_tools.js";
import { createGrids } from "../views/grid/grids.js";
import { createLegend } from "../views/grid/legend.js";
import { createLimits } from "../views/limits.js";
import { createStatus } from "../views/status.js";
import { createTabs } from "../views/tabs.js";
import { createTokens } from "../views/tokens.js";
import { createViewBar } from "../views/view_bar.js";
import { createRecorded } from "./recorded.js";
import { createRecordedNotes } from "./recorded_notes.js";
import { Recording } from "./recording.js";

/**
 * @typedef {object} Rest what was recorded for the page alone
 * @property {Model} model
 * @property {Config} config
 * @property {MetricsCatalogue} metrics
 * @property {import("../requests/socket.js").Start} start
 * @property {({layer: number, stack: Stack["stack"]} & Measures)[]} measures
 * @property {Atlas | null} atlas
 */

const NOT_RECORDED = "This snapshot holds maps, not rankings: open the text in HeadScope to rank its heads.";

const record = JSON.parse(document.getElementById("recorded")?.textContent ?? "");
document.body.classList.add("open", ...(record.norms === null ? ["raw-only"] : []));
const tabs = [pinnedTab];
const store = createStore(new ViewCodec(choicesWith(tabs)));
const { actions } = store;

closeDrops();

drawViews(
  store,
  [
    createRecorded(record),
    createRecordedNotes(actions, record.notes),
    createStatus(actions),
    createViewBar(actions),
    createGridTools(actions),
    createGrids(actions),
    createTabs(store, tabs),
    createTokens(actions),
    createArcs(),
    createLegend(actions),
    createLimits(),
  ].flat(),
);

/** @param {string} packed base64 of deflated bytes */
function inflate(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

/** @returns {View} the recorded view, as far as one recorded analysis goes; restoring it leaves out what refers to side b */
function recordedView() {
  const { text, text_pair, norms, kept } = record;
  const view = store.views.read(record.view);
  const isWeightedKept = kept.some((/** @type {import("./recording.js").Kept} */ { values }) => values === "weighted");
  return {
    ...view,
    sides: { a: { ...view.sides.a, model: null, text, text_pair }, b: null },
    detail: null,
    // Where the grid cannot be weighted, the pinned maps may have been.
    values: norms ? view.values : isWeightedKept ? "both" : "raw",
  };
}

async function open() {
  const codes = new Uint8Array(await inflate(record.maps).arrayBuffer());
  const keptCodes = new Uint16Array(await inflate(record.kept_maps).arrayBuffer());
  const norms = record.norms && new Uint16Array(await inflate(record.norms).arrayBuffer());
  const rest = /** @type {Rest} */ (await inflate(record.rest).json());
  const recording = new Recording(record.layers, codes, norms, record.kept, keptCodes);
  const resources = [exactMaps, edges, exactRows, ...(rest.atlas ? [atlas] : [])];
  answerQuestions(store, resources, async (resource, question) => {
    if (resource === atlas) return rest.atlas;
    if (resource === exactMaps) return recording.map(question);
    throw new ServerError({ code: "not_recorded", message: NOT_RECORDED, details: null });
  });
  actions.restore(recordedView());
  actions.describe([{ ...rest.model, state: "ready", no_atlas: null }], rest.config, rest.metrics);

  /** Receive the recorded analysis as from a stream, all at once. */
  function play() {
    const values = isWeighted(store.state) ? "weighted" : "raw";
    const { a } = actions.sides;
    a.pend();
    a.begin(rest.start, values);
    for (const frame of recording.frames(values)) a.receive(frame);
    for (const measures of rest.measures) a.receiveMeasures(measures);
    a.finish(null);
  }

  store.watch((state) => [isWeighted(state)], play);
  play();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && actions.release()) event.preventDefault();
});
byId("skip", HTMLButtonElement).addEventListener("click", () => document.getElementById("grid")?.focus());
void open();
