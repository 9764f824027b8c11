// Choosing how answers are shown: controls, tabs and what tabs add to the view.

/** @param {Holder} holder */
export function choiceActions({ update }) {
  return {
    /** @param {Partial<Omit<View, "sides">>} choice it changes no question */
    setView: (choice) => update(choice),
    /** @template Value @param {import("../state/choice.js").Choice<Value>} choice what a tab adds to the view @param {Value} value */
    choose: ({ key }, value) => update({ [key]: value }),
    /** @param {string} tab */
    chooseTab: (tab) => update({ tab }),
  };
}
