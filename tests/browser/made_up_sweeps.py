"""Records of many trainings in the shape that the server gives them, with numbers made up."""

from typing import Any

from mha_core.learn.settings import RunSettings
from mha_core.learn.sweeps import HeadsSweep, PlacedRole, RoleAcrossSeeds, RolesSweep, SweepRun

SETTINGS = RunSettings.model_validate({"task": "language"})
LABELS = {"subject": "verb and subject", "pronoun": "pronoun and its noun"}


def heads_sweep() -> HeadsSweep:
    runs = [
        SweepRun(
            n_heads=n_heads,
            seed=seed,
            loss=1.8 - 0.01 * n_heads + 0.002 * seed,
            accuracy={"subject": 0.99, "pronoun": 0.9 + 0.01 * seed},
            hard_accuracy={"pronoun": 0.8},
            learned_at={"subject": 400 - 20 * seed, "pronoun": None if n_heads == 1 else 500},
            apart=None if n_heads == 1 else 0.3 + 0.01 * seed,
            roles=seed,
        )
        for n_heads in (1, 2, 4, 8, 16, 64)
        for seed in (0, 1, 2)
    ]
    return HeadsSweep(settings=SETTINGS, labels=LABELS, runs=runs)


Heads = list[list[tuple[int, int]]]
"""By seed."""


def roles_sweep() -> RolesSweep:
    def role(name: str, heads: Heads, matched: float | None) -> RoleAcrossSeeds:
        return RoleAcrossSeeds(
            role=name,
            label=LABELS[name],
            placed=[PlacedRole(seed=seed, heads=it) for seed, it in enumerate(heads)],
            n_seeds=sum(map(bool, heads)),
            n_pairs=6,
            matched=matched,
            shuffled=None if matched is None else 0.12,
            shuffled_high=None if matched is None else 0.5,
            same_place=None if matched is None else 0.0,
        )

    return RolesSweep(
        settings=SETTINGS,
        seeds=[0, 1, 2, 3, 4],
        roles=[
            role("subject", [[(1, 0)], [(1, 2)], [(1, 1), (1, 3)], [(1, 0)], [(1, 2)]], 0.9),
            role("pronoun", [[], [], [(1, 0)], [], []], None),
        ],
        matched_distance=0.26,
        shuffled_distance=0.36,
    )


def sweeps() -> dict[str, Any]:
    """The answer of `GET /learn/sweeps`."""
    both = {"heads": heads_sweep(), "roles": roles_sweep()}
    return {name: sweep.model_dump(mode="json") for name, sweep in both.items()}
