// What the models really read: a strip of tokens for each side.

import { byId } from "../page/dom.js";
import { createTokenStrip } from "./token_strip.js";

/** @param {Actions} actions @returns {PageView[]} */
export function createTokens(actions) {
  return [...createTokenStrip(actions, "a", byId("tokens", HTMLElement)), ...createTokenStrip(actions, "b", byId("tokens-b", HTMLElement))];
}
