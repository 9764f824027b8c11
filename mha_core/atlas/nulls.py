"""What nulls say: how many roles were found where there are none, and how many to expect."""

from collections.abc import Sequence
from math import exp, lgamma, log

from mha_core.atlas.evidence import AtlasRole, NullResult

_MOST_NAMED = 10
_TAIL = 0.025


def describe_null(
    id: str, what: str, found: Sequence[Sequence[AtlasRole]], *, counts_as_false: bool = True
) -> NullResult:
    """The result of one null: the roles of each run, a head counted once a role."""
    names = [
        f"L{head.layer} H{head.head} {role.label}"
        for roles in found
        for role in roles
        for head in role.heads
    ]
    runs = len(found)
    return NullResult(
        id=id,
        what=what,
        runs=runs,
        roles=len(names),
        found=names[:_MOST_NAMED],
        expected=len(names) / runs,
        upper=poisson_upper(len(names)) / runs,
        counts_as_false=counts_as_false,
    )


def poisson_upper(count: int) -> float:
    """The largest mean for which `count` or fewer events have a chance of 2.5 %: 3.7 for none."""
    low, high = 0.0, 10.0 + 3.0 * count
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(count, middle) > _TAIL else (low, middle)
    return high


def _at_most(count: int, mean: float) -> float:
    """The chance of at most `count` events, P(X <= count), of a Poisson variable."""
    # By logarithms: exp(-mean) is 0 for means above 745.
    return sum(exp(k * log(mean) - mean - lgamma(k + 1)) for k in range(count + 1))
