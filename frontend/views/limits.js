// What attention does not show, in the server's words, at the foot of the page.

import { byId, element } from "../page/dom.js";

/** @returns {PageView} */
export function createLimits() {
  const place = byId("limits", HTMLDetailsElement);
  const list = byId("limits-list", HTMLUListElement);
  return {
    reads: ({ config }) => [config],
    render({ config }) {
      const limits = config?.limits_of_attention ?? [];
      place.hidden = limits.length === 0;
      const items = limits.map(({ text, source }) =>
        element("li", {}, text, " ", element("span", { class: "quiet" }, source)),
      );
      list.replaceChildren(...items);
    },
  };
}
