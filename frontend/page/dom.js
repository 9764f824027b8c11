// Building page elements. All text goes in as text nodes, so no token can become markup.

/**
 * Make one element. `on…` attributes with a function become listeners, `true` a bare attribute,
 * `false`, `null` and `undefined` no attribute at all.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined | EventListener>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children);
  return made;
}

/**
 * The element of the page with this id; a missing one is a mistake in index.html.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} #${id}`);
  return found;
}

/** Write text only when it differs, so that screen readers and layout are left in peace. @param {Element} target @param {string} text */
export function setText(target, text) {
  const only = target.childNodes.length === 1 ? target.childNodes[0] : null;
  // Changing a text node costs the browser less than replacing it.
  if (only?.nodeName === "#text") {
    if (only.nodeValue !== text) only.nodeValue = text;
  } else if (target.textContent !== text) target.textContent = text;
}

/** Hide or show only what is not so already: writing the attribute again makes the browser compute styles again. @param {HTMLElement} target @param {boolean} isHidden */
export function setHidden(target, isHidden) {
  if (target.hidden !== isHidden) target.hidden = isHidden;
}

/** Write an attribute only when it differs. @param {Element} target @param {string} name @param {string} value */
export function setAttribute(target, name, value) {
  if (target.getAttribute(name) !== value) target.setAttribute(name, value);
}

/** A message of the server, its `commands` between backticks as code elements. @param {string} text @returns {(Node | string)[]} */
export function withCode(text) {
  // A line must not end inside a word of a command, such as `--option`.
  const words = (/** @type {string} */ command) =>
    command.split(" ").flatMap((word, at) => [...(at > 0 ? [" "] : []), element("span", {}, word)]);
  return text.split("`").map((part, at) => (at % 2 === 1 ? element("code", {}, ...words(part)) : part));
}

/**
 * Give a canvas a size in CSS pixels with crisp device pixels behind it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @returns {CanvasRenderingContext2D} a cleared context that draws in CSS pixels
 */
export function sizeCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const deviceWidth = Math.max(1, Math.round(width * ratio));
  const deviceHeight = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = drawingContext(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Copy a picture onto a canvas, device pixel by pixel. @param {CanvasRenderingContext2D} context @param {HTMLCanvasElement} picture */
export function layPicture(context, picture) {
  context.save();
  context.resetTransform();
  context.drawImage(picture, 0, 0);
  context.restore();
}

/** @param {HTMLCanvasElement} canvas @returns {CanvasRenderingContext2D} */
export function drawingContext(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser gives no 2D canvas.");
  return context;
}
