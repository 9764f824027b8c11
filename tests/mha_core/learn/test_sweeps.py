"""Experiments over many runs: what is counted of them, and the records that come with HeadScope."""

import numpy as np
import pytest

from mha_core.learn import sweeps
from mha_core.learn.settings import RunSettings
from mha_core.learn.sweep_record import RoleAcrossSeeds, read_sweeps
from mha_core.learn.sweeps import HEADS, ROLE_SEEDS, SEEDS, sweep_heads, sweep_roles
from tests.mha_core.learn.conftest import SMALL


@pytest.fixture
def _small_models(monkeypatch: pytest.MonkeyPatch) -> None:
    def settings(seed: int, **sizes: int) -> RunSettings:
        chosen = {name: size for name, size in sizes.items() if name == "n_heads"}
        return RunSettings.model_validate(SMALL.model_dump() | {"seed": seed, **chosen})

    monkeypatch.setattr(sweeps, "_settings", settings)


@pytest.mark.usefixtures("_small_models")
def test_every_number_of_heads_is_trained_from_every_seed() -> None:
    record = sweep_heads(counts=(1, 4), seeds=(0, 1))
    assert [(run.n_heads, run.seed) for run in record.runs] == [(1, 0), (1, 1), (4, 0), (4, 1)]
    one, _, four, _ = record.runs
    assert one.apart is None, "one head is not apart from another"
    assert four.apart is not None
    assert 0 < four.apart < np.log(2)
    assert set(one.accuracy) == set(record.labels) == set(one.learned_at)
    assert set(one.learned_at.values()) == {None}, "forty steps are not enough"


@pytest.mark.usefixtures("_small_models")
def test_matched_heads_are_nearer_than_any() -> None:
    record = sweep_roles(seeds=(0, 1, 2))
    assert record.matched_distance < record.shuffled_distance


def across(held: list[list[int]], partners: list[int]) -> RoleAcrossSeeds:
    """A role held by these heads in two seeds, with this matching from the first to the second."""
    back = np.argsort(partners)
    matching = {(0, 1): np.array(partners), (1, 0): back}
    rng = np.random.default_rng(0)
    return sweeps._across_seeds("r", "R", held, [0, 1], matching, 2, rng)


def test_a_role_is_found_again_where_the_matched_head_has_it() -> None:
    moved = across([[0], [3]], partners=[3, 1, 2, 0])
    assert (moved.matched, moved.same_place, moved.n_seeds, moved.n_pairs) == (1.0, 0.0, 2, 2)
    assert [it.heads for it in moved.placed] == [[(0, 0)], [(1, 1)]]
    lost = across([[0], [3]], partners=[1, 0, 2, 3])
    assert lost.matched == 0.0
    assert lost.shuffled == pytest.approx(1 / 4, abs=0.02), "one of four heads, by chance"
    assert lost.shuffled_high == 1.0


def test_a_role_of_one_seed_alone_cannot_be_matched() -> None:
    alone = across([[1], []], partners=[0, 1, 2, 3])
    assert (alone.n_seeds, alone.n_pairs, alone.matched, alone.shuffled) == (1, 0, None, None)


def test_the_shipped_records_have_all_runs() -> None:
    record = read_sweeps()
    runs = [(run.n_heads, run.seed) for run in record.heads.runs]
    assert runs == [(heads, seed) for heads in HEADS for seed in SEEDS]
    assert record.roles.seeds == [*ROLE_SEEDS]
    assert all(len(role.placed) == len(ROLE_SEEDS) for role in record.roles.roles)
