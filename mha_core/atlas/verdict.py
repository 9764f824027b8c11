"""Which head does a task best, and whether that is proven: chosen on one half, reported on another.

A head passes when the lower end of its interval beats the baseline by MARGIN on both halves: the
choosing half alone would reward luck, for hundreds of heads are tried. This file must not know
what the task is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mha_core.atlas.roles import MARGIN
from mha_core.atlas.wilson import wilson


@dataclass(frozen=True)
class Counts:
    """Successes of every head, and of the baseline, on the same n cases of one half."""

    hits: NDArray[np.int64]  # [L, H]
    n: int
    baseline_hits: float  # not whole where a tie counts as its share

    @property
    def baseline(self) -> float:
        """Share the baseline gets right; NaN without cases."""
        return self.baseline_hits / self.n if self.n else float("nan")

    def proven(self) -> NDArray[np.bool_]:
        """Which heads [L, H] beat the baseline by the margin, on this half alone."""
        low, _ = wilson(self.hits, self.n)
        return low > self.baseline + MARGIN


@dataclass(frozen=True)
class Chosen:
    """What the choice of a head was made on."""

    accuracy: float
    n: int
    baseline: float


@dataclass(frozen=True)
class Score:
    """One head's success on the reporting half, and the baseline's on the same cases."""

    layer: int
    head: int
    accuracy: float
    n: int
    low: float
    high: float
    baseline: float
    lift: float  # accuracy - baseline
    dev: Chosen


@dataclass(frozen=True)
class RunnerUp:
    """The head that came second on the choosing half, with its reported accuracy."""

    layer: int
    head: int
    accuracy: float


@dataclass(frozen=True)
class Verdict(Score):
    """The chosen head's score, and whether it holds."""

    runner_up: RunnerUp | None  # None in a model of one head
    holds: bool


def score(select: Counts, report: Counts, layer: int, head: int) -> Score:
    """The score of one head on the reporting half, with what it had on the selecting one."""
    hits = int(report.hits[layer, head])
    accuracy = hits / report.n
    low, high = map(float, wilson(hits, report.n))
    lift = accuracy - report.baseline
    dev = Chosen(int(select.hits[layer, head]) / select.n, select.n, select.baseline)
    return Score(layer, head, accuracy, report.n, low, high, report.baseline, lift, dev)


def passing(select: Counts, report: Counts) -> list[Score]:
    """Every head that beats the baseline by the margin on both halves.

    Best on the selecting half first: who is best is part of the choice, not of the report.
    """
    both = select.proven() & report.proven()
    found = [score(select, report, int(layer), int(head)) for layer, head in np.argwhere(both)]
    return sorted(found, key=lambda score: -score.dev.accuracy)


def verdict(select: Counts, report: Counts) -> Verdict:
    """The head that is best on the selecting half, judged on the reporting half.

    Both halves must have cases.
    """
    n_heads = select.hits.shape[1]
    ranked = np.argsort(-select.hits, axis=None, kind="stable")  # ties: the earlier head
    best = [score(select, report, *divmod(int(place), n_heads)) for place in ranked[:2]]
    layer, head = best[0].layer, best[0].head
    return Verdict(
        **vars(best[0]),
        runner_up=RunnerUp(best[1].layer, best[1].head, best[1].accuracy) if best[1:] else None,
        holds=bool((select.proven() & report.proven())[layer, head]),
    )
