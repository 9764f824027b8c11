// How matrices move from step to step: those in both move, new ones grow out of what they are computed from, the others
// fade. Who wants less motion sees the next step at once.

const MS = 520;
const EASING = "cubic-bezier(0.3, 0, 0.2, 1)";
const isStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {{left: number, top: number, width: number, height: number}} Rect */

/** @param {HTMLElement} target @returns {Rect} where it is laid out, without any motion under way */
export function rectOf(target) {
  return { left: target.offsetLeft, top: target.offsetTop, width: target.offsetWidth, height: target.offsetHeight };
}

/** @param {Rect} from @param {Rect} to */
function between(from, to) {
  const [x, y] = [from.left - to.left, from.top - to.top];
  return `translate(${x}px, ${y}px) scale(${from.width / Math.max(1, to.width)}, ${from.height / Math.max(1, to.height)})`;
}

/** Let an element come from another place. @param {HTMLElement} target @param {Rect} from */
export function move(target, from) {
  const to = rectOf(target);
  if (isStill() || (from.left === to.left && from.top === to.top && from.width === to.width && from.height === to.height)) return;
  target.animate([{ transform: between(from, to) }, { transform: "none" }], { duration: MS, easing: EASING });
}

/** Let a new element grow, out of others or in its place. @param {HTMLElement} target @param {Rect[]} sources */
export function grow(target, sources) {
  if (isStill()) return;
  const to = rectOf(target);
  const from = sources.length > 0 ? middle(sources, to) : { ...to, left: to.left + 0.2 * to.width, top: to.top + 0.2 * to.height, width: 0.6 * to.width, height: 0.6 * to.height };
  const frames = [{ transform: between(from, to), opacity: 0 }, { opacity: 0.4, offset: 0.5 }, { transform: "none", opacity: 1 }];
  target.animate(frames, { duration: MS, delay: 0.25 * MS, easing: EASING, fill: "backwards" });
}

/** A small box in the middle of some. @param {Rect[]} rects @param {Rect} to */
function middle(rects, to) {
  const mean = (/** @type {(rect: Rect) => number} */ read) => rects.reduce((sum, rect) => sum + read(rect), 0) / rects.length;
  const [width, height] = [0.35 * to.width, 0.35 * to.height];
  return { width, height, left: mean(({ left, width: wide }) => left + wide / 2) - width / 2, top: mean(({ top, height: high }) => top + high / 2) - height / 2 };
}

/** Let an element fade, then take it away. @param {HTMLElement} target */
export function fade(target) {
  if (isStill()) return target.remove();
  target.classList.add("leaving");
  const done = target.animate([{ opacity: 1 }, { opacity: 0, transform: "scale(0.9)" }], { duration: 0.5 * MS, easing: EASING, fill: "forwards" });
  done.onfinish = done.oncancel = () => target.remove();
}
