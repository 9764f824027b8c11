// The actions of measuring a model's heads: its panel, what was requested, what the server reports.

import { atlasOfModel } from "../heads/atlas.js";

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
    /** @param {"start" | "stop"} what */
    orderBuild(what) {
      const { open, ordered } = holder.state.build;
      if (open !== null && ordered === null) change({ ordered: { what, model: open }, problem: null });
    },
    /** @param {{status: BuildStatus | null, problem: Problem | null}} received */
    receiveBuild({ status, problem }) {
      const { build } = holder.state;
      if (status === null) return change({ ordered: null, problem });
      const before = build.status?.model === status.model ? build.status : null;
      const known = atlasOfModel(holder.state, status.model);
      const isMore = before ? measuredKey(before) !== measuredKey(status) : known !== null && lacks(known, status);
      // A refusal stays on screen while the build it is about continues.
      const isRefusal = build.ordered === null && build.problem?.code !== "unreachable";
      change({ status, ordered: null, problem: isRefusal ? build.problem : null, edition: build.edition + Number(isMore) });
    },
  };
}

/** @param {BuildStatus} status what changes whenever a section was measured */
function measuredKey({ sections, build }) {
  return JSON.stringify([build.state, build.section, sections.map(({ measured }) => measured)]);
}

/** Whether something measured is not in the atlas yet. @param {{answer: Atlas | null}} known @param {BuildStatus} status */
function lacks({ answer }, { sections }) {
  return sections.some(({ section, measured }) => measured !== null && answer?.sections[section] === undefined);
}
