"""The records of the two experiments over many runs, as their files and the API write them."""

from pathlib import Path

from pydantic import Field

from mha_core.atlas.part import Rounded
from mha_core.learn.record import Recorded
from mha_core.learn.settings import RunSettings

RECORDS = Path(__file__).parent / "sweeps"


class SweepRun(Recorded):
    """One trained model of the sweep."""

    n_heads: int
    seed: int
    loss: Rounded
    accuracy: dict[str, Rounded] = Field(description="By relation.")
    hard_accuracy: dict[str, Rounded] = Field(description="Where a nearer word would mislead.")
    learned_at: dict[str, int | None] = Field(
        description="The first checkpoint at which 95 % of a relation's cases fit; null: none."
    )
    apart: Rounded | None = Field(
        description="Mean divergence between two heads of a layer, in nats; null for one head."
    )
    roles: int = Field(description="Heads with a role of the task, above the best rule.")


class HeadsSweep(Recorded):
    """The same model with more and more heads."""

    settings: RunSettings
    labels: dict[str, str]
    runs: list[SweepRun]


class PlacedRole(Recorded):
    """One role in one seed: which heads have it."""

    seed: int
    heads: list[tuple[int, int]]


class RoleAcrossSeeds(Recorded):
    """Whether a role always appears, and whether the matched head has it."""

    role: str
    label: str
    placed: list[PlacedRole]
    n_seeds: int = Field(description="Seeds in which some head has it.")
    n_pairs: int = Field(description="Heads with the role, over pairs of seeds that both have it.")
    matched: Rounded | None = Field(description="How often the matched head has the role, too.")
    shuffled: Rounded | None = Field(description="The same for random matchings: the mean.")
    shuffled_high: Rounded | None = Field(description="And what 97.5 % of them stay below.")
    same_place: Rounded | None = Field(description="How often the head of the same number has it.")


class RolesSweep(Recorded):
    """The same training from several seeds, heads matched by their maps."""

    settings: RunSettings
    seeds: list[int]
    roles: list[RoleAcrossSeeds]
    matched_distance: Rounded = Field(description="Mean divergence of matched heads, in nats.")
    shuffled_distance: Rounded


class Sweeps(Recorded):
    """Both experiments."""

    heads: HeadsSweep
    roles: RolesSweep


def read_sweeps() -> Sweeps:
    """The records that come with HeadScope."""
    texts = {name: (RECORDS / f"{name}.json").read_text("utf-8") for name in ("heads", "roles")}
    return Sweeps(
        heads=HeadsSweep.model_validate_json(texts["heads"]),
        roles=RolesSweep.model_validate_json(texts["roles"]),
    )
