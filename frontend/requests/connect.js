// The connection with the server: its models, a stream of analyses for each side, the answers of resources, the builds
// of atlases and the training runs.

import { fetchJson, sendQuestion } from "./api.js";
import { answerQuestions } from "./answer_questions.js";
import { requestBuild } from "./build_api.js";
import { BuildWatch } from "./build_watch.js";
import { Conversation } from "./conversation.js";
import { RunWatch } from "./run_watch.js";
import { Stream, socketAddress } from "./socket.js";
import { requestRun } from "./training_api.js";

const RETRY_MS = 2000;

/**
 * @param {Store} store
 * @param {import("./resource.js").Resource<any, any>[]} resources
 * @param {(state: State) => string | null} watchedModel the model whose build matters now
 * @param {Pick<import("./run_watch.js").RunUse, "watchedRun" | "knownEvents" | "isWaiting">} training which run matters now
 * @returns {{start: () => void, ask: (side: Side) => void}} ask sends the question in the boxes of a side at once
 */
export function connect(store, resources, watchedModel, training) {
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
  const trained = new RunWatch(actions, {
    ...training,
    isWaiting: (state) => isSeen() && training.isWaiting(state),
    request: requestRun,
    connect: (handlers) => new Stream(socketAddress("learn/events"), handlers),
  });
  answerQuestions(store, resources, sendQuestion);

  store.subscribe((state, before) => {
    conversations.a.update();
    if (state.sides.b !== null && state.config !== null) {
      conversations.b.open();
      conversations.b.update();
    } else if (before.sides.b !== null) conversations.b.rest();
    builds.update(state);
    trained.update(store.state, () => store.state);
  });
  // When more is measured, the list says which models have an atlas now; a run that is done is a model.
  store.watch(({ build, training: { ended } }) => [build.edition, ended], describe);
  document.addEventListener("visibilitychange", () => {
    if (!isSeen()) return;
    builds.askAgain();
    trained.update(store.state, () => store.state);
  });

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
