// Making maps out of maps: several heads as one, layers multiplied, two maps of the row compared.

import { pinnedOverlay } from "../../maps/overlay.js";
import { whyIncomparable } from "../../maps/sources.js";
import { element } from "../../page/dom.js";
import { EXAMPLE, readMembers } from "../../state/members.js";
import { isSimple, whatName } from "../../state/pins.js";
import { analysisOf } from "../../state/sides.js";
import { SIDES } from "../../state/view.js";
import { menu } from "../../views/parts/menu.js";

/** @typedef {ReturnType<typeof menu>} Menu */

const KINDS = [
  { value: "mean", text: "Mean" },
  { value: "max", text: "Max" },
  { value: "rollout", text: "Rollout" },
];
const PAIRS = [
  { value: "difference", text: "minus" },
  { value: "agreement", text: "and (agreement)" },
];
/** Entries of the menu of heads beside its layers: all, the pinned ones, those that are typed. */
const ALL = "all";
const PINNED = "pinned";
const TYPED = "typed";
/** In place of a map where there is none to choose. */
const NONE = [{ value: "", text: "None pinned" }];

/** @param {Store} store @param {HTMLElement} root @returns {PageView} */
export function createCombine(store, root) {
  const { actions } = store;
  const redraw = () => write(store.state);
  const kind = menu("combine-kind", "Combine", redraw);
  const members = menu("combine-members", "Heads", redraw);
  const place = menu("combine-place", "Of", redraw);
  const typing = { placeholder: EXAMPLE, "aria-describedby": "combine-why", oninput: redraw };
  const typed = element("input", { type: "text", id: "combine-typed", ...typing });
  const typedField = element("label", { class: "tool", for: "combine-typed" }, element("span", {}, "Which"), typed);
  const add = element("button", { type: "button", class: "chip", onclick: () => actions.pin(combined(store.state)) }, "Add map");
  const one = menu("combine-one", "Two maps", redraw);
  const how = menu("combine-how", "How", redraw);
  const other = menu("combine-other", "Second map", redraw);
  const addPair = element("button", { type: "button", class: "chip", onclick: addComparison }, "Add map");
  const addOverlay = () => actions.pin(pinnedOverlay(store.state).overlay);
  const overlaying = { type: "button", class: "chip", id: "combine-overlay", onclick: addOverlay };
  const overlay = element("button", overlaying, "Overlay lines of the pinned heads");
  const whyAlone = element("p", { class: "hint" });
  const why = element("p", { class: "hint" });
  const whyTyped = element("p", { class: "hint", id: "combine-why" });
  offer(how, PAIRS);
  const body = [
    element("div", { class: "combine-row" }, kind.field, members.field, typedField, place.field, add),
    whyTyped,
    element("div", { class: "combine-row" }, one.field, how.field, other.field, addPair),
    why,
    element("div", { class: "combine-row" }, overlay),
    whyAlone,
  ];
  // It is the last thing on the tab: what opens would be below its edge.
  const ontoggle = () => root.scrollIntoView({ block: "nearest" });
  root.replaceChildren(element("details", { ontoggle }, element("summary", {}, "Combine heads, or compare two maps"), ...body));

  function addComparison() {
    const [first, second] = [one, other].map(chosenPin);
    if (first && second) actions.pin({ kind: how.select.value === "agreement" ? "agreement" : "difference", one: first, other: second });
  }

  /** @param {Menu} menu of pins @returns {Simple | null} */
  function chosenPin({ select }) {
    const pin = select.value === "" ? undefined : store.state.pins[Number(select.value)];
    if (!pin || !isSimple(pin)) return null;
    const { mode: _, ...what } = pin;
    return what;
  }

  /** @param {State} state @returns {What} */
  function combined(state) {
    const where = placeIn(place.select.value);
    const chosen = members.select.value;
    const layer = Number(chosen);
    if (kind.select.value === "rollout") return { kind: "rollout", ...where, layer };
    const found = { [ALL]: [], [PINNED]: pinnedCells(state, where), [TYPED]: typedMembers(state).cells }[chosen];
    return { kind: kind.select.value === "max" ? "max" : "mean", ...where, cells: found ?? [{ layer, head: null }] };
  }

  /** @param {State} state */
  function write(state) {
    offer(place, placesOf(state));
    place.field.hidden = placesOf(state).length === 1;
    // Layers of cross-attention cannot be multiplied.
    const isCross = stackAt(state, place.select.value)?.stack === "cross";
    offer(kind, KINDS.filter(({ value }) => value !== "rollout" || !isCross));
    offer(members, membersOf(state, place.select.value, kind.select.value === "rollout"));
    const pins = state.pins.flatMap((pin, at) => (isSimple(pin) ? [{ value: String(at), text: `${at + 1}: ${whatName(pin)}` }] : []));
    offer(one, pins.length > 0 ? pins : NONE);
    offer(other, pins.length > 1 ? pins : NONE, pins[1]?.value);
    for (const { select } of [one, how, other]) select.disabled = pins.length < 2;
    const isTyped = members.select.value === TYPED;
    typedField.hidden = !isTyped;
    refuse(add, whyTyped, isTyped ? typedMembers(state).problem : "");
    refuse(addPair, why, whyNot(state));
    refuse(overlay, whyAlone, pinnedOverlay(state).why);
  }

  /** @param {State} state */
  function typedMembers(state) {
    return readMembers(typed.value, stackAt(state, place.select.value) ?? { n_layers: 0, n_heads: 0 });
  }

  /** @param {State} state why the two chosen maps cannot be compared; "": they can */
  function whyNot(state) {
    const [first, second] = [one, other].map(chosenPin);
    if (!first || !second) return "Pin two maps to compare them.";
    if (one.select.value === other.select.value) return "Choose two different maps.";
    return whyIncomparable(state, first, second);
  }

  return {
    reads: (state) => [state.pins, ...SIDES.map((side) => analysisOf(state, side))],
    render(state) {
      root.hidden = analysisOf(state, "a") === null;
      write(state);
    },
  };
}

