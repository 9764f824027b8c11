"""Heads against simple rules on the same cases: does a head know more than a rule that cannot read?

The rule is the one that does best on dev, with a second one where it chooses nothing, and its test
score is the baseline. Head and rule are compared case by case, so that the sampling error of both
counts. A head wins when it is ahead by MARGIN, with the lower end of the 95 % interval of that
difference at least LEAST, on dev and again on test: on dev alone the best of hundreds of heads
would win by luck.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mha_core.atlas.bootstrap import bootstrap_interval, group_sums
from mha_core.atlas.tally import Integers, Numbers

MARGIN = 0.10
"""By how much a head must be ahead of the best rule."""
LEAST = 0.05
"""Where the interval of that difference may begin at the lowest."""
MIN_N = 100
"""Cases that either split needs: fewer prove nothing."""

Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Answers:
    """Whether each head and each rule is right, on the cases of one split."""

    heads: Booleans  # [N, P]: the heads of all layers in a row
    rules: Booleans  # [N, R]
    group: Integers  # [N]: sentence or document of each case
    silent: Booleans | None = None  # [N, R]: where a rule chooses nothing; None: it always does

    def __len__(self) -> int:
        return len(self.group)

    @cached_property
    def accuracy(self) -> Numbers:
        """Of each head, [P]."""
        share: Numbers = self.heads.mean(0)
        return share

    @cached_property
    def rule_accuracy(self) -> Numbers:
        """Of each rule, [R]."""
        share: Numbers = self.rules.mean(0)
        return share


@dataclass(frozen=True)
class Lead:
    """How far a head is ahead of a rule on one split, with the 95 % interval."""

    n: int
    accuracy: float
    rule_accuracy: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        return self.accuracy - self.rule_accuracy

    @property
    def holds(self) -> bool:
        return bool(_reaches(self.difference, MARGIN) and _reaches(self.low, LEAST))


@dataclass(frozen=True, eq=False)
class Contest:
    """One task on both splits; both must have cases."""

    dev: Answers
    test: Answers

    @property
    def has_cases(self) -> bool:
        return min(len(self.dev), len(self.test)) >= MIN_N

    @property
    def rule(self) -> int:
        """The rule that is best on dev, the first in a tie."""
        return self._rules[0]

    @property
    def second(self) -> int | None:
        """The rule asked where that one chooses nothing, because a head always chooses."""
        return self._rules[1]

    @cached_property
    def _rules(self) -> tuple[int, int | None]:
        """The best rule, or pair of a rule and a second one, on dev."""
        right, silent = self.dev.rules, self.dev.silent
        alone = right.sum(0)  # [R]
        if silent is not None:
            added = silent.T.astype(np.float32) @ right.astype(np.float32)  # [R, R]
            pairs = alone[:, None] + added
            first, second = divmod(int(pairs.argmax()), pairs.shape[1])
            if pairs[first, second] > alone.max():
                return first, second
        return int(alone.argmax()), None

    def rule_right(self, split: Answers) -> Booleans:
        """Where the best rule, with its second, is right, [N]."""
        right = split.rules[:, self.rule]
        if self.second is not None and split.silent is not None:
            right = right | (split.silent[:, self.rule] & split.rules[:, self.second])
        return right

    def rule_accuracy(self, split: Answers) -> float:
        return float(self.rule_right(split).mean())

    @cached_property
    def winners(self) -> list[int]:
        """Heads that are ahead on both splits, best on dev first."""
        ahead = [
            _reaches(split.accuracy - self.rule_accuracy(split), MARGIN)
            for split in (self.dev, self.test)
        ]
        possible = np.flatnonzero(ahead[0] & ahead[1])  # the bootstrap is only for these
        if not len(possible):
            return []
        holds = np.logical_and.reduce(
            [
                _reaches(_intervals(split, possible, self.rule_right(split))[0], LEAST)
                for split in (self.dev, self.test)
            ]
        )
        won = possible[holds]
        return [int(head) for head in won[np.argsort(-self.dev.accuracy[won], kind="stable")]]

    @property
    def ranking(self) -> list[int]:
        """All heads, best on dev first."""
        return [int(head) for head in np.argsort(-self.dev.accuracy, kind="stable")]

    def lead(self, head: int, split: Answers) -> Lead:
        """One head against the best rule."""
        (low,), (high,) = _intervals(split, np.array([head]), self.rule_right(split))
        return Lead(
            n=len(split),
            accuracy=float(split.accuracy[head]),
            rule_accuracy=self.rule_accuracy(split),
            low=float(low),
            high=float(high),
        )


def _intervals(split: Answers, heads: Integers, rule: Booleans) -> tuple[Numbers, Numbers]:
    """Ends of the interval of each head's lead over a rule that is right in `rule` [N]."""
    ahead = split.heads[:, heads].astype(np.int8) - rule[:, None].astype(np.int8)
    n = group_sums(np.ones(len(split), np.int8), split.group)
    return bootstrap_interval(group_sums(ahead, split.group), n)


def _reaches(difference: ArrayLike, least: float) -> Booleans:
    """Whether differences are that large; rounding makes .6 - .5 less than .1 by a hair."""
    reached: Booleans = np.round(np.asarray(difference), 6) >= least
    return reached
