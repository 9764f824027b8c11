// As much of a document as views need to be drawn without a browser. Importing it puts it in place.

import { drawWhenChanged } from "../../frontend/views/draw_views.js";

class SmallNode {
  childNodes = [];
  contains(other) {
    return this === other || this.childNodes.some((child) => child.contains?.(other));
  }
}

class SmallElement extends SmallNode {
  attributes = new Map();
  listeners = {};
  /** A style that is compared has nothing in it but what was set. */
  style = Object.defineProperty({}, "setProperty", {
    value(name, set) {
      this[name] = set;
    },
  });
  title = "";
  parent = null;
  classes = new Set();

  constructor(tag) {
    super();
    this.tag = tag;
  }
  get classList() {
    const { classes } = this;
    return { add: (name) => classes.add(name), toggle: (name, isOn) => classes[isOn ? "add" : "delete"](name), contains: (name) => classes.has(name) };
  }
  get dataset() {
    const { attributes } = this;
    return new Proxy({}, {
      get: (_, name) => attributes.get(`data-${name}`),
      set: (_, name, value) => Boolean(attributes.set(`data-${name}`, String(value))),
    });
  }
  get hidden() {
    return this.attributes.has("hidden");
  }
  set hidden(isHidden) {
    if (isHidden) this.attributes.set("hidden", "");
    else this.attributes.delete("hidden");
  }
  get textContent() {
    return this.childNodes.map((child) => child.textContent ?? child).join("");
  }
  set textContent(text) {
    this.replaceChildren(text);
  }
  get firstElementChild() {
    return this.childNodes.find((child) => child instanceof SmallElement) ?? null;
  }
  setAttribute(name, value) {
    this.attributes.set(name, value);
    if (name === "class") this.classes = new Set(value.split(" "));
  }
  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }
  removeAttribute(name) {
    this.attributes.delete(name);
  }
  append(...children) {
    for (const child of children) {
      if (!(child instanceof SmallElement)) continue;
      if (child.parent) child.parent.childNodes = child.parent.childNodes.filter((other) => other !== child);
      child.parent = this;
    }
    this.childNodes.push(...children);
  }
  replaceChildren(...children) {
    this.childNodes = [];
    this.append(...children);
  }
  closest(tag) {
    return this.tag === tag ? this : (this.parent?.closest(tag) ?? null);
  }
  /** The first element of a tag below this one; of other selectors none. */
  querySelector(tag) {
    for (const child of this.childNodes) {
      const found = child.tag === tag ? child : child.querySelector?.(tag);
      if (found) return found;
    }
    return null;
  }
  addEventListener(type, listener) {
    (this.listeners[type] ??= []).push(listener);
  }
  getContext() {
    return { fillRect: () => {} };
  }
  scrollIntoView() {}
  getBoundingClientRect() {
    return { left: 0, width: 0 };
  }
  /** What happens on a click, from here upwards. */
  click(more = {}) {
    let isStopped = false;
    const event = { target: this, stopPropagation: () => (isStopped = true), ...more };
    for (let at = this; at !== null && !isStopped; at = at.parent) for (const listener of at.listeners.click ?? []) listener(event);
  }
}

const known = new Map();
globalThis.Node = SmallNode;
globalThis.Element = globalThis.HTMLElement = globalThis.HTMLButtonElement = SmallElement;
globalThis.document = { body: new SmallElement("body"), createElement: (tag) => new SmallElement(tag), getElementById: (id) => known.get(id) ?? null, querySelector: () => null };
globalThis.window = { innerHeight: 100, addEventListener: () => {} };
globalThis.IntersectionObserver = class {
  observe() {}
  disconnect() {}
};

/** An empty page with elements of these ids. */
export function newPage(...ids) {
  known.clear();
  for (const id of ids) known.set(id, new SmallElement("div"));
  return Object.fromEntries(known);
}

/** All elements below one that are of a class. */
export function ofClass(root, name) {
  return root.childNodes.flatMap((child) => (child instanceof SmallElement ? [...(child.classes.has(name) ? [child] : []), ...ofClass(child, name)] : []));
}

/** Draw views now and after every change of a store. */
export function drawOn(store, views, theme = {}) {
  const draws = views.map(drawWhenChanged);
  const draw = () => draws.forEach((one) => one(store.state, theme));
  store.subscribe(draw);
  draw();
}
