// The actions of the Training tab: what is looked at, orders, the events of the run that is followed, the form.

import { NONE, lessonChoice, overlayChoice, overlaidIds, runChoice, scoreChoice, shownLesson, shownRunId, stepChoice, textChoice } from "../training/choices.js";

/** @typedef {import("../requests/training_api.js").RunOrder} RunOrder */
/** @typedef {import("../training/runs.js").RunSummary} RunSummary */

/** @param {Holder} holder */
export function trainingActions(holder) {
  const { update } = holder;
  /** @param {Partial<State["training"]>} patch */
  const change = (patch) => update({ training: { ...holder.state.training, ...patch } });
  /** What belongs to one run is not taken to another. */
  const ANEW = { [stepChoice.key]: null, [textChoice.key]: null, [scoreChoice.key]: null, [overlayChoice.key]: null };
  const quiet = { pointed: null, isPlaying: false, deleting: null, problem: null };

  /** @param {string} run @param {(streamed: import("../training/record.js").Streamed) => Partial<import("../training/record.js").Streamed>} patch */
  function stream(run, patch) {
    const { streamed } = holder.state.training;
    if (streamed?.run === run) change({ streamed: { ...streamed, ...patch(streamed) } });
  }

  /** @param {string} id */
  function chooseLesson(id) {
    update({ ...ANEW, [lessonChoice.key]: id, [runChoice.key]: null, training: { ...holder.state.training, ...quiet } });
  }

  /** @param {string | null} id a run of the lesson on screen stays in it */
  function showRun(id) {
    const { state } = holder;
    const lesson = shownLesson(state);
    const isOfLesson = lesson !== null && id !== null && lesson.runs.includes(id);
    const kept = isOfLesson ? { [textChoice.key]: textChoice.of(state), [scoreChoice.key]: scoreChoice.of(state) } : {};
    update({ ...ANEW, ...kept, [lessonChoice.key]: isOfLesson ? lesson.id : NONE, [runChoice.key]: id, training: { ...state.training, ...quiet } });
  }

  return {
    chooseLesson,
    showRun,
    /** Lay the loss of a run over that of the one on screen, or take it away. @param {string} id */
    toggleOverlay(id) {
      const { state } = holder;
      const ids = overlaidIds(state);
      update({ [overlayChoice.key]: ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id] });
    },
    /** @param {number | null} step null: the last, also when a later one comes */
    showStep: (step) => update({ [stepChoice.key]: step }),
    /** @param {boolean} isPlaying */
    playSteps: (isPlaying) => change({ isPlaying }),
    /** @param {string | null} text */
    showTrainingText: (text) => update({ [textChoice.key]: text, training: { ...holder.state.training, pointed: null } }),
    /** @param {import("../state/state.js").PointedCell | null} pointed */
    pointAtMap: (pointed) => change({ pointed }),

    /** @param {RunOrder} order one at a time */
    orderRun(order) {
      if (holder.state.training.ordered === null) change({ ordered: order, problem: null, deleting: null });
    },
    /** @param {RunOrder} order @param {RunSummary | null} run @param {Problem | null} problem */
    receiveOrder(order, run, problem) {
      const { training } = holder.state;
      change({ ordered: null, problem: problem && { ...problem, order: order.what }, edition: training.edition + 1 });
      if (problem !== null) return;
      if (order.what === "start" && run !== null) {
        change({ isFormOpen: false });
        showRun(run.id);
      } else if (order.what === "delete" && order.run === shownRunId(holder.state)) chooseLesson("pairs");
    },
    /** @param {string | null} run that would be deleted: it is asked for once more */
    askToDelete: (run) => change({ deleting: run }),
    refreshRuns: () => change({ edition: holder.state.training.edition + 1 }),

    /** @param {string} run @param {number} from how many of its events are known */
    followRun(run, from) {
      const { streamed } = holder.state.training;
      change({ streamed: streamed?.run === run ? { ...streamed, state: null, over: null } : { run, from, events: [], state: null, over: null } });
    },
    /** @param {string} run @param {import("../training/record.js").RunEvent} event */
    receiveRunEvent: (run, event) =>
      stream(run, ({ events, state }) => {
        // That it has ended is true when the server says so: its process may still be there.
        const isBegun = event.kind === "state" && (event.state === "queued" || event.state === "running");
        return { events: [...events, event], state: isBegun ? event.state : state };
      }),
    /** What came is no longer true: all events come again. @param {string} run */
    restartRun: (run) => stream(run, () => ({ from: 0, events: [], state: null })),
    /** @param {string} run @param {import("../training/runs.js").RunState | null} state */
    endRun(run, state) {
      const edition = holder.state.training.edition + 1;
      stream(run, () => ({ state: state ?? "stopped", over: edition }));
      change({ edition, ended: holder.state.training.ended + 1 });
    },

    openRunForm: () => change({ isFormOpen: true, problem: null }),
    closeRunForm() {
      if (holder.state.training.isFormOpen) change({ isFormOpen: false, problem: null });
    },
    /** @param {Partial<import("../training/form.js").RunDraft>} typed why the last order was refused is no longer shown */
    draftRun: (typed) => change({ draft: { ...holder.state.training.draft, ...typed }, problem: null }),
  };
}
