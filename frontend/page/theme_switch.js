// Light or dark: the stored choice, the system's setting, and the page's colours for canvases.

import { element } from "./dom.js";

/** @typedef {import("../maps/color.js").ThemeName} ThemeName */
/** @typedef {"auto" | ThemeName} ThemeChoice */
/** @typedef {ReturnType<typeof readPalette>} Palette */

const KEY = "headscope.theme";
/** @type {ThemeChoice[]} */
export const CHOICES = ["auto", "light", "dark"];

export class ThemeSwitch {
  choice = storedChoice();

  /** @param {() => void} changed called whenever another theme is to be shown */
  constructor(changed) {
    this.changed = changed;
    this.system = window.matchMedia("(prefers-color-scheme: dark)");
    this.system.addEventListener("change", changed);
    this.#show();
  }

  /** @returns {ThemeName} */
  get theme() {
    if (this.choice !== "auto") return this.choice;
    return this.system.matches ? "dark" : "light";
  }

  /** @param {ThemeChoice} choice */
  choose(choice) {
    this.choice = choice;
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // A browser that keeps nothing still shows the choice until the page is closed.
    }
    this.#show();
    this.changed();
  }

  #show() {
    if (this.choice === "auto") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.dataset.theme = this.choice;
  }
}

/** @returns {ThemeChoice} */
function storedChoice() {
  try {
    const value = localStorage.getItem(KEY);
    return CHOICES.find((choice) => choice === value) ?? "auto";
  } catch {
    return "auto";
  }
}

/** The style sheet's colours, for drawing on canvases. */
export function readPalette() {
  // A variable keeps both colours of `light-dark()`; only a property that is a colour resolves to one of them.
  const probe = element("i", { hidden: true });
  // Canvases draw in the page's own colours, also where people have set the colours of all text.
  probe.style.setProperty("forced-color-adjust", "none");
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const read = (/** @type {string} */ name) => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const palette = {
    ink: read("ink"),
    muted: read("muted"),
    line: read("line"),
    surface: read("surface"),
    accent: read("accent"),
    on_accent: read("on-accent"),
    outside: read("outside"),
    tones: [1, 2, 3, 4, 5, 6, 7].map((number) => read(`tone-${number}`)), // of groups and classes, which have letters too
    on_tone: read("on-tone"),
    font: getComputedStyle(document.body).fontFamily,
  };
  probe.remove();
  return palette;
}
