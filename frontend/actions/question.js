// What the server is asked, on both sides: models and texts. A new question makes token numbers of the old one
// meaningless.

import { wellFormed } from "../state/permalink.js";
import { partsOf } from "../state/pins.js";
import { isStale } from "../state/selectors.js";
import { onSide, sidesOf } from "../state/sides.js";
import { NOTHING_ASKED } from "../state/state.js";
import { NO_QUESTION } from "../state/view.js";
import { fitting } from "./run.js";
import { swapped, whyNoSwap } from "./swap.js";

/** @typedef {import("../requests/api.js").Example} Example */
/** @typedef {import("../state/view.js").SideQuestion} SideQuestion */

/** @param {Holder} holder */
export function questionActions(holder) {
  const { update, views } = holder;

  /** @param {Partial<SideQuestion>} question of side a, after which token numbers mean nothing @param {Partial<State>} [others] */
  function ask(question, others = {}) {
    const { sides } = holder.state;
    const a = { ...sides.a, continuation: [], ...question };
    update({ lock: null, hover: null, typing: false, sides: { ...sides, a }, ...others });
  }

  /** @param {Partial<SideQuestion> | null} question what side b is to ask, null as on side a; null ends the comparison */
  function compareWith(question) {
    const { sides, lock, tab } = holder.state;
    if (question === null) {
      const usual = views.usual();
      const without = { ...withoutB(holder.state, usual), sides: { ...sides, b: null }, tab: tab === "compare" ? usual.tab : tab };
      return update({ ...without, hover: null, cursor: null, typing: false });
    }
    const b = { ...NO_QUESTION, ...NOTHING_ASKED, ...sides.b, ...question };
    const clean = (/** @type {string | null} */ words) => words && wellFormed(words);
    const isOther = sides.b !== null && (b.model ?? sides.a.model) !== (sides.b.model ?? sides.a.model);
    update({
      ...(isOther ? { pins: pinsOfA(holder.state) } : {}),
      hover: null,
      sides: { ...sides, b: { ...b, text: clean(b.text), text_pair: clean(b.text_pair) } },
      lock: lock?.side === "b" ? null : lock,
      typing: question.text != null || question.text_pair != null,
    });
  }

  return {
    /** @param {Model[]} models @param {Config} config @param {MetricsCatalogue} metrics_catalogue */
    describe(models, config, metrics_catalogue) {
      const { state } = holder;
      const { a } = state.sides;
      const first = config.examples[0];
      const isUntouched = a.text === null;
      const model = a.model ?? config.default_model;
      const texts = isUntouched ? { text: first?.text ?? "", text_pair: first?.text_pair ?? null } : {};
      update({
        models: unlessSame(state.models, models),
        config: unlessSame(state.config, config),
        metrics_catalogue: unlessSame(state.metrics_catalogue, metrics_catalogue),
        ...(isUntouched || a.model === null ? { sides: { ...state.sides, a: { ...a, model, ...texts } } } : {}),
      });
    },
    /** @param {State["connection"]} connection */
    connect: (connection) => update({ connection }),
    /** @param {View} view all that a link says */
    restore(view) {
      const { state } = holder;
      const { config, sides } = state;
      const { a, b } = view.sides;
      const first = a.text === null ? config?.examples[0] : undefined;
      const texts = first ? { text: first.text, text_pair: first.text_pair } : {};
      const model = a.model ?? config?.default_model ?? null;
      const known = b === null ? { ...view, ...withoutB(view, views.usual()) } : view;
      const restored = { a: { ...sides.a, ...a, ...texts, model }, b: b && { ...NOTHING_ASKED, ...sides.b, ...b } };
      const chosen = { ...known, sides: restored, hover: null, typing: false };
      update({ ...chosen, ...fittingAnswers({ ...state, ...chosen }) });
    },
    /** @param {string} model what is pinned stays only where it has as many layers and heads, as another training of the same */
    chooseModel(model) {
      const { models, pins, sides: { a, b } } = holder.state;
      const [before, after] = [a.model, model].map((chosen) => models.find(({ id }) => id === chosen));
      const isAlike = before?.n_layers === after?.n_layers && before?.n_heads === after?.n_heads;
      const isOtherB = b !== null && b.model === null && model !== a.model; // B's model is that of A
      const kept = pins.filter((pin) => partsOf(pin).every(({ side }) => (side === "a" ? isAlike : !isOtherB)));
      ask({ model }, { ...(kept.length < pins.length ? { pins: kept } : {}), ...(isAlike ? {} : { detail: null }) });
    },
    /** @param {Example} example with the model and the tab it is for, where the server has that model */
    chooseExample({ text, text_pair, model, tab }) {
      const { models } = holder.state;
      const isThere = model !== null && models.some(({ id, available }) => id === model && available);
      // What is for one model is for its continuation: a chat template would make it a message to reply to.
      if (isThere) ask({ text, text_pair, model, chat: null }, tab === null ? {} : { tab });
      else ask({ text, text_pair });
    },
    /** @param {boolean} chat whether the model's chat template wraps the text of side a; other tokens follow it then */
    wrapText: (chat) => ask({ chat: chat || null }),
    /** @param {Example} example with the sentence that comes with it on side b: both in one step */
    choosePair({ text, text_pair, against }) {
      const { a, b } = holder.state.sides;
      const opposite = { ...NOTHING_ASKED, ...b, ...NO_QUESTION, model: b?.model ?? null, text: against };
      ask({}, { sides: { a: { ...a, text, text_pair, continuation: [] }, b: opposite } });
    },
    /** @param {string} text */
    editText: (text) => ask({ text: wellFormed(text) }, { typing: true }),
    /** @param {string | null} text null removes the second text */
    editPair: (text) => ask({ text_pair: text && wellFormed(text) }, { typing: text !== null }),
    /** @param {{text: string} | {text_pair: string}} part of side b's question: typing one text keeps the other as it is */
    editAgainst(part) {
      const { text, text_pair } = onSide(holder.state, "b");
      compareWith({ text: text ?? "", text_pair, ...part });
    },
    compareWith,
    /** One text of a side becomes another, in a step of its own. @param {Side} side @param {"text" | "text_pair"} field @param {string} text */
    replaceText(side, field, text) {
      if (side === "a") return ask({ [field]: text });
      const { text: words, text_pair } = onSide(holder.state, "b");
      compareWith({ text: words ?? "", text_pair, [field]: text });
      update({ typing: false });
    },
    /** Both sides change places. */
    swapSides() {
      const { state } = holder;
      if (state.sides.b !== null && whyNoSwap(state) === "") ask({}, swapped(state));
    },
  };

  /** The part of a view that its answers have heads and tokens for; an answer to another question does not count. @param {State} next */
  function fittingAnswers(next) {
    return sidesOf(next).reduce((kept, side) => {
      const { analysis } = onSide(next, side);
      const isThere = analysis !== null && !isStale(onSide(next, side));
      return isThere ? { ...kept, ...fitting({ ...next, ...kept }, analysis, side) } : kept;
    }, /** @type {Partial<Omit<View, "sides">>} */ ({}));
  }
}

/** What is left of a view without side b. @param {View} view @param {View} usual */
function withoutB({ pins, lock, detail, color_by }, usual) {
  return {
    pins: pins.filter((pin) => partsOf(pin).every(({ side }) => side === "a")),
    lock: lock?.side === "b" ? null : lock,
    detail: detail?.side === "b" ? null : detail,
    grid_side: usual.grid_side,
    color_by: color_by === "change" ? usual.color_by : color_by,
  };
}

/** What is known, if the same comes again: nothing is drawn again. @template T @param {T} known @param {T} received @returns {T} */
function unlessSame(known, received) {
  return JSON.stringify(known) === JSON.stringify(received) ? known : received;
}

/** What is left when B gets another model: a head of another model at the same place is another head. @param {State} state */
function pinsOfA({ pins }) {
  const kept = pins.filter((pin) => partsOf(pin).every(({ side }) => side === "a"));
  return kept.length === pins.length ? pins : kept;
}
