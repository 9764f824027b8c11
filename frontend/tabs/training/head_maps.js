// The maps of every head at one step on a text: canvases in a grid of layers and heads, roles below each, and the weight
// that is pointed at.

import { drawHeadMap, drawNames, hasNames, mapSide, nameLength } from "../../drawing/head_maps.js";
import { element, setText } from "../../page/dom.js";
import { headName, placedToken, weightText } from "../../page/labels.js";
import { isSameList } from "../../page/memo.js";
import { ARROW_STEPS } from "../../views/parts/arrow_steps.js";
import { codesAt, films, frameOf, mapAt, shownFilm } from "../../training/film.js";
import { shownPoint, shownRecord } from "../../training/record.js";

/** @typedef {import("../../training/record.js").PointRole} PointRole */
/** @typedef {{layer: number, head: number, canvas: HTMLCanvasElement, roles: HTMLElement, root: HTMLElement}} MapPart */

const GAP = 8;
const WIDE = 1000;
const LEAST_SIDE = 44;
const LARGEST_SIDE = 260;
const AROUND = 450; // pixels of a wide window above and below the maps
const BELOW = 36; // a map: its name and its roles

/** @param {Store} store @returns {{root: HTMLElement, views: PageView[]}} */
export function createHeadMaps(store) {
  const { actions } = store;
  const grid = element("div", { class: "head-maps", role: "group", tabindex: 0, "aria-label": "Maps of all heads. Arrow keys move over a map, with Shift to other heads." });
  const readout = element("p", { class: "map-readout", role: "status" });
  const root = element("div", { class: "training-maps" }, readout, grid);
  /** @type {MapPart[]} */
  let parts = [];
  let shape = "";
  const keyRow = element("div", { class: "map-row key-names" });
  /** The names of tokens beside the first map of each layer, and above those of the first. @type {{queries: HTMLCanvasElement[], keys: HTMLCanvasElement[]}} */
  let names = { queries: [], keys: [] };
  new ResizeObserver(() => {
    const width = root.clientWidth;
    if (width !== drawnWidth) paint();
  }).observe(root);
  let drawnWidth = 0;
  let paint = () => {};

  /** @param {Film} film make the canvases of so many heads */
  function build({ n_layers, n_heads }) {
    if (shape === `${n_layers}x${n_heads}`) return;
    shape = `${n_layers}x${n_heads}`;
    parts = [];
    const nameCanvas = () => element("canvas", { class: "map-names", "aria-hidden": "true" });
    names = { queries: Array.from({ length: n_layers }, nameCanvas), keys: Array.from({ length: n_heads }, nameCanvas) };
    const rows = Array.from({ length: n_layers }, (_, layer) => {
      const cells = Array.from({ length: n_heads }, (_none, head) => {
        const canvas = element("canvas", { class: "head-map", role: "img" });
        canvas.addEventListener("pointermove", (event) => pointAt(event, layer, head));
        canvas.addEventListener("pointerleave", () => actions.pointAtMap(null));
        const roles = element("div", { class: "map-roles" });
        const figure = element("figure", { "data-layer": layer, "data-head": head }, canvas, element("figcaption", {}, headName(layer, head)), roles);
        const part = { layer, head, canvas, roles, root: figure };
        parts.push(part);
        return figure;
      });
      return element("div", { class: "map-row" }, names.queries[layer], ...cells);
    });
    keyRow.replaceChildren(...names.keys);
    grid.replaceChildren(keyRow, ...rows);
  }

  /** @param {PointerEvent} event @param {number} layer @param {number} head */
  function pointAt(event, layer, head) {
    const film = shownFilm(store.state);
    if (film === null) return;
    const { width } = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const n = film.tokens.length;
    const at = (/** @type {number} */ offset) => Math.min(n - 1, Math.max(0, Math.floor((offset / width) * n)));
    const [query, key] = [at(event.offsetY), at(event.offsetX)];
    const { pointed } = store.state.training;
    if (pointed && isSameList([pointed.layer, pointed.head, pointed.query, pointed.key], [layer, head, query, key])) return;
    actions.pointAtMap({ layer, head, query, key });
  }

  grid.addEventListener("keydown", (event) => {
    const film = shownFilm(store.state);
    const move = ARROW_STEPS[event.key];
    if (!move || film === null) return;
    event.preventDefault();
    const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, at));
    const { layer, head, query, key } = store.state.training.pointed ?? { layer: 0, head: 0, query: 0, key: 0 };
    const [down, right] = move;
    const n = film.tokens.length;
    actions.pointAtMap(
      event.shiftKey
        ? { layer: within(layer + down, film.n_layers), head: within(head + right, film.n_heads), query, key }
        : { layer, head, query: within(query + down, n), key: within(key + right, n) },
    );
  });
  grid.addEventListener("blur", () => actions.pointAtMap(null));

  /** @param {Film} film @param {number} frame @param {Theme} theme @param {State["training"]["pointed"]} pointed */
  function draw(film, frame, theme, pointed) {
    build(film);
    drawnWidth = root.clientWidth;
    const labels = film.tokens.map(({ text }) => text);
    const context = names.queries[0].getContext("2d");
    const length = context ? nameLength(context, labels, theme.palette) + 6 : 0;
    const limits = limitsOf(film.n_layers);
    const least = mapSide(drawnWidth, film.n_heads, GAP, limits);
    const withNames = mapSide(drawnWidth - length, film.n_heads, GAP, limits);
    const isNamed = hasNames(withNames, labels.length);
    const side = isNamed ? withNames : least;
    for (const { layer, head, canvas, root: figure } of parts) {
      const isChosen = pointed?.layer === layer && pointed.head === head;
      drawHeadMap(canvas, side, codesAt(film, frame, { layer, head }), theme, pointed, isChosen);
      figure.style.width = `${side}px`;
      figure.classList.toggle("pointed", isChosen);
      if (pointed) canvas.dataset.weight = String(mapAt(film, frame, { layer, head })[pointed.query * labels.length + pointed.key]);
      else delete canvas.dataset.weight;
    }
    keyRow.hidden = !isNamed;
    keyRow.style.paddingLeft = `${length}px`;
    for (const which of /** @type {const} */ (["queries", "keys"])) {
      const chosen = (which === "queries" ? pointed?.query : pointed?.key) ?? null;
      for (const canvas of names[which]) {
        canvas.hidden = !isNamed;
        if (isNamed) drawNames(canvas, which, labels, { side, length, chosen }, theme.palette);
      }
    }
    root.dataset.step = String(film.steps[frame]);
    root.dataset.side = String(side);
  }

  /** @param {Film} film @param {number} frame @param {State["training"]["pointed"]} pointed */
  function say(film, frame, pointed) {
    const n = film.tokens.length;
    if (pointed === null || pointed.query >= n || pointed.key >= n) return "Rows attend to columns. Point at a cell to read its weight.";
    const weight = mapAt(film, frame, pointed)[pointed.query * n + pointed.key];
    const [query, key] = [pointed.query, pointed.key].map((at) => placedToken(film.tokens[at], at));
    return `${headName(pointed.layer, pointed.head)}: ${query} → ${key}  ${weightText(weight)}`;
  }

  /** The film and the frame of the step on screen. @param {State} state */
  function present(state) {
    const record = shownRecord(state);
    const film = shownFilm(state);
    const point = record && shownPoint(state, record);
    return record && film && point ? { film, frame: frameOf(film, point.step), point } : null;
  }

  /** @type {PageView} */
  const maps = {
    reads(state, theme) {
      const now = present(state);
      return [theme, now?.film, now?.frame, state.training.pointed];
    },
    render(state, theme) {
      const now = present(state);
      grid.hidden = readout.hidden = now === null;
      if (now === null) return;
      paint = () => draw(now.film, now.frame, theme, state.training.pointed);
      paint();
      const words = say(now.film, now.frame, state.training.pointed);
      setText(readout, words);
      readout.classList.toggle("quiet", state.training.pointed === null);
    },
  };

  /** Drawn after the maps, which make its elements. @type {PageView} */
  const roles = {
    reads: (state) => [present(state)?.point, present(state)?.film],
    render(state) {
      const now = present(state);
      if (now === null) return;
      for (const { layer, head, canvas, roles: place } of parts) {
        const own = now.point.roles.filter((role) => role.layer === layer && role.head === head);
        place.replaceChildren(...own.map(roleChip));
        const called = own.length === 0 ? "no role" : own.map(({ label }) => label).join(", ");
        canvas.setAttribute("aria-label", `${headName(layer, head)} at step ${now.film.steps[now.frame]}: ${called}`);
      }
    },
  };

  /** @type {PageView} */
  const stale = {
    reads: (state) => [films.of(state) === null],
    render: (state) => void grid.classList.toggle("waiting", films.of(state) === null),
  };
  return { root, views: [maps, roles, stale] };
}

/** The smallest and the largest side of a map: two layers are to be in sight with the charts. @param {number} n_layers @returns {[number, number]} */
function limitsOf(n_layers) {
  if (window.innerWidth < WIDE) return [LEAST_SIDE, LARGEST_SIDE];
  const room = (window.innerHeight - AROUND) / Math.min(n_layers, 2) - BELOW;
  return [LEAST_SIDE, Math.max(100, Math.min(LARGEST_SIDE, room))];
}

/** @param {PointRole} role its evidence is in the tooltip */
function roleChip({ label, value, n, low, baseline }) {
  const against = `n = ${n.toLocaleString("en")}, lower end of the interval ${low.toFixed(2)}, without the skill ${baseline.toFixed(2)}`;
  return element("span", { class: "map-role", title: `${label}: ${value.toFixed(4)}; ${against}` }, `${label} ${value.toFixed(2)}`);
}
