// The export dialog: a preview, and a button for each format.

import { IMAGE_SCALES, contentOf } from "../export/content.js";
import { isDrawable } from "../export/figure_page.js";
import { FORMATS, KINDS, isReady } from "../export/formats.js";
import { saveFile } from "../export/saving.js";
import { element, setText } from "../page/dom.js";
import { BASE } from "../requests/wire.js";
import { button } from "./parts/button.js";
import { copyBox } from "./parts/copy_box.js";
import { createDialog } from "./parts/dialog.js";
import { segmented } from "./parts/segmented.js";

/** @typedef {import("../export/content.js").Scope} Scope */
/** @typedef {import("../export/formats.js").Format} Format */

const SCOPES = [{ value: "pinned", text: "Pinned maps" }, { value: "grid", text: "All heads" }];

/** @param {Store} store @param {Format[]} [formats] @returns {PageView} */
export function createExport(store, formats = FORMATS) {
  /** @type {Theme | null} */
  let theme = null;
  /** @type {Scope} */
  let scope = "pinned";
  let size = 2;
  /** @type {ExportContent | null} */
  let content = null;

  const dialog = createDialog("export", "Export", {
    opened() {
      scope = "pinned";
      setText(said, "");
      box.root.hidden = true;
      show();
    },
  });
  const scopes = segmented("What to export", SCOPES, (value) => {
    scope = /** @type {Scope} */ (value);
    box.root.hidden = true; // its command is for what was chosen before
    show();
  });
  const sizes = segmented("Size of the PNG", IMAGE_SCALES.map((one) => ({ value: String(one), text: `${one}×` })), (value) => {
    size = Number(value);
    show();
  });
  const canvas = element("canvas", { role: "img" });
  const preview = element("div", { class: "export-preview", tabindex: 0, role: "group", "aria-label": "Preview" }, canvas);
  const about = element("p", { class: "export-about", role: "status" });
  const pixels = element("span", { class: "quiet" });
  const box = copyBox("What was copied");
  const said = element("p", { class: "export-said", role: "status" });
  const buttons = formats.map((format) => {
    return { format, root: button("chip", format.label, () => void save(format), { "data-format": format.id }) };
  });
  const rows = Object.entries(KINDS).map(([makes, kind]) => {
    const id = `export-${kind.title.toLowerCase().replace(" ", "-")}`;
    const controls = buttons.filter(({ format }) => format.makes === makes).map(({ root }) => root);
    const hint = element("p", { class: "hint" });
    const root = element(
      "section",
      { class: "export-row", "aria-labelledby": id },
      element("h3", { id }, kind.title),
      element("div", { class: "export-controls" }, ...controls, ...(makes === "picture" ? [sizes.group, pixels] : [])),
      ...(kind.hint ? [hint] : []),
    );
    return { kind, root, hint };
  });
  dialog.body.append(scopes.group, preview, about, ...rows.map(({ root }) => root), box.root, said);

  /** @param {Format} format made of what is shown now: the page may go on while it is made */
  async function save({ makes, progress = "", make }) {
    setText(said, progress);
    if (content === null) return;
    try {
      const file = await make({ ...content, now: new Date() });
      if (makes === "code") return await box.offer(String(file.content), file.name);
      saveFile(file);
      setText(said, `Saved ${file.name}`);
    } catch (error) {
      setText(said, `That did not work: ${error instanceof Error ? error.message : error}`);
    }
  }

  function show() {
    if (theme === null) return;
    const { state, views } = store;
    if (state.pins.length === 0) scope = "grid";
    const shown = { state, view: views.write(state), server: location.origin + BASE, now: new Date() };
    content = contentOf(shown, theme, { scope, scale: size });
    const { why, missing, picture, scale } = content;
    const nothing = state.pins.length === 0 ? "Pin a map first to export it: click one in the grid. Until then, here are all heads." : "";
    const undrawn = scope === "pinned" ? missing.map(({ title, reason }) => `${title}: ${reason}`) : [];
    setText(about, [why || nothing, ...undrawn, drawPreview(content)].filter(Boolean).join(" "));
    about.hidden = about.textContent === "";

    const tooLarge = IMAGE_SCALES.filter((one) => picture === null || !isDrawable(picture.size, one)).map(String);
    scopes.mark(scope, state.pins.length === 0 ? ["pinned"] : []);
    sizes.mark(String(scale), tooLarge);
    for (const one of sizes.buttons) one.title = one.disabled && picture !== null ? "More pixels than browsers draw: use the SVG." : "";
    for (const { format, root } of buttons) root.disabled = !isReady(format, content);
    for (const { kind, hint } of rows) setText(hint, kind.hint?.(content) ?? "");
  }

  /** @param {ExportContent} drawn @returns {string} why it could not be drawn */
  function drawPreview({ picture, scale }) {
    preview.hidden = picture === null;
    setText(pixels, "");
    if (picture === null) return "";
    preview.hidden = !isDrawable(picture.size, 1);
    if (preview.hidden) return "This figure is too large to preview and for a PNG: use the SVG, or pin fewer maps.";
    picture.draw(canvas, window.devicePixelRatio > 1 && isDrawable(picture.size, 2) ? 2 : 1);
    canvas.setAttribute("aria-label", picture.title);
    const { width, height } = picture.size;
    canvas.style.setProperty("--natural", `${width}px`);
    setText(pixels, [width, height].map((side) => Math.ceil(side * scale).toLocaleString("en")).join(" × ") + " pixels");
    return "";
  }

  return {
    reads: (state, present) => (dialog.root.open ? [present, state] : [present]),
    render(_, present) {
      theme = present;
      if (dialog.root.open) show();
    },
  };
}
