"""When a head gets a label on one sentence, and when a sentence is too short to give one."""

from dataclasses import dataclass
from math import inf
from typing import Literal, NamedTuple, TypeAlias

_ROUNDING = 1e-6  # tolerance of `>=`: nine rows of ten may be slightly below 0.9 in float32

Cases: TypeAlias = Literal["rows", "rows ahead", "rows of a kind", "matches"]
"""What n counts.

rows: every row of a text. rows ahead: the same, but none in a causal model. rows of a kind: every
row of a text that has a token of the kind. matches: rows with a partner, say an earlier copy; a
long text may have few of them too.
"""


class Opportunity(NamedTuple):
    """What a text allows a metric to show, the same for every head; NaN where undefined."""

    n: int  # rows (of `similarity`: pairs) averaged over
    baseline: float  # the value of uniform attention
    ceiling: float  # the highest value any head could have


@dataclass(frozen=True)
class Called:
    """The label of a metric, the rule that gives it to a head, and the rule in words.

    A few tokens leave a head little choice: uniform attention gives half of its weight to the first
    of two. A label therefore needs some cases, and a value well above that of uniform attention.
    """

    label: str
    above: float | None = None  # the value must be above this
    lift: float | None = None  # the value minus its baseline must be above this
    least_n: int = 3
    or_equal: bool = False  # `above` itself is enough
    cases: Cases = "rows"
    replaces: str | None = None  # the metric whose label says the same less strictly

    @property
    def when(self) -> str:
        """The rule in words: "> 0.5, lift > 0.3 and n >= 3"."""
        above = "" if self.above is None else f"{'>=' if self.or_equal else '>'} {self.above:g}"
        lift = "" if self.lift is None else f"lift > {self.lift:g}"
        return f"{', '.join(filter(None, (above, lift)))} and n >= {self.least_n}"

    def bar(self, opportunity: Opportunity) -> float:
        """What a value must be above on a text with this opportunity."""
        if opportunity.n < self.least_n:
            return inf
        least = -inf if self.above is None else self.above
        over_uniform = -inf if self.lift is None else opportunity.baseline + self.lift
        return max(least - _ROUNDING if self.or_equal else least, over_uniform)

    def is_too_short(self, n: int, *, causal: bool) -> bool:
        """Whether n cases are too few because the text has too few tokens."""
        if n >= self.least_n or self.cases == "matches":
            return False
        return n > 0 or self.cases == "rows" or (self.cases == "rows ahead" and not causal)
