// The dialog with the whole glossary.

import { element } from "../page/dom.js";
import { GLOSSARY } from "../page/glossary.js";
import { createDialog } from "./parts/dialog.js";

/** @returns what opens it */
export function createGlossary() {
  const dialog = createDialog("glossary", "Glossary", { isWide: false });
  const entries = Object.values(GLOSSARY).flatMap(({ name, meaning }) => [element("dt", {}, name), element("dd", {}, meaning)]);
  dialog.body.append(element("dl", { class: "glossary-list" }, ...entries));
  return dialog.open;
}
