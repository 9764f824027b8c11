// The connection with the server: what it has, a stream of analyses for each side, the answers of resources and the
// builds of atlases.

import { fetchConfig, fetchMetrics, fetchModels, sendQuestion } from "./api.js";
import { answerQuestions } from "./answer_questions.js";
import { fetchBuild, startBuild, stopBuild } from "./build_api.js";
import { BuildWatch } from "./build_watch.js";
import { Conversation } from "./conversation.js";
import { socketAddress } from "./socket.js";

const RETRY_MS = 2000;

/**
 * @param {Store} store
 * @param {import("./resource.js").Resource<any, any>[]} resources
 * @param {(state: State) => string | null} watchedModel the model whose build matters now
 * @returns {{start: () => void, ask: (side: Side) => void}} asking puts the question in the boxes of a side at once
 */
export function connect(store, resources, watchedModel) {
  const { actions } = store;
  const address = socketAddress("stream");
  const conversations = {
    a: new Conversation("a", address, store, {
      loaded: describe,
      connection(connection) {
        const isBack = connection === "open" && store.state.connection === "lost";
        actions.connect(connection);
        if (isBack) describe();
      },
    }),
    b: new Conversation("b", address, store, { loaded: describe, connection: () => {} }),
  };
  const isSeen = () => document.visibilityState === "visible";
  const builds = new BuildWatch(actions, { fetchBuild, startBuild, stopBuild }, watchedModel, isSeen);
  answerQuestions(store, resources, sendQuestion);

  store.subscribe((state, before) => {
    conversations.a.update();
    if (state.sides.b !== null && state.config !== null) {
      conversations.b.open();
      conversations.b.update();
    } else if (before.sides.b !== null) conversations.b.rest();
    builds.update(state);
  });
  // More is measured: the list says of which models there is an atlas now.
  store.watch(({ build }) => [build.edition], describe);
  document.addEventListener("visibilitychange", () => isSeen() && builds.look());

  /** Of two descriptions under way the later one knows more. */
  let latest = 0;

  /** Learn what the server has; without an answer try again until there is one. */
  async function describe() {
    latest += 1;
    const mine = latest;
    try {
      const told = await Promise.all([fetchModels(), fetchConfig(), store.state.metrics_catalogue ?? fetchMetrics()]);
      if (mine !== latest) return;
      actions.describe(...told);
      conversations.a.open();
    } catch {
      if (mine !== latest) return;
      if (!conversations.a.isOpen) actions.connect("lost");
      setTimeout(describe, RETRY_MS);
    }
  }

  return { start: () => void describe(), ask: (side) => conversations[side].ask() };
}
