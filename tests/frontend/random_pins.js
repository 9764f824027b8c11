// Made-up panels of every kind: zeros, whole layers, all heads, both sides, each attention, pairs.

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

export function randomWhat(random) {
  if (random.below(3) > 0) return randomSimple(random);
  return { kind: random.pick(["difference", "agreement"]), one: randomSimple(random), other: randomSimple(random) };
}

export function randomPin(random) {
  return { ...randomWhat(random), mode: random.pick(["heatmap", "lines", "table"]) };
}
