"""Which head does a task best, and whether that is proven: chosen on one split, scored on another.

A head holds when the lower end of its interval beats the baseline by MARGIN on both splits: the
choosing split alone would reward luck, because hundreds of heads are tried.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import nan

import numpy as np
from numpy.typing import NDArray

from mha_core.atlas.record import RunnerUp
from mha_core.atlas.tally import Integers, Numbers
from mha_core.atlas.wilson import wilson_interval

MARGIN = 0.10
"""By how much the lower bound of an accuracy must beat its baseline."""


@dataclass(frozen=True)
class Counts:
    """Successes of every head, and of the baseline, on the same n cases of one split."""

    hits: Integers | Numbers  # [L, H]
    n: int
    baseline_hits: float  # not whole where a tie counts as its share

    @property
    def baseline(self) -> float:
        """Share the baseline gets right; NaN without cases."""
        return self.baseline_hits / (self.n or nan)

    @property
    def accuracy(self) -> Numbers:
        """Share each head gets right, [L, H]; NaN without cases."""
        return self.hits / (self.n or nan)

    @property
    def interval(self) -> tuple[Numbers, Numbers]:
        """Lower and upper end of the accuracy's 95 % interval, [L, H]."""
        return wilson_interval(self.hits, self.n)

    @cached_property
    def proven(self) -> NDArray[np.bool_]:
        """Which heads [L, H] beat the baseline by the margin, on this split alone."""
        return self.interval[0] > self.baseline + MARGIN


@dataclass(frozen=True)
class DevScore:
    """What a head was chosen by."""

    accuracy: float
    n: int
    baseline: float


@dataclass(frozen=True)
class Score:
    """One head's success on the reporting split, and the baseline's on the same cases."""

    layer: int
    head: int
    accuracy: float
    n: int
    low: float
    high: float
    baseline: float
    lift: float  # accuracy - baseline
    dev: DevScore
    runner_up: RunnerUp | None  # second on the choosing split
    holds: bool


def choose_head(select: Counts, report: Counts) -> Score:
    """The score of the head that is best on the selecting split; both must have cases."""
    ranked = np.argsort(-select.hits, axis=None, kind="stable")  # ties: the earlier head
    places = [divmod(int(place), select.hits.shape[1]) for place in ranked[:2]]
    best, *others = [_score(select, report, *place) for place in places]
    second = [RunnerUp(layer=it.layer, head=it.head, accuracy=it.accuracy) for it in others]
    return replace(best, runner_up=second[0] if second else None)


def find_passing(select: Counts, report: Counts) -> list[Score]:
    """Every head that holds, in the order of the selecting split: it is part of the choice."""
    both = np.argwhere(select.proven & report.proven).tolist()
    found = [_score(select, report, layer, head) for layer, head in both]
    return sorted(found, key=lambda score: -score.dev.accuracy)


def _score(select: Counts, report: Counts, layer: int, head: int) -> Score:
    hits = int(report.hits[layer, head])
    accuracy = hits / report.n
    low, high = map(float, wilson_interval(hits, report.n))
    lift = accuracy - report.baseline
    dev = DevScore(int(select.hits[layer, head]) / select.n, select.n, select.baseline)
    holds = bool(select.proven[layer, head] and report.proven[layer, head])
    return Score(
        layer, head, accuracy, report.n, low, high, report.baseline, lift, dev, None, holds
    )
