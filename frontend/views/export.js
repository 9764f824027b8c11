// The window in which a person takes the view away: as a figure, as numbers, as a file with the whole analysis, or as
// commands for programs.

import { element, setText } from "../page/dom.js";
import { BASE } from "../requests/api.js";
import { isStale } from "../state/selectors.js";
import { fileName } from "../export/caption.js";
import { isDrawable } from "../export/figure_page.js";
import { arraysOf, csvOf, jsonOf } from "../export/map_files.js";
import { npz } from "../export/npz.js";
import { pngOf, saveFile } from "../export/saving.js";
import { shownMaps } from "../export/shown_maps.js";
import { fetchSnapshot, snapshotWords } from "../export/snapshot_file.js";
import { curlOf, pythonOf, requestsOf } from "../export/snippets.js";
import { pictureOfGrid, pictureOfMaps } from "../export/taken_picture.js";
import { copyBox } from "./parts/copy_box.js";
import { openedDialog } from "./parts/dialog.js";
import { refusal } from "../tabs/pinned/map_drawing.js";

/** @typedef {import("../export/taken_picture.js").Picture} Picture */
/** @typedef {"pinned" | "grid"} What */

const SIZES = [1, 2, 3, 4];

export function createExport() {
  /** @type {{state: State, theme: Theme} | null} */
  let shown = null;
  /** @type {What} */
  let what = "pinned";
  let size = 2;
  /** @type {Picture | null} */
  let picture = null;
  /** @type {ShownMap[]} */
  let maps = [];

  const dialog = openedDialog("export", "Export", () => {
    what = shown?.state.pins.length ? "pinned" : "grid";
    setText(said, "");
    box.hide();
    show();
  });

  const button = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void | Promise<void>} */ act) =>
    element("button", { type: "button", class: "chip", "data-take": name, onclick: () => void attempt(act) }, label);
  const choice = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ choose) =>
    element("button", { type: "button", "data-choice": name, onclick: () => (choose(), show()) }, label);
  const turnTo = (/** @type {What} */ to) => () => {
    what = to;
    box.hide(); // its command is for what was chosen before
  };
  const whats = [choice("pinned", "Pinned maps", turnTo("pinned")), choice("grid", "All heads", turnTo("grid"))];
  const sizes = SIZES.map((one) => choice(String(one), `${one}×`, () => (size = one)));
  const canvas = element("canvas", { role: "img" });
  const preview = element("div", { class: "export-preview", tabindex: 0, role: "group", "aria-label": "Preview" }, canvas);
  const about = element("p", { class: "export-about", role: "status" });
  const pixels = element("span", { class: "quiet" });
  const numbersHint = element("p", { class: "hint" });
  const pageHint = element("p", { class: "hint" });
  const box = copyBox("What was copied");
  const said = element("p", { class: "export-said", role: "status" });

  const svg = button("svg", "SVG", () => save(".svg", new Blob([taken().svg()], { type: "image/svg+xml" })));
  const png = button("png", "PNG", async () => {
    const drawn = document.createElement("canvas");
    const scale = sizeToTake();
    taken().draw(drawn, scale);
    await save(`-${scale}x.png`, pngOf(drawn));
  });
  const numbers = [
    button("csv", "CSV", () => save(".csv", new Blob([csvOf(maps)], { type: "text/csv" }))),
    button("json", "JSON", () => save(".json", new Blob([jsonOf(known().state, maps, new Date())], { type: "application/json" }))),
    button("npz", "NPZ", () => save(".npz", new Blob([npz(arraysOf(known().state, maps, new Date()))], { type: "application/x-npz" }))),
  ];
  const snapshot = button("snapshot", "Snapshot", async () => {
    setText(said, "The server is making the file…");
    await save(".html", fetchSnapshot(known().state));
  });
  const programs = [
    button("curl", "Copy as curl", () => box.offer(curlOf(requestsOf(known().state, what), location.origin + BASE), "command")),
    button("python", "Copy as Python", () => box.offer(pythonOf(requestsOf(known().state, what), location.origin + BASE), "program")),
  ];
  dialog.body.append(
    element("div", { class: "segmented", role: "group", "aria-label": "What to export" }, ...whats),
    preview,
    about,
    row("Figure", [svg, png, element("div", { class: "segmented", role: "group", "aria-label": "Size of the PNG" }, ...sizes), pixels]),
    row("Numbers", numbers, numbersHint),
    row("Whole page", [snapshot], pageHint),
    row("Programs", programs, element("p", { class: "hint" }, "Ask the server for these maps as the model made them: before hiding, merging and scaling.")),
    box.root,
    said,
  );

  /** Only called by buttons that are disabled while there is nothing. */
  const known = () => /** @type {{state: State, theme: Theme}} */ (shown);
  const taken = () => /** @type {Picture} */ (picture);

  const fits = (/** @type {number} */ scale) => picture !== null && isDrawable(picture.size, scale);
  /** The chosen size, or the largest below it that browsers can draw; 0: none. */
  const sizeToTake = () => SIZES.filter((one) => one <= size && fits(one)).at(-1) ?? 0;

  /** @param {string} ending @param {Blob | Promise<Blob>} file named after what is shown now: the page may go on while it is made */
  async function save(ending, file) {
    const name = fileName(known().state, `${what === "grid" && /svg|png/.test(ending) ? "-all-heads" : ""}${ending}`);
    saveFile(name, await file);
    setText(said, `Saved ${name}`);
  }

  /** @param {() => void | Promise<void>} act */
  async function attempt(act) {
    setText(said, "");
    try {
      await act();
    } catch (error) {
      setText(said, `That did not work: ${error instanceof Error ? error.message : error}`);
    }
  }

  function show() {
    if (shown === null) return;
    const { state, theme } = shown;
    if (state.pins.length === 0) what = "grid";
    const now = new Date();
    const why = whyNothing(state);
    const found = why === "" ? shownMaps(state, theme) : { maps: [], missing: [] };
    maps = found.maps;
    picture = why !== "" ? null : what === "grid" ? pictureOfGrid(state, theme, now) : pictureOfMaps(state, maps, theme, now);
    const nothing = state.pins.length === 0 ? "Pin a map first to export it: click one in the grid. Until then, here are all heads." : "";
    const missing = what === "pinned" ? found.missing.map(({ title, reason }) => `${title}: ${reason}`) : [];
    const drawn = drawPreview();
    setText(about, [why || nothing, ...missing, drawn].filter(Boolean).join(" "));
    about.hidden = about.textContent === "";

    for (const one of whats) one.setAttribute("aria-pressed", String(one.dataset.choice === what));
    whats[0].disabled = state.pins.length === 0;
    for (const one of sizes) {
      const scale = Number(one.dataset.choice);
      one.setAttribute("aria-pressed", String(scale === sizeToTake()));
      one.disabled = !fits(scale);
      one.title = fits(scale) || picture === null ? "" : "More pixels than browsers draw: take the SVG.";
    }
    svg.disabled = picture === null;
    png.disabled = sizeToTake() === 0;
    const inexact = whyNoNumbers(state, maps, found.missing.length);
    for (const one of numbers) one.disabled = why !== "" || inexact !== "";
    setText(numbersHint, inexact || "The weights of the pinned maps as they are shown: one line each, as JSON, or as arrays for numpy.");
    for (const one of [snapshot, ...programs]) one.disabled = why !== "";
    setText(pageHint, snapshotWords(state));
  }

  /** @returns {string} why it could not be drawn */
  function drawPreview() {
    preview.hidden = picture === null;
    setText(pixels, "");
    if (picture === null) return "";
    preview.hidden = !fits(1);
    if (preview.hidden) return "This figure is too large to preview and for a PNG: take the SVG, or pin fewer maps.";
    picture.draw(canvas, window.devicePixelRatio > 1 && fits(2) ? 2 : 1);
    canvas.setAttribute("aria-label", picture.title);
    const { width, height } = picture.size;
    canvas.style.setProperty("--natural", `${width}px`);
    setText(pixels, [width, height].map((side) => Math.ceil(side * sizeToTake()).toLocaleString("en")).join(" × ") + " pixels");
    return "";
  }

  return {
    /**
     * @param {State} state
     * @param {Set<string>} changed
     * @param {Theme} theme
     */
    render(state, changed, theme) {
      shown = { state, theme };
      if (dialog.root.open && changed.size > 0) show();
    },
  };
}

