"""Which head does a task best, and whether that is proven: chosen on one split, scored on another.

A head holds when the lower end of its interval beats the baseline by MARGIN on both splits: the
choosing split alone would reward luck, because hundreds of heads are tried.
"""

from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np
from numpy.typing import NDArray

from mha_core.atlas.record import DevAccuracy, RelationRow, RunnerUp
from mha_core.atlas.relation_words import Direction, describe_relation
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

    @cached_property
    def interval(self) -> tuple[Numbers, Numbers]:
        """Lower and upper end of the accuracy's 95 % interval, [L, H]."""
        return wilson_interval(self.hits, self.n)

    @property
    def proven(self) -> NDArray[np.bool_]:
        """Which heads [L, H] beat the baseline by the margin, on this split alone."""
        return self.interval[0] > self.baseline + MARGIN


@dataclass(frozen=True)
class Task:
    """A relation to follow: what heads and baseline get right of it on both splits."""

    relation: str
    direction: Direction
    offset: int | None  # the baseline, chosen on dev: a fixed offset, None for uniform attention
    dev: Counts
    test: Counts

    def score(self, layer: int, head: int, second: RunnerUp | None = None) -> RelationRow:
        """One head's success; both splits must have cases."""
        dev, test, at = self.dev, self.test, (layer, head)
        fixed = self.offset is not None
        return RelationRow(
            id=f"{self.relation}:{self.direction}",
            relation=self.relation,
            direction=self.direction,
            claim=describe_relation(self.relation, self.direction),
            offset=self.offset,
            against=f"best fixed offset ({self.offset:+d})" if fixed else "uniform attention",
            layer=layer,
            head=head,
            accuracy=test.accuracy[at],
            n=test.n,
            low=test.interval[0][at],
            high=test.interval[1][at],
            baseline=test.baseline,
            lift=test.accuracy[at] - test.baseline,
            dev=DevAccuracy(accuracy=dev.accuracy[at], n=dev.n, baseline=dev.baseline),
            runner_up=second,
            holds=bool(dev.proven[at] and test.proven[at]),
        )


def choose_head(task: Task) -> RelationRow:
    """The score of the head that is best on dev, and which came second."""
    ranked = np.argsort(-task.dev.hits, axis=None, kind="stable")  # ties: the earlier head
    best, *others = [divmod(int(at), task.dev.hits.shape[1]) for at in ranked[:2]]
    seconds = [RunnerUp(layer=at[0], head=at[1], accuracy=task.test.accuracy[at]) for at in others]
    return task.score(*best, *seconds)


def find_passing(task: Task) -> list[RelationRow]:
    """Every head that holds, in the order of dev: it is part of the choice."""
    both = np.argwhere(task.dev.proven & task.test.proven).tolist()
    found = [task.score(layer, head) for layer, head in both]
    return sorted(found, key=lambda row: -row.dev.accuracy)
