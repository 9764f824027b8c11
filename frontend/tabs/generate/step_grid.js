// A small grid of all heads, each coloured by one weight: as large as the room for it. Pointer and arrow keys move over it.

import { inkOn } from "../../drawing/grid_cells.js";
import { shortWeight } from "../../generate/step_rows.js";
import { element, sizeCanvas } from "../../page/dom.js";
import { codeOfWeight } from "../../requests/wire.js";
import { headPins } from "../../state/pins.js";
import { ARROW_STEPS } from "../../views/parts/arrow_steps.js";

/** @typedef {import("./step_heads.js").Drawn} Drawn */

const LEFT = 28; // room for the names of layers
const TOP = 18;
const TALLEST = 20;
const ROOM_FOR_TEXT = 10;

/** @param {{point: (cell: Cell | null) => void, pin: (cell: Cell) => void, cursor: () => Cell | null, redraw: () => void}} use */
export function createStepGrid({ point, pin, cursor: cursorNow, redraw }) {
  const canvas = element("canvas", { tabindex: 0, role: "img", class: "step-grid" });
  const box = element("div", { class: "step-box" }, canvas);
  /** @type {{n_layers: number, n_heads: number, wide: number, tall: number} | null} pixels from one head to the next */
  let geometry = null;
  new ResizeObserver(redraw).observe(box);

  /** @param {MouseEvent} event @returns {Cell | null} */
  function cellAt({ offsetX, offsetY }) {
    if (geometry === null) return null;
    const { n_layers, n_heads, wide, tall } = geometry;
    const [head, layer] = [Math.floor((offsetX - LEFT) / wide), Math.floor((offsetY - TOP) / tall)];
    return head >= 0 && head < n_heads && layer >= 0 && layer < n_layers ? { layer, head } : null;
  }
  canvas.addEventListener("pointermove", (event) => point(cellAt(event)));
  for (const type of ["pointerleave", "blur"]) canvas.addEventListener(type, () => point(null));
  canvas.addEventListener("click", (event) => {
    const cell = cellAt(event);
    if (cell) pin(cell);
  });
  canvas.addEventListener("keydown", (event) => {
    const cursor = cursorNow();
    const move = ARROW_STEPS[event.key];
    if (move && geometry) {
      const { n_layers, n_heads } = geometry;
      const within = (/** @type {number} */ at, /** @type {number} */ count) => Math.min(count - 1, Math.max(0, at));
      const { layer, head } = cursor ?? { layer: -move[0], head: -move[1] };
      point({ layer: within(layer + move[0], n_layers), head: within(head + move[1], n_heads) });
    } else if (cursor && (event.key === "Enter" || event.key === " ")) pin(cursor);
    else return;
    event.preventDefault();
  });

  return {
    box,
    canvas,
    /** @param {Drawn} shown @param {SideView} side @param {Theme} theme */
    draw({ step, looks, watched, isDim }, { pins, cursor }, { palette, scale }) {
      const { n_layers, n_heads } = step;
      box.style.setProperty("--layers", String(n_layers));
      const wide = (box.clientWidth - LEFT) / n_heads;
      const tall = Math.min(TALLEST, Math.floor((box.clientHeight - TOP) / n_layers));
      geometry = { n_layers, n_heads, wide, tall };
      const context = sizeCanvas(canvas, box.clientWidth, TOP + n_layers * tall);
      const [width, height] = [wide - 1, tall - 1];
      const corner = (/** @type {number} */ at) => ({ x: LEFT + (at % n_heads) * wide, y: TOP + Math.floor(at / n_heads) * tall });
      context.textBaseline = "middle";
      context.textAlign = "center";
      context.font = `${Math.min(11, height - 1)}px ${palette.font}`;
      looks.forEach((look, at) => {
        const { x, y } = corner(at);
        const { css } = look && isDim(look.key) ? scale.dimmed : scale;
        const colour = look ? css[codeOfWeight(look.weight)] : palette.outside;
        context.fillStyle = colour;
        context.fillRect(x, y, width, height);
        if (!look || height < ROOM_FOR_TEXT) return;
        const text = watched === null ? String(look.key) : shortWeight(look.weight);
        if (context.measureText(text).width > width - 2) return;
        context.fillStyle = inkOn(colour);
        context.fillText(text, x + width / 2, y + height / 2 + 0.5);
      });
      context.fillStyle = palette.muted;
      context.font = `10px ${palette.font}`;
      const every = (/** @type {number} */ pitch, /** @type {number} */ needed) => Math.max(1, Math.ceil(needed / pitch));
      for (let head = 0; head < n_heads; head += every(wide, 20)) context.fillText(`H${head}`, corner(head).x + width / 2, 8);
      context.textAlign = "right";
      for (let layer = 0; layer < n_layers; layer += every(tall, 11)) context.fillText(`L${layer}`, LEFT - 5, corner(layer * n_heads).y + height / 2);
      context.lineWidth = 2;
      for (const marked of [...headPins(pins), ...(cursor ? [cursor] : [])]) {
        const { x, y } = corner(marked.layer * n_heads + marked.head);
        context.strokeStyle = marked === cursor ? palette.ink : palette.accent;
        context.strokeRect(x, y, width, height);
      }
    },
  };
}
