// How the measuring of a made-up model's heads stands, in the shape the server gives.

const section = (name, more = {}) => ({ section: name, label: `Label of ${name}`, measures: `What ${name} is.`, needs: null, measured: null, ...more });

/** Two sections to measure, one measured, one that cannot be. */
export function buildStatus(build = {}, sections = {}) {
  const all = [
    section("surface", { measured: "2026-01-01", ...sections.surface }),
    section("sink", sections.sink),
    section("syntax", { needs: "needs a treebank", ...sections.syntax }),
    section("similarity", sections.similarity),
  ];
  const idle = { state: "idle", message: "", section: null, sections: [], done: 0, total: 0, started: null, error: null };
  return { model: "both", sections: all, build: { ...idle, ...build } };
}

export const running = (section, more = {}) => buildStatus({ state: "running", section, sections: ["sink", "similarity"], ...more });
