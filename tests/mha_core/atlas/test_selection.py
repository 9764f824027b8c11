"""Heads are chosen on one half and judged on the other; what is not proven does not hold."""

import numpy as np
import pytest

from mha_core.atlas.selection import Counts, Task, choose_head, find_passing


def counts(hits: list[list[int]], n: int = 1000, baseline: int = 400) -> Counts:
    return Counts(np.array(hits), n, baseline)


def task(select: Counts, report: Counts) -> Task:
    return Task("obj", "dependent", None, select, report)


def test_the_best_head_of_one_half_is_reported_on_the_other() -> None:
    found = choose_head(
        task(counts([[100, 700], [650, 0]]), counts([[990, 600], [640, 0]], baseline=300))
    )
    assert (found.layer, found.head) == (0, 1)
    assert found.accuracy == pytest.approx(0.6)
    assert found.baseline == pytest.approx(0.3)
    assert found.lift == pytest.approx(0.3)
    assert found.low < 0.6 < found.high
    assert found.holds
    assert found.runner_up is not None
    assert (found.runner_up.layer, found.runner_up.head) == (1, 0)
    assert found.runner_up.accuracy == pytest.approx(0.64)
    assert (found.dev.accuracy, found.dev.n, found.dev.baseline) == pytest.approx((0.7, 1000, 0.4))


@pytest.mark.parametrize(
    ("select", "report", "holds"),
    [(600, 600, True), (520, 600, False), (600, 520, False), (520, 520, False)],
)
def test_the_lower_end_must_beat_the_baseline_by_ten_points_on_both_halves(
    select: int, report: int, holds: bool
) -> None:
    """520 of 1000 is more than 40 % + 10 points, its lower end (.489) is not."""
    halves = task(counts([[select]]), counts([[report]]))
    assert choose_head(halves).holds is holds
    assert len(find_passing(halves)) == holds


def test_few_cases_prove_nothing() -> None:
    assert not choose_head(task(counts([[4]], 4, 2), counts([[4]], 4, 2))).holds


def test_a_model_of_one_head_has_no_runner_up() -> None:
    assert choose_head(task(counts([[600]]), counts([[600]]))).runner_up is None


def test_passing_heads_come_best_of_the_choosing_half_first() -> None:
    found = find_passing(task(counts([[600, 900], [700, 100]]), counts([[800, 600], [700, 900]])))
    assert [(score.layer, score.head) for score in found] == [(0, 1), (1, 0), (0, 0)]
