// Where the browser keeps things for this site. One that forbids it gives a storage that is always empty and takes
// nothing.

/** @type {BrowserStorage} */
const SHUT = {
  getItem: () => null,
  setItem: () => {
    throw new Error("This browser keeps nothing for this page.");
  },
  removeItem: () => {},
};

/** @returns {BrowserStorage} */
export function browserStorage() {
  try {
    return window.localStorage ?? SHUT;
  } catch {
    return SHUT;
  }
}

/**
 * Keep a small habit, such as that the tour was seen; where that cannot be, nothing is lost but the habit.
 * @param {BrowserStorage} storage
 * @param {string} name
 * @param {string} value
 */
export function storePreference(storage, name, value) {
  try {
    storage.setItem(name, value);
  } catch {
    // A full or forbidden storage.
  }
}
