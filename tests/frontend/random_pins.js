// Made-up panels of every kind: zeros, whole layers, all heads, both sides, each attention, pairs, overlays.

function randomPlace({ pick }) {
  return { side: pick(["a", "b"]), stack: pick([0, 0, 1, 2]) };
}

/** One head, several as one map, or a rollout. */
export function randomSimple(random) {
  const { below, pick } = random;
  const number = () => pick([0, below(40), 9999]);
  const kind = pick(["head", "head", "mean", "max", "rollout"]);
  const place = randomPlace(random);
  if (kind === "head") return { kind, ...place, layer: number(), head: number() };
  if (kind === "rollout") return { kind, ...place, layer: number() };
  const cells = Array.from({ length: below(4) }, () => ({ layer: number(), head: pick([null, number()]) }));
  return { kind, ...place, cells };
}

/** Two heads or more, each once. */
export function randomOverlay(random) {
  const heads = Array.from({ length: 2 + random.below(6) }, (_, layer) => ({ kind: "head", ...randomPlace(random), layer, head: random.below(40) }));
  return { kind: "overlay", heads };
}

export function randomWhat(random) {
  if (random.below(5) === 0) return randomOverlay(random);
  if (random.below(3) > 0) return randomSimple(random);
  return { kind: random.pick(["difference", "agreement"]), one: randomSimple(random), other: randomSimple(random) };
}

export function randomPin(random) {
  const what = randomWhat(random);
  return { ...what, mode: random.pick(what.kind === "overlay" ? ["lines", "table"] : ["heatmap", "lines", "table"]) };
}
