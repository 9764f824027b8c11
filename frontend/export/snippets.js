// What is on screen as commands that ask the server for it: for a shell, and for Python.

import { mapQuestion, shownValues } from "../maps/exact.js";
import { partsOf, whatName } from "../state/pins.js";
import { question } from "../state/selectors.js";
import { analysisOf, onSide, sidesOf } from "../state/sides.js";

/** @typedef {{title: string, path: "/maps" | "/attention", body: object}} MapRequest */

const JSON_TYPE = "application/json";
const NPZ_TYPE = "application/x-npz";

/** Requests for the pinned maps, or for every head. @param {State} state @param {ExportContent["scope"]} scope @returns {MapRequest[]} */
export function requestsOf(state, scope) {
  const asked = scope === "pinned" ? pinnedMaps(state) : allHeads(state);
  // A map may be pinned and also be part of a difference: one request is enough.
  const each = [...new Map(asked.map((one) => [JSON.stringify(one.body), one])).values()];
  const isNamed = (/** @type {MapRequest} */ { title }, /** @type {number} */ at) => each.findIndex((one) => one.title === title) < at;
  return each.map((one, at) => (isNamed(one, at) ? { ...one, title: `${one.title} (${at + 1})` } : one));
}

/** @param {State} state @returns {MapRequest[]} */
function pinnedMaps(state) {
  return state.pins.flatMap((pin) =>
    partsOf(pin).flatMap((what) => {
      const analysis = analysisOf(state, what.side);
      if (!analysis?.stacks[what.stack]) return [];
      return shownValues(state, pin).map((values) => ({
        title: `${whatName(what)}${values === "weighted" ? " value-weighted" : ""}`,
        path: /** @type {const} */ ("/maps"),
        body: mapQuestion(analysis, what, values),
      }));
    }),
  );
}

/** @param {State} state @returns {MapRequest[]} */
function allHeads(state) {
  return sidesOf(state).flatMap((side) => {
    const { analysis } = onSide(state, side);
    const wanted = question(onSide(state, side));
    if (analysis === null || wanted === null) return [];
    return analysis.stacks.map(({ stack }) => {
      const isOne = analysis.stacks.length === 1;
      const isWeighted = analysis.values === "weighted";
      const words = ["all heads", isOne ? "" : `of the ${stack}`, side === "b" ? "on side B" : "", isWeighted ? "value-weighted" : ""];
      const body = { ...wanted, ...(isOne ? {} : { stack }), ...(isWeighted ? { values: "weighted" } : {}) };
      return { title: words.filter(Boolean).join(" "), path: /** @type {const} */ ("/attention"), body };
    });
  });
}

/** @param {MapRequest[]} requests @param {string} base address of the API */
export function curlOf(requests, base) {
  const commands = requests.map(({ title, path, body }) => {
    const answer =
      path === "/maps"
        ? ["-w '\\n'"] // one line of JSON a map
        : [`-H 'Accept: ${NPZ_TYPE}'`, `-o ${quoted(`${title.replaceAll(" ", "-")}.npz`)}`];
    const parts = [
      `curl -sS --fail-with-body ${quoted(base + path)}`,
      `-H 'Content-Type: ${JSON_TYPE}'`,
      ...answer,
      `--data-raw ${quoted(JSON.stringify(body))}`,
    ];
    return `${parts.join(" \\\n  ")}\n`;
  });
  return commands.join("");
}

/** Text as one word of a shell; JSON has no line breaks, everything else may be inside quotes. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** @param {MapRequest[]} requests @param {string} base address of the API */
export function pythonOf(requests, base) {
  // All heads of a long text are too many numbers for JSON.
  const isArrays = requests.some(({ path }) => path === "/attention");
  const lines = requests.map(({ title, path, body }) => {
    const items = Object.entries(body).map(([key, item]) => `        ${literal(key)}: ${literal(item)},\n`);
    return `    ${literal(title)}: ask(${literal(path)}, {\n${items.join("")}    }),`;
  });
  const load = isArrays ? "numpy.load(io.BytesIO(answer.read()))" : "json.load(answer)";
  const print = isArrays
    ? 'print(name, found["attention"].shape)  # layers, heads, queries, keys'
    : 'print(name, len(found["pattern"]), "x", len(found["pattern"][0]))  # queries x keys';
  return `${isArrays ? "import io\n" : ""}import json
import urllib.request
${isArrays ? "\nimport numpy\n" : ""}
API = ${literal(base)}

def ask(path, question):
    headers = {"Content-Type": "${JSON_TYPE}"${isArrays ? `, "Accept": "${NPZ_TYPE}"` : ""}}
    request = urllib.request.Request(API + path, json.dumps(question).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return ${load}


maps = {
${lines.join("\n")}
}
for name, found in maps.items():
    ${print}
`;
}

/** A value in Python. Strings are as in JSON, whose escapes Python reads the same way. @param {unknown} value @returns {string} */
function literal(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => `${literal(key)}: ${literal(item)}`);
  return `{${items.join(", ")}}`;
}
