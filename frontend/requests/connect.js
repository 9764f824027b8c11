// The connection with the server: its models, a stream of analyses for each side, the answers of resources and the
// builds of atlases.

import { fetchJson, sendQuestion } from "./api.js";
import { answerQuestions } from "./answer_questions.js";
import { requestBuild } from "./build_api.js";
import { BuildWatch } from "./build_watch.js";
import { Conversation } from "./conversation.js";
import { socketAddress } from "./socket.js";

const RETRY_MS = 2000;

/**
 * @param {Store} store
 * @param {import("./resource.js").Resource<any, any>[]} resources
 * @param {(state: State) => string | null} watchedModel the model whose build matters now
 * @returns {{start: () => void, ask: (side: Side) => void}} ask sends the question in the boxes of a side at once
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
  const builds = new BuildWatch(actions, requestBuild, watchedModel, isSeen);
  answerQuestions(store, resources, sendQuestion);

  store.subscribe((state, before) => {
    conversations.a.update();
    if (state.sides.b !== null && state.config !== null) {
      conversations.b.open();
      conversations.b.update();
    } else if (before.sides.b !== null) conversations.b.rest();
    builds.update(state);
  });
  // When more is measured, the list says which models have an atlas now.
  store.watch(({ build }) => [build.edition], describe);
  document.addEventListener("visibilitychange", () => isSeen() && builds.askAgain());

  /** Of two descriptions under way the later one knows more. */
  let latest = 0;

  /** Ask the server what it has, again and again until it answers. */
  async function describe() {
    latest += 1;
    const mine = latest;
    try {
      const { metrics_catalogue } = store.state;
      const answers = await Promise.all([fetchJson("/models"), fetchJson("/config"), metrics_catalogue ?? fetchJson("/metrics")]);
      if (mine !== latest) return;
      actions.describe(...answers);
      conversations.a.open();
    } catch {
      if (mine !== latest) return;
      if (!conversations.a.isOpen) actions.connect("lost");
      setTimeout(describe, RETRY_MS);
    }
  }

  return { start: () => void describe(), ask: (side) => conversations[side].ask() };
}
