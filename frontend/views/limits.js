// What attention does not show, in the server's words, at the foot of the page.

import { byId, element } from "../page/dom.js";
import { pageView } from "./draw_views.js";

/** @returns {PageView} */
export function createLimits() {
  const place = byId("limits", HTMLDetailsElement);
  const list = byId("limits-list", HTMLUListElement);
  return pageView(({ config }) => [config?.limits_of_attention], (limits = []) => {
    place.hidden = limits.length === 0;
    list.replaceChildren(...limits.map(({ text, source }) => element("li", {}, text, " ", element("span", { class: "quiet" }, source))));
  });
}
