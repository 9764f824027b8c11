// How much room the grids have.

import { byId } from "../../page/dom.js";

/** From this width the grid is beside the head in focus and fills the height, as in page.css. */
export const BESIDE = "(min-width: 1000px)";

/** CSS pixels between the grids and what is below them, and below that the edge of the card: as in grid.css. */
const BELOW = 16;

/** @returns {{width: number, height: number}} in CSS pixels; in one column the page is as tall as its grids */
export function gridRoom() {
  const list = byId("grids", HTMLElement);
  const width = list.clientWidth;
  if (!window.matchMedia(BESIDE).matches) return { width, height: Infinity };
  const card = byId("grid-card", HTMLElement);
  const foot = byId("grid-foot", HTMLElement);
  const top = list.getBoundingClientRect().top;
  return { width, height: card.getBoundingClientRect().bottom - top - foot.offsetHeight - BELOW };
}
