// Loop against batch: attention computed in three ways on this machine, with times as they come.

import { NO_LOOP, WAYS, loopChoice, measuredWords } from "../../anatomy/loops.js";
import { largeText } from "../../anatomy/calculator.js";
import { drawTimes } from "../../drawing/times.js";
import { element, setHidden, setText } from "../../page/dom.js";
import { Stream, socketAddress } from "../../requests/socket.js";
import { button } from "../../views/parts/button.js";
import { switchBox } from "../../views/parts/switch.js";

/** @typedef {import("../../anatomy/loops.js").LoopSizes} LoopSizes */
/** @typedef {import("../../anatomy/loops.js").Loop} Loop */

const FIELDS = /** @type {const} */ ([
  { name: "d_model", label: "d_model" },
  { name: "n_heads", label: "Heads" },
  { name: "n_tokens", label: "Tokens" },
  { name: "batch", label: "Texts at once" },
  { name: "rounds", label: "Rounds" },
]);
const HEIGHT = 260;

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createLoop(store) {
  const { actions } = store;
  const loop = () => store.state.anatomy.loop;
  /** @type {Stream | null} */
  let stream = null;

  /** @param {any} message */
  function hear(message) {
    if (message.type === "start") actions.setLoop({ ...NO_LOOP, phase: "running", start: message });
    else if (message.type === "round") actions.setLoop({ ...loop(), rounds: [...loop().rounds, message] });
    else if (message.type === "done") end({ done: message });
    else if (message.type === "error") end({ problem: message.error });
  }

  /** @param {Partial<Loop>} how */
  function end(how) {
    stream?.cancel();
    actions.setLoop({ ...loop(), phase: "over", ...how });
  }

  function start() {
    if (stream === null) {
      stream = new Stream(socketAddress("learn/loops"), {
        connection: (connection) => {
          const isLost = connection === "lost" && ["asking", "running"].includes(loop().phase);
          if (isLost) end({ problem: { code: "unreachable", message: "The connection to the server was lost: start again.", details: null } });
        },
        message: hear,
        frame: () => {},
      });
      stream.open();
    }
    actions.setLoop({ ...NO_LOOP, phase: "asking" });
    stream.ask(/** @type {any} */ (loopChoice.of(store.state)));
  }

  const change = (/** @type {Partial<LoopSizes>} */ part) => actions.choose(loopChoice, { ...loopChoice.of(store.state), ...part });
  const boxes = FIELDS.map(({ name, label }) => {
    const input = element("input", { type: "number", id: `loop-${name}`, min: 1, step: 1, inputmode: "numeric" });
    input.addEventListener("input", () => Number(input.value) >= 1 && change({ [name]: Math.round(Number(input.value)) }));
    return { name, input, field: element("div", { class: "tool" }, element("label", { for: input.id }, label), input) };
  });
  const causal = switchBox("loop-causal", "Causal", (on) => change({ causal: on }));
  const go = element("button", { type: "submit", class: "primary" }, "Start");
  const stop = button("chip", "Stop", () => end({}));
  const form = element("form", { class: "card loop-form", autocomplete: "off" }, element("div", { class: "calculator-fields" }, ...boxes.map(({ field }) => field), causal.field, element("div", { class: "loop-go" }, go, stop)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!["asking", "running"].includes(loop().phase)) start();
  });
  const about = element("ul", { class: "loop-ways" }, ...WAYS.map((way, at) => element("li", { "data-way": at }, element("b", {}, way.text), ` ${way.about}`)));
  const said = element("p", { class: "loop-said", role: "status" });
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const canvas = element("canvas", { class: "loop-times", role: "img" });
  const plot = element("div", { class: "loop-plot" }, canvas);
  const equal = element("p", { class: "loop-equal" });
  const table = element("table", { class: "loop-table" });
  const result = element("section", { class: "card loop-result" }, said, plot, table, equal);
  const root = element("div", { class: "loop" }, element("section", { class: "card loop-about" }, about), form, problem, result);
  new ResizeObserver(() => actions.noteRoom()).observe(root);

  return {
    root,
    views: [
      {
        reads: (state) => [loopChoice.of(state)],
        render(state) {
          const sizes = loopChoice.of(state);
          for (const { name, input } of boxes) if (document.activeElement !== input) input.value = String(sizes[name]);
          causal.box.checked = sizes.causal;
        },
      },
      {
        reads: (state, theme) => [state.anatomy.loop, state.room, theme],
        render(state, theme) {
          const { phase, start: begun, rounds, done, problem: found } = state.anatomy.loop;
          const isBusy = phase === "asking" || phase === "running";
          go.disabled = isBusy;
          stop.disabled = !isBusy;
          setHidden(problem, found === null);
          setText(problem, found?.message ?? "");
          setHidden(result, phase === "idle" || (begun === null && !isBusy));
          const total = begun?.rounds ?? loopChoice.of(state).rounds;
          const words = phase === "asking" ? "Computing each way once, to warm up…" : done ? measuredWords(done, rounds.length) : phase === "over" ? `Stopped after ${rounds.length} of ${total} rounds.` : `Round ${rounds.length} of ${total}…`;
          setText(said, words);
          setHidden(plot, begun === null);
          if (begun) {
            canvas.setAttribute("aria-label", `Milliseconds of each of ${rounds.length} rounds for the three ways.`);
            canvas.dataset.rounds = String(rounds.length);
            drawTimes(canvas, { series: WAYS.map(({ key }) => rounds.map((round) => round[key])), total, width: plot.clientWidth, height: HEIGHT }, theme.palette);
          }
          setText(equal, begun ? `The results are the same: the largest difference to the loop's is ${begun.differences.fused.toExponential(1)} (fused) and ${begun.differences.kernel.toExponential(1)} (kernel), the largest number ${begun.largest.toPrecision(3)}. Each way takes ${largeText(begun.flops)} operations; ${begun.threads} ${begun.threads === 1 ? "core" : "cores"} of ${begun.device}.` : "");
          table.replaceChildren(...(done ? rowsOf(done) : []));
        },
      },
    ],
  };
}

/** @param {import("../../anatomy/loops.js").LoopDone} done */
function rowsOf({ medians, ratios }) {
  const against = { loop_ms: 1, fused_ms: ratios.loop_to_fused, kernel_ms: ratios.loop_to_kernel };
  const head = element("tr", {}, ...["Way", "median", "loop ÷ this"].map((text) => element("th", { scope: "col", title: "Of all rounds the median" }, text)));
  const rows = WAYS.map(({ key, text }, at) => element("tr", { "data-way": at }, element("th", { scope: "row" }, text), element("td", {}, `${medians[key].toFixed(2)} ms`), element("td", {}, against[key].toFixed(2))));
  return [element("thead", {}, head), element("tbody", {}, ...rows)];
}
