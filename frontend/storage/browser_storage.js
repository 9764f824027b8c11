// The browser's storage for this site. If the browser forbids it, a storage that is always empty and takes nothing.

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

/** Store a preference if the browser allows it. @param {BrowserStorage} storage @param {string} name @param {string} value */
export function storePreference(storage, name, value) {
  try {
    storage.setItem(name, value);
  } catch {
    // A full or forbidden storage.
  }
}
