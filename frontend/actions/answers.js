// The answers of the server to what resources ask.

/** @typedef {import("../requests/resource.js").AnyKnown} AnyKnown */

/** @param {Holder} holder */
export function answerActions(holder) {
  return {
    /** @param {object} resource @param {ReadonlyMap<string, AnyKnown>} known all that is known of it now */
    keepAnswers(resource, known) {
      const { answers } = holder.state;
      const isSame = answers.get(resource) === known || (known.size === 0 && !answers.has(resource));
      if (!isSame) holder.update({ answers: new Map(answers).set(resource, known) });
    },
    /** The server is back: what it did not answer may be asked again. */
    forgetUnreachable() {
      const answered = (/** @type {ReadonlyMap<string, AnyKnown>} */ known) =>
        new Map([...known].filter(([, { problem }]) => problem?.code !== "unreachable"));
      holder.update({ answers: new Map([...holder.state.answers].map(([resource, known]) => [resource, answered(known)])) });
    },
  };
}
