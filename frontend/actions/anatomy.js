// The actions of the tab Anatomy that no link carries: where the pointer is, answers to exercises, the timed loop.

/** @typedef {import("../anatomy/trail.js").Spot} Spot */

/** @param {Holder} holder */
export function anatomyActions(holder) {
  /** @param {Partial<State["anatomy"]>} patch */
  const change = (patch) => holder.update({ anatomy: { ...holder.state.anatomy, ...patch } });
  const key = (/** @type {Spot | null} */ spot) => JSON.stringify(spot);

  return {
    /** @param {Spot | null} pointed the number under the pointer */
    pointAtNumber(pointed) {
      if (key(pointed) !== key(holder.state.anatomy.pointed)) change({ pointed, ...(pointed === null ? { asked: null } : {}) });
    },
    /** The pointer stays: what the number was computed from is asked for. */
    askNumber() {
      const { pointed } = holder.state.anatomy;
      if (key(pointed) !== key(holder.state.anatomy.asked)) change({ asked: pointed });
    },
    /** @param {State["anatomy"]["loop"]} loop */
    setLoop: (loop) => change({ loop }),
    /** @param {string} id @param {Partial<import("../anatomy/exercises.js").Attempt>} attempt */
    attempt(id, attempt) {
      const { attempts } = holder.state.anatomy;
      change({ attempts: { ...attempts, [id]: { ...(attempts[id] ?? { given: "", sent: null, n: 0 }), ...attempt } } });
    },
    /** @param {State["anatomy"]["right"]} right the exercises that were answered rightly */
    setRight: (right) => change({ right }),
  };
}