/**
 * @param {string} title
 * @param {Node[]} controls
 * @param {...Node} below
 */
function row(title, controls, ...below) {
  const id = `export-${title.toLowerCase().replace(" ", "-")}`;
  return element(
    "section",
    { class: "export-row", "aria-labelledby": id },
    element("h3", { id }, title),
    element("div", { class: "export-controls" }, ...controls),
    ...below,
  );
}

/** @param {State} state why there is nothing to export at all; "": there is */
function whyNothing(state) {
  if (state.run.phase === "failed") return "There is nothing to export: this text has no maps.";
  if (state.analysis === null || state.run.phase !== "done" || isStale(state)) return "The maps of this text are on their way…";
  return "";
}

/**
 * Why no numbers can be had: only the model's own are given away.
 * @param {State} state
 * @param {ShownMap[]} maps
 * @param {number} n_missing
 */
function whyNoNumbers(state, maps, n_missing) {
  if (state.pins.length === 0) return "Pin the maps whose weights you want; for all heads at once, copy the program below.";
  const rough = maps.find(({ drawing }) => !drawing.sheet.exact);
  if (rough) return refusal(state, rough.pin, rough.values) ?? "Exact values are on their way…";
  if (maps.length === 0) return "None of the pinned maps is drawn.";
  return n_missing > 0 ? "Not all of the pinned maps are drawn yet." : "";
}
