// A pointer that rests on a head, unlike one that passes over it, wants its exact values.

const REST_MS = 150;

/** @param {Store} store */
export function noteRest(store) {
  let timer = 0;
  let { cursor } = store.state;
  store.subscribe((state) => {
    if (state.cursor === cursor) return;
    cursor = state.cursor;
    clearTimeout(timer);
    if (cursor !== null) timer = setTimeout(() => store.actions.rest(), REST_MS);
  });
}
