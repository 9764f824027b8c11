// The wiring of a snapshot: a recorded analysis in place of a server, in the page that is packed around it. What would
// need a server is not here, and hidden by snapshot.css.

import { byId } from "../page/dom.js";
import { ExactValues } from "../requests/exact.js";
import { readLink } from "../state/permalink.js";
import { partsOf } from "../state/pins.js";
import { isWeighted } from "../state/selectors.js";
import { createStore } from "../actions/store.js";
import { NOTHING_ASKED } from "../state/view.js";
import { drawViews } from "../views/drawing.js";
import { createGridTools } from "../views/grid/grid_tools.js";
import { createGrids } from "../views/grid/grids.js";
import { createLegend } from "../views/grid/legend.js";
import { createLimits } from "../views/limits.js";
import { createLook } from "../views/look.js";
import { createCombine } from "../tabs/pinned/combine.js";
import { createPanels } from "../tabs/pinned/panels.js";
import { createRecorded } from "./recorded.js";
import { createRecordedNotes } from "./recorded_notes.js";
import { createStatus } from "../views/status.js";
import { createTokens } from "../views/tokens.js";
import { Recording } from "./recording.js";

/**
 * @typedef {object} Rest what was recorded for the page alone
 * @property {Model} model
 * @property {Config} config
 * @property {MetricsCatalogue} metrics
 * @property {import("../requests/socket.js").Start} start
 * @property {({layer: number, stack: "encoder" | "decoder" | "cross"} & Measures)[]} measures
 * @property {import("../requests/api.js").Atlas | null} atlas
 */

const record = JSON.parse(document.getElementById("recorded")?.textContent ?? "");
/** @type {import("./recording.js").Kept[]} */
const kept = record.kept;
document.body.classList.add("open", ...(record.norms === null ? ["raw-only"] : []));
const store = createStore();
const { actions } = store;

drawViews(store, [
  createRecorded(record),
  createRecordedNotes(actions, record.notes),
  createStatus(actions),
  createTokens(actions),
  createLook(actions),
  createGridTools(actions),
  createGrids(actions),
  createLegend(actions),
  createPanels(actions),
  createCombine(actions),
  createLimits(),
]);

/**
 * @param {string} packed base64 of deflated bytes
 * @returns {Promise<ArrayBuffer>}
 */
function inflated(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

/** @returns {View} how it was looked at, as far as one recorded analysis goes */
function recordedView() {
  const view = readLink(record.view);
  const { text, text_pair } = record;
  const isOfA = (/** @type {Pin} */ pin) => partsOf(pin).every(({ side }) => side === "a");
  return {
    ...view,
    ...{ model: null, text, text_pair, against: null, grid_side: "a", detail: null, tab: "pinned", ask: NOTHING_ASKED },
    values: record.norms ? view.values : keptValues(),
    pins: view.pins.filter(isOfA),
    lock: view.lock?.side === "a" ? view.lock : null,
    color_by: view.color_by === "change" ? "map" : view.color_by,
  };
}

/** @returns {View["values"]} what there is where the grid cannot be weighted: the pinned maps may have been */
function keptValues() {
  return kept.some(({ values }) => values === "weighted") ? "both" : "raw";
}

async function open() {
  const [maps, keptMaps, norms, described] = await Promise.all([
    inflated(record.maps),
    inflated(record.kept_maps),
    record.norms && inflated(record.norms),
    inflated(record.rest),
  ]);
  const rest = /** @type {Rest} */ (JSON.parse(new TextDecoder().decode(described)));
  const recording = new Recording(record.layers, new Uint8Array(maps), norms && new Uint16Array(norms), kept, new Uint16Array(keptMaps));
  actions.restore(recordedView());
  actions.describe([rest.model], rest.config, rest.metrics);
  if (rest.atlas) actions.receiveAtlas({ model: rest.model.id, record: rest.atlas, problem: null });

  /** @param {"raw" | "weighted"} values as a stream would bring it, all at once */
  function play(values) {
    actions.pend();
    actions.begin(rest.start, values);
    for (const frame of recording.frames(values)) actions.receive(frame);
    for (const measures of rest.measures) actions.receiveMeasures(measures);
    actions.finish(/** @type {any} */ (null)); // nobody waited
  }

  const exactValues = new ExactValues(
    {
      receiveExact: (analysis, key, source) => actions.receiveExact(analysis, key, { ...source, exact: recording.keeps(source.weights) }),
      refuseExact: actions.refuseExact,
    },
    async (asked) => recording.map(asked),
    "a",
  );
  store.subscribe((state, changed) => {
    const values = isWeighted(state) ? "weighted" : "raw";
    if (changed.has("values") && values !== state.analysis?.values) play(values);
    if (["pins", "values", "run"].some((key) => changed.has(key))) exactValues.want(store.state);
  });
  play(isWeighted(store.state) ? "weighted" : "raw");
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && actions.release()) event.preventDefault();
});
byId("skip", HTMLButtonElement).addEventListener("click", () => document.getElementById("grid")?.focus());
void open();
