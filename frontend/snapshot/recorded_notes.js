// What somebody wrote about single heads before the snapshot was made, each beside the head it is about; a click pins
// that head.

import { element } from "../page/dom.js";
import { headName } from "../page/labels.js";
import { hasPin } from "../state/pins.js";

/** @param {Actions} actions @param {Record<string, string>} notes by "layer.head" @returns {PageView} */
export function createRecordedNotes(actions, notes) {
  const made = Object.entries(notes).map(([place, words]) => {
    const [layer, head] = place.split(".").map(Number);
    const onclick = () => actions.togglePin({ layer, head });
    const chip = element("button", { type: "button", class: "chip small", onclick }, headName(layer, head));
    return { layer, head, chip, row: element("li", {}, chip, element("p", { dir: "auto" }, words)) };
  });
  if (made.length > 0) {
    const list = element("ul", {}, ...made.map(({ row }) => row));
    document.querySelector(".side-head")?.after(element("section", { class: "notes card" }, element("h2", {}, "Notes"), list));
  }

  return {
    reads: ({ pins }) => [pins],
    render({ pins }) {
      for (const { layer, head, chip } of made) chip.setAttribute("aria-pressed", String(hasPin(pins, { layer, head })));
    },
  };
}
