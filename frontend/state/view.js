// What a person has chosen, all of it and nothing else: a link carries it, undo goes back to it, history keeps it.

import { perObject } from "../page/memo.js";
import { choice } from "./choice.js";
import { CONTROL_CHOICES } from "./controls.js";
import { eachOnce, readPin, readWhat, whatKey, writePin } from "./pins.js";

/**
 * @typedef {object} SideQuestion what is asked on one side
 * @property {string | null} model null: the server's default, on side b that of side a
 * @property {string | null} text null: the first example, on side b that of side a; "" is an empty sentence
 * @property {string | null} text_pair null: no second text; "" is an empty one
 * @property {number[]} continuation ids of tokens after the text, written by the model
 * @property {boolean | null} chat whether the model's chat template wraps the text; null: no, on side b as on side a
 */
/**
 * @typedef {object} ViewParts what is shown of the answers
 * @property {{a: SideQuestion, b: SideQuestion | null}} sides b null: nothing is compared
 * @property {Pin[]} pins
 * @property {HeadPlace | null} detail the head whose query-key detail is open
 * @property {Focus | null} lock
 * @property {string} tab the id of the open one
 */
/** @typedef {ViewParts & Controls} View further choices belong to tabs, which read them by `choice.of(view)` */
/** @typedef {"a" | "b"} Side */
/** @typedef {Controls["grid_side"]} GridSide */
/** @typedef {{side: Side, queries: number[], keys: number[]}} Focus tokens; an empty list: none of that kind */

/** @type {Side[]} */
export const SIDES = ["a", "b"];
/** @type {SideQuestion} */
export const NO_QUESTION = { model: null, text: null, text_pair: null, continuation: [], chat: null };
const TEXTS = /** @type {const} */ (["model", "text", "text_pair"]);
/** @type {Record<string, boolean>} */
const SWITCHED = { true: true, false: false };

/** @param {SideQuestion} side @returns {SideQuestion} without how far its answer is */
function questionPart({ model, text, text_pair, continuation, chat }) {
  return { model, text, text_pair, continuation, chat };
}

/** The questions of both sides: the same object while the sides are the same. */
const questionsOf = perObject((/** @type {View["sides"]} */ { a, b }) => ({ a: questionPart(a), b: b && questionPart(b) }));

/** A question as text, so that equal ones are the same. */
const questionText = perObject((/** @type {SideQuestion} */ side) => JSON.stringify(side));

/** The two questions; in a link those of side b have `against_` before their names. @type {Choice<View["sides"]>} */
export const SIDES_CHOICE = {
  key: "sides",
  usual: { a: NO_QUESTION, b: null },
  undo: "step",
  of: (view) => questionsOf(/** @type {View} */ (view).sides),
  parts: ({ a, b }) => ({ ...a, continuation: a.continuation.join(), against: b && questionText(b) }),
  write({ a, b }, put) {
    for (const name of TEXTS) if (a[name] !== null) put(name, a[name]);
    if (a.continuation.length > 0) put("continue", a.continuation.join(","));
    if (a.chat) put("chat", "true");
    if (b === null) return;
    put("against", "");
    for (const name of TEXTS) if (b[name] !== null) put(`against_${name}`, b[name]);
    if (b.chat !== null) put("against_chat", String(b.chat));
  },
  read(get) {
    const question = (/** @type {string} */ prefix, /** @type {number[]} */ continuation) => {
      const [model, text, text_pair, chat] = [...TEXTS, "chat"].map((name) => get(`${prefix}${name}`));
      return { model, text, text_pair, continuation, chat: SWITCHED[chat ?? ""] ?? null };
    };
    const a = question("", numbersIn(get("continue") ?? "", ","));
    return { a, b: get("against") === null ? null : question("against_", []) };
  },
  misread(get) {
    const ids = (get("continue") ?? "").split(",").filter((word) => word !== "" && !isNumber(word)).map((word) => `continue=${word}`);
    const against = get("against") ? [`against=${get("against")}`] : [];
    const switches = ["chat", "against_chat"].filter((name) => !((get(name) ?? "true") in SWITCHED)).map((name) => `${name}=${get(name)}`);
    return [...ids, ...against, ...switches];
  },
};

const PINS = choice("pins", {
  usual: /** @type {Pin[]} */ ([]),
  write: (pins) => pins.map(writePin).join(","),
  read: (word) => eachOnce(word.split(",").map(readPin).filter((pin) => pin !== null)),
  misread: (word) => word.split(",").filter((pin) => pin !== "" && readPin(pin) === null),
});

const DETAIL = choice("detail", {
  usual: /** @type {HeadPlace | null} */ (null),
  write: (detail) => detail && whatKey({ kind: "head", ...detail }),
  read(word) {
    const what = readWhat(word);
    if (what?.kind !== "head") return null;
    const { side, stack, layer, head } = what;
    return { side, stack, layer, head };
  },
  undo: "pass",
});

const LOCK = choice("lock", {
  link: "focus",
  usual: /** @type {Focus | null} */ (null),
  write: (lock) => lock && `${lock.side === "b" ? "b:" : ""}${lock.queries.join("+")}.${lock.keys.join("+")}`,
  read(word) {
    const match = /^(b:)?([\d+]*)\.([\d+]*)$/.exec(word);
    if (!match) return null;
    const [queries, keys] = [match[2], match[3]].map((list) => [...new Set(numbersIn(list, "+"))]);
    const side = /** @type {Side} */ (match[1] ? "b" : "a");
    return queries.length + keys.length === 0 ? null : { side, queries, keys };
  },
  undo: "pass",
});

/** Every part of the view of a page. @param {Pick<Tab, "id" | "choices">[]} tabs the usual one first @returns {Choice<any>[]} */
export function choicesWith(tabs) {
  const ids = tabs.map(({ id }) => id);
  const tab = choice("tab", { usual: ids[0], write: (id) => id, read: (word) => (ids.includes(word) ? word : null), undo: "pass" });
  return [SIDES_CHOICE, PINS, DETAIL, LOCK, ...CONTROL_CHOICES, tab, ...tabs.flatMap(({ choices = [] }) => choices)];
}

/** The whole numbers of a list in a link; other words are left out. @param {string} list @param {string} between */
export function numbersIn(list, between) {
  return list.split(between).filter(isNumber).map(Number);
}

/** @param {string} word */
function isNumber(word) {
  return /^\d{1,7}$/.test(word);
}
