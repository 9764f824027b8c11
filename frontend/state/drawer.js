// Where the browser keeps things for this site. One that forbids it gives a drawer that is always empty and takes
// nothing.

/** @typedef {import("./notes.js").Drawer} Drawer */

/** @type {Drawer} */
const SHUT = {
  getItem: () => null,
  setItem: () => {
    throw new Error("This browser keeps nothing for this page.");
  },
  removeItem: () => {},
};

/** @returns {Drawer} */
export function browserDrawer() {
  try {
    return window.localStorage ?? SHUT;
  } catch {
    return SHUT;
  }
}

/**
 * Keep a small habit, such as that the tour was seen; where that cannot be, nothing is lost but the habit.
 * @param {Drawer} drawer
 * @param {string} name
 * @param {string} value
 */
export function keepHabit(drawer, name, value) {
  try {
    drawer.setItem(name, value);
  } catch {
    // A full or forbidden drawer.
  }
}
