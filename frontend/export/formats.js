// The formats of an export, in the order they are offered: a new one is one entry of FORMATS.

import { post } from "../requests/api.js";
import { fileName } from "./caption.js";
import { whyNoNumbers } from "./content.js";
import { arraysOf, csvOf, jsonOf } from "./map_files.js";
import { headerLines, originOf } from "./number_files.js";
import { npz } from "./npz.js";
import { pngOf } from "./saving.js";
import { snapshotQuestion, snapshotWords } from "./snapshot_file.js";
import { curlOf, pythonOf, requestsOf } from "./snippets.js";

/** @typedef {"picture" | "numbers" | "page" | "code"} Kind code is copied, everything else saved */
/** @typedef {{name: string, content: Blob | string}} ExportFile */
/**
 * @typedef {object} Format
 * @property {string} id
 * @property {string} label
 * @property {Kind} makes
 * @property {string} [progress] shown while it is made
 * @property {(content: ExportContent) => boolean} [isReady] whether it can be made if its kind can; by default always
 * @property {(content: ExportContent) => ExportFile | Promise<ExportFile>} make
 */
/**
 * @typedef {object} FormatKind
 * @property {string} title
 * @property {(content: ExportContent) => boolean} isReady
 * @property {(content: ExportContent) => string} [hint] what is in it, or why there is none
 */

const hasAnswer = (/** @type {ExportContent} */ { why }) => why === "";

/** What formats make. @type {Record<Kind, FormatKind>} */
export const KINDS = {
  picture: { title: "Figure", isReady: ({ picture }) => picture !== null },
  numbers: {
    title: "Numbers",
    isReady: (content) => hasAnswer(content) && whyNoNumbers(content) === "",
    hint: (content) =>
      whyNoNumbers(content) || "The weights of the pinned maps as they are shown: one line each, as JSON, or as arrays for numpy.",
  },
  page: { title: "Whole page", isReady: hasAnswer, hint: ({ state }) => snapshotWords(state) },
  code: {
    title: "Programs",
    isReady: hasAnswer,
    hint: () => "Request these maps from the server as the model computes them: before hiding, merging and scaling.",
  },
};

/** @type {Format[]} */
export const FORMATS = [
  {
    id: "svg",
    label: "SVG",
    makes: "picture",
    make: (content) => file(content, `${part(content)}.svg`, content.picture?.svg() ?? "", "image/svg+xml"),
  },
  {
    id: "png",
    label: "PNG",
    makes: "picture",
    isReady: ({ scale }) => scale > 0,
    async make(content) {
      const canvas = document.createElement("canvas");
      content.picture?.draw(canvas, content.scale);
      return file(content, `${part(content)}-${content.scale}x.png`, await pngOf(canvas), "image/png");
    },
  },
  {
    id: "csv",
    label: "CSV",
    makes: "numbers",
    make: (content) => file(content, ".csv", [...headerLines(originOf(content.state, content.now)), csvOf(content.maps)].join("\n"), "text/csv"),
  },
  { id: "json", label: "JSON", makes: "numbers", make: (content) => file(content, ".json", jsonOf(content), "application/json") },
  { id: "npz", label: "NPZ", makes: "numbers", make: (content) => file(content, ".npz", npz(arraysOf(content)), "application/x-npz") },
  {
    id: "snapshot",
    label: "Snapshot",
    makes: "page",
    progress: "The server is making the file…",
    async make(content) {
      const response = await post("/snapshot", snapshotQuestion(content.state, content.view));
      return file(content, ".html", await response.blob(), "text/html");
    },
  },
  {
    id: "curl",
    label: "Copy as curl",
    makes: "code",
    make: ({ state, scope, server }) => ({ name: "command", content: curlOf(requestsOf(state, scope), server) }),
  },
  {
    id: "python",
    label: "Copy as Python",
    makes: "code",
    make: ({ state, scope, server }) => ({ name: "program", content: pythonOf(requestsOf(state, scope), server) }),
  },
];

/** @param {Format} format @param {ExportContent} content */
export function isReady({ makes, isReady: fits = () => true }, content) {
  return KINDS[makes].isReady(content) && fits(content);
}

/** @param {ExportContent} exported @param {string} ending @param {BlobPart} content @param {string} type @returns {ExportFile} */
function file({ state }, ending, content, type) {
  return { name: fileName(state.sides.a, ending), content: new Blob([content], { type }) };
}

/** What a picture shows, for the name of its file. @param {ExportContent} content */
function part({ scope }) {
  return scope === "grid" ? "-all-heads" : "";
}
