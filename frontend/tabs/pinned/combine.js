// Making maps out of maps: several heads as one, layers multiplied, two maps of the row held against each other.

import { whyIncomparable } from "../../maps/sources.js";
import { element } from "../../page/dom.js";
import { EXAMPLE, readMembers } from "../../state/members.js";
import { isPair, whatName } from "../../state/pins.js";
import { analysisOf } from "../../state/sides.js";
import { SIDES } from "../../state/view.js";
import { menu } from "../../views/parts/menu.js";

const KINDS = [
  { value: "mean", text: "Mean" },
  { value: "max", text: "Max" },
  { value: "rollout", text: "Rollout" },
];
const PAIRS = [
  { value: "difference", text: "minus" },
  { value: "agreement", text: "and (agreement)" },
];
/** Entries of the menu of heads: everything, what is pinned, what is typed, or one layer. */
const ALL = "all";
const PINNED = "pinned";
const TYPED = "typed";
/** In place of a map where there is none to choose. */
const NONE = [{ value: "", text: "None pinned" }];

/** @param {Store} store @param {HTMLElement} root @returns {PageView} */
export function createCombine(store, root) {
  const { actions } = store;
  const redraw = () => write(store.state);
  const kind = menu("combine-kind", "One map out of", redraw);
  const members = menu("combine-members", "Heads", redraw);
  const place = menu("combine-place", "Of", redraw);
  const typed = element("input", { type: "text", id: "combine-typed", placeholder: EXAMPLE, "aria-describedby": "combine-why" });
  const typedField = element("label", { class: "tool", for: "combine-typed" }, element("span", {}, "Which"), typed);
  typed.addEventListener("input", redraw);
  const add = element("button", { type: "button", class: "chip", onclick: () => actions.pin(combined(store.state)) }, "Add map");
  const one = menu("combine-one", "Two maps", redraw);
  const how = menu("combine-how", "How", redraw);
  const other = menu("combine-other", "Second map", redraw);
  const addPair = element("button", { type: "button", class: "chip", onclick: () => addComparison() }, "Add map");
  const why = element("p", { class: "hint" });
  const whyTyped = element("p", { class: "hint", id: "combine-why" });
  how.write([{ label: "", options: PAIRS }], "difference");
  const body = [
    element("div", { class: "combine-row" }, kind.field, members.field, typedField, place.field, add),
    whyTyped,
    element("div", { class: "combine-row" }, one.field, how.field, other.field, addPair),
    why,
  ];
  root.replaceChildren(
    element("details", {}, element("summary", {}, "Combine heads, or hold two maps against each other"), ...body),
  );

  function addComparison() {
    const [first, second] = [chosenPin(one.select.value), chosenPin(other.select.value)];
    if (!first || !second) return;
    const pairKind = how.select.value === "agreement" ? "agreement" : "difference";
    actions.pin({ kind: pairKind, one: first, other: second });
  }

  /** @param {string} at @returns {Simple | null} */
  function chosenPin(at) {
    const pin = at === "" ? undefined : store.state.pins[Number(at)];
    if (!pin || isPair(pin)) return null;
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
    place.write([{ label: "", options: placesOf(state) }], valid(place.select.value, placesOf(state)));
    place.field.hidden = placesOf(state).length === 1;
    const kinds = kindsOf(state, place.select.value);
    kind.write([{ label: "", options: kinds }], valid(kind.select.value, kinds));
    const choices = membersOf(state, place.select.value, kind.select.value === "rollout");
    members.write([{ label: "", options: choices }], valid(members.select.value, choices));
    const pins = state.pins.flatMap((pin, at) => (isPair(pin) ? [] : [{ value: String(at), text: `${at + 1}: ${whatName(pin)}` }]));
    const [first, second] = [pins[0]?.value ?? "", pins[1]?.value ?? ""];
    one.write([{ label: "", options: pins.length > 0 ? pins : NONE }], valid(one.select.value || first, pins));
    other.write([{ label: "", options: pins.length > 1 ? pins : NONE }], second && valid(other.select.value || second, pins, second));
    const isTyped = members.select.value === TYPED;
    typedField.hidden = !isTyped;
    const { problem } = isTyped ? typedMembers(state) : { problem: "" };
    whyTyped.textContent = problem;
    whyTyped.hidden = problem === "";
    add.disabled = problem !== "";
    const reason = whyNot(state);
    addPair.disabled = reason !== "";
    why.textContent = reason;
    why.hidden = reason === "";
    for (const menuOf of [one, how, other]) menuOf.select.disabled = pins.length < 2;
  }

  /** @param {State} state */
  function typedMembers(state) {
    return readMembers(typed.value, stackAt(state, place.select.value) ?? { n_layers: 0, n_heads: 0 });
  }

  /** @param {State} state why the two chosen maps cannot be held against each other; "": they can */
  function whyNot(state) {
    const [first, second] = [chosenPin(one.select.value), chosenPin(other.select.value)];
    if (!first || !second) return "Pin two maps to hold them against each other.";
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

/**
 * The chosen value while it is still offered, else the first.
 * @param {string} chosen
 * @param {{value: string}[]} options
 * @param {string} [fallback]
 */
function valid(chosen, options, fallback = options[0]?.value ?? "") {
  return options.some(({ value }) => value === chosen) ? chosen : fallback;
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

/** @param {State} state @param {string} place where layers cannot be multiplied rollout is not offered */
function kindsOf(state, place) {
  return KINDS.filter(({ value }) => value !== "rollout" || stackAt(state, place)?.stack !== "cross");
}

/** Which heads can be taken together. @param {State} state @param {string} place @param {boolean} isRollout */
function membersOf(state, place, isRollout) {
  const n_layers = stackAt(state, place)?.n_layers ?? 0;
  const layers = Array.from({ length: n_layers }, (_, layer) => ({ value: String(layer), text: isRollout ? `Layers 0 to ${layer}` : `All of L${layer}` }));
  if (isRollout) return layers.reverse();
  const n_pinned = pinnedCells(state, placeIn(place)).length;
  const pinned = n_pinned > 1 ? [{ value: PINNED, text: `The ${n_pinned} pinned heads` }] : [];
  return [{ value: ALL, text: "All heads" }, ...pinned, { value: TYPED, text: "Those I type" }, ...layers];
}

/** @param {State} state @param {Place} place @returns {Member[]} */
function pinnedCells(state, { side, stack }) {
  const heads = state.pins.filter((pin) => pin.kind === "head").filter((pin) => pin.side === side && pin.stack === stack);
  return heads.map(({ layer, head }) => ({ layer, head }));
}