/** @param {Menu} menu keeps a choice that is still offered @param {{value: string, text: string}[]} options @param {string} [otherwise] */
function offer({ select, write }, options, otherwise = options[0]?.value ?? "") {
  write([{ label: "", options }], options.some(({ value }) => value === select.value) ? select.value : otherwise);
}

/** @param {HTMLButtonElement} button @param {HTMLElement} hint @param {string} reason why the button cannot be used; "": it can */
function refuse(button, hint, reason) {
  button.disabled = reason !== "";
  hint.textContent = reason;
  hint.hidden = reason === "";
}

/** @param {State} state the grids there are, by side and stack */
function placesOf(state) {
  const places = SIDES.flatMap((side) => {
    const stacks = analysisOf(state, side)?.stacks ?? [];
    const nameOf = (/** @type {Stack} */ { stack }) => `${side.toUpperCase()}${stacks.length > 1 ? ` ${stack}` : ""}`;
    return stacks.map((stack, at) => ({ value: `${side}.${at}`, text: nameOf(stack) }));
  });
  return places.length > 0 ? places : [{ value: "a.0", text: "A" }];
}

/** @param {string} value as the menu writes it @returns {Place} */
function placeIn(value) {
  const [side, stack] = value.split(".");
  return { side: side === "b" ? "b" : "a", stack: Number(stack) };
}

/** @param {State} state @param {string} place as the menu writes it */
function stackAt(state, place) {
  const { side, stack } = placeIn(place);
  return analysisOf(state, side)?.stacks[stack] ?? null;
}

/** Which heads can be taken together. @param {State} state @param {string} place @param {boolean} isRollout */
function membersOf(state, place, isRollout) {
  const n_layers = stackAt(state, place)?.n_layers ?? 0;
  const nameOf = (/** @type {number} */ layer) => (isRollout ? `Layers 0 to ${layer}` : `All of L${layer}`);
  const layers = Array.from({ length: n_layers }, (_, layer) => ({ value: String(layer), text: nameOf(layer) }));
  if (isRollout) return layers.reverse();
  const n_pinned = pinnedCells(state, placeIn(place)).length;
  const pinned = n_pinned > 1 ? [{ value: PINNED, text: `The ${n_pinned} pinned heads` }] : [];
  return [{ value: ALL, text: "All heads" }, ...pinned, { value: TYPED, text: "Heads I list" }, ...layers];
}

/** @param {State} state @param {Place} place @returns {Member[]} */
function pinnedCells(state, { side, stack }) {
  const heads = state.pins.filter((pin) => pin.kind === "head").filter((pin) => pin.side === side && pin.stack === stack);
  return heads.map(({ layer, head }) => ({ layer, head }));
}
