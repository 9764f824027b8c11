"""Two experiments over many runs: how many heads, and which head does what in which seed.

`python -m mha_core.learn.sweeps` runs both and writes the records that come with HeadScope. The
models themselves are not kept.
"""

import json
from collections.abc import Iterable

import numpy as np
import torch

from mha_core.learn.head_distances import distances, maps_on, match_heads
from mha_core.learn.measure import measure_point
from mha_core.learn.probe import Probe
from mha_core.learn.record import Point
from mha_core.learn.settings import RunSettings
from mha_core.learn.sweep_record import (
    RECORDS,
    HeadsSweep,
    PlacedRole,
    RoleAcrossSeeds,
    RolesSweep,
    SweepRun,
)
from mha_core.learn.trainer import Trainer

D_MODEL = 32  # small, so that the number of heads makes a difference
HEADS = (1, 2, 4, 8, 16, D_MODEL)
SEEDS = (0, 1, 2)
ROLE_SEEDS = (0, 1, 2, 3, 4)
SHUFFLES = 10_000
LEARNED = 0.95


def train_model(settings: RunSettings) -> tuple[Trainer, Probe, list[Point]]:
    """The trained model, and what was measured of it on the way."""
    trainer = Trainer(settings)
    probe, points = Probe.of(trainer.task), list[Point]()
    for step in settings.point_steps:
        while trainer.step < step:
            trainer.advance()
        points.append(measure_point(trainer.model, probe, step))
    return trainer, probe, points


def sweep_heads(counts: Iterable[int] = HEADS, seeds: Iterable[int] = SEEDS) -> HeadsSweep:
    """Train the language with each number of heads, from each seed."""
    runs, labels = list[SweepRun](), dict[str, str]()
    for n_heads in counts:
        for seed in seeds:
            settings = _settings(seed, n_heads=n_heads, d_model=D_MODEL, d_mlp=2 * D_MODEL)
            trainer, probe, points = train_model(settings)
            point = points[-1]
            labels |= {name: it.label for name, it in point.relations.items()}
            runs.append(
                SweepRun(
                    n_heads=n_heads,
                    seed=seed,
                    loss=point.loss,
                    accuracy={name: it.accuracy for name, it in point.relations.items()},
                    hard_accuracy={
                        name: it.hard_accuracy
                        for name, it in point.relations.items()
                        if it.hard_accuracy is not None
                    },
                    learned_at={name: _learned_at(name, points) for name in labels},
                    apart=_mean_distance(trainer, probe),
                    roles=len({(it.layer, it.head) for it in point.roles if it.role in labels}),
                )
            )
            print(runs[-1], flush=True)
    return HeadsSweep(settings=settings, labels=labels, runs=runs)


def _settings(seed: int, **sizes: int) -> RunSettings:
    return RunSettings.model_validate({"task": "language", "seed": seed, **sizes})


def _learned_at(relation: str, points: list[Point]) -> int | None:
    learned = (it.step for it in points if it.relations[relation].accuracy > LEARNED)
    return next(learned, None)


def _mean_distance(trainer: Trainer, probe: Probe) -> float | None:
    n_heads = trainer.settings.n_heads
    if n_heads == 1:
        return None
    maps = maps_on(trainer.model, probe)
    means = []
    for layer in range(trainer.settings.n_layers):
        of_layer = [it[layer * n_heads : (layer + 1) * n_heads] for it in maps]
        apart = distances(of_layer, of_layer)
        means.append(apart[~np.eye(n_heads, dtype=bool)].mean())
    return float(np.mean(means))


def sweep_roles(seeds: Iterable[int] = ROLE_SEEDS) -> RolesSweep:
    """Train the language from each seed and see which head has which role."""
    seeds = [*seeds]
    trained = [train_model(_settings(seed)) for seed in seeds]
    maps = [maps_on(trainer.model, probe) for trainer, probe, _ in trained]
    points = [measured[-1] for _, _, measured in trained]
    n_heads = trained[0][0].settings.n_heads
    pairs = [(a, b) for a in range(len(seeds)) for b in range(len(seeds)) if a != b]
    apart = {(a, b): distances(maps[a], maps[b]) for a, b in pairs}
    matching = {pair: np.array(match_heads(apart[pair])) for pair in pairs}
    labels = {it.role: it.label for point in points for it in point.roles}
    holders = {role: [_holders(point, role, n_heads) for point in points] for role in labels}
    rng = np.random.default_rng(0)
    roles = [
        _across_seeds(role, labels[role], held, seeds, matching, n_heads, rng)
        for role, held in holders.items()
    ]
    n_all = len(maps[0][0])
    return RolesSweep(
        settings=_settings(seeds[0]),
        seeds=seeds,
        roles=sorted(roles, key=lambda it: (-it.n_seeds, it.label)),
        matched_distance=float(
            np.mean([apart[pair][np.arange(n_all), matching[pair]].mean() for pair in pairs])
        ),
        shuffled_distance=float(np.mean([it.mean() for it in apart.values()])),
    )


def _holders(point: Point, role: str, n_heads: int) -> list[int]:
    return [it.layer * n_heads + it.head for it in point.roles if it.role == role]


def _across_seeds(
    role: str,
    label: str,
    held: list[list[int]],
    seeds: list[int],
    matching: dict[tuple[int, int], np.ndarray],
    n_heads: int,
    rng: np.random.Generator,
) -> RoleAcrossSeeds:
    both = [pair for pair in matching if held[pair[0]] and held[pair[1]]]
    cases = [(head, pair) for pair in both for head in held[pair[0]]]
    matched = shuffled = high = same = None
    if cases:
        matched = float(np.mean([matching[p][head] in held[p[1]] for head, p in cases]))
        same = float(np.mean([head in held[p[1]] for head, p in cases]))
        n_all = len(next(iter(matching.values())))
        # A random matching gives a head any partner: drawn anew for each pair of seeds.
        draws = np.zeros(SHUFFLES)
        for pair in both:
            partner = rng.permuted(np.tile(np.arange(n_all), (SHUFFLES, 1)), axis=1)
            for head in held[pair[0]]:
                draws += np.isin(partner[:, head], held[pair[1]])
        shares = draws / len(cases)
        shuffled, high = float(shares.mean()), float(np.quantile(shares, 0.975))
    placed = [
        PlacedRole(seed=seed, heads=[divmod(head, n_heads) for head in heads])
        for seed, heads in zip(seeds, held, strict=True)
    ]
    return RoleAcrossSeeds(
        role=role,
        label=label,
        placed=placed,
        n_seeds=sum(bool(heads) for heads in held),
        n_pairs=len(cases),
        matched=matched,
        shuffled=shuffled,
        shuffled_high=high,
        same_place=same,
    )


def main() -> None:
    """Run both experiments and write their records."""
    torch.set_num_threads(1)
    RECORDS.mkdir(exist_ok=True)
    for name, record in (("roles", sweep_roles()), ("heads", sweep_heads())):
        text = json.dumps(record.model_dump(mode="json"), indent=1)
        (RECORDS / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
