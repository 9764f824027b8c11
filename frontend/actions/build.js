// The actions of measuring a model's heads: its panel, what was ordered, what the server says of it.

/** @typedef {{what: "start" | "stop", model: string}} BuildOrder */
/**
 * @typedef {object} BuildWork
 * @property {string | null} open the model whose panel is open; null: none
 * @property {BuildStatus | null} status what the server said last
 * @property {BuildOrder | null} ordered what was asked for and is not answered yet
 * @property {Problem | null} problem why the last request was refused
 * @property {number} edition grows when more may have been measured than the atlas on screen holds
 */

/** @type {BuildWork} */
export const NO_BUILD = { open: null, status: null, ordered: null, problem: null, edition: 0 };

/** @param {Holder} holder */
export function buildActions(holder) {
  /** @param {Partial<BuildWork>} patch */
  const change = (patch) => holder.update({ build: { ...holder.state.build, ...patch } });

  return {
    /** @param {string} model */
    openBuild(model) {
      const { status } = holder.state.build;
      change({ open: model, problem: null, status: status?.model === model ? status : null });
    },
    closeBuild() {
      if (holder.state.build.open !== null) change({ open: null, problem: null });
    },
    /** @param {BuildOrder["what"]} what */
    orderBuild(what) {
      const { open, ordered } = holder.state.build;
      if (open !== null && ordered === null) change({ ordered: { what, model: open }, problem: null });
    },
    /** @param {{status: BuildStatus | null, problem: Problem | null}} received */
    receiveBuild({ status, problem }) {
      const { build, atlas, other } = holder.state;
      if (status === null) return change({ ordered: null, problem });
      const before = build.status?.model === status.model ? build.status : null;
      const known = [atlas, other.atlas].find((one) => one?.model === status.model) ?? null;
      const isMore = before ? measuredKey(before) !== measuredKey(status) : known !== null && lacks(known, status);
      // A refusal stays to be read while the build it speaks of goes on.
      const isRefusal = build.ordered === null && build.problem?.code !== "unreachable";
      const said = isRefusal ? build.problem : null;
      change({ status, ordered: null, problem: said, edition: build.edition + Number(isMore) });
    },
  };
}

/** @param {BuildStatus} status what changes whenever a section was measured */
function measuredKey({ sections, build }) {
  return JSON.stringify([build.state, build.section, sections.map(({ measured }) => measured)]);
}

/** @param {KnownAtlas} known @param {BuildStatus} status whether something measured is not in the atlas yet */
function lacks({ record }, { sections }) {
  return sections.some(({ section, measured }) => measured !== null && record?.sections[section] === undefined);
}
