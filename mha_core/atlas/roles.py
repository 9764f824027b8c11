"""Roles of heads: what a head may be called, the evidence it takes, and the sentence that tells it.

A role is a claim with a measured value, the number of cases, a 95 % interval and the baseline it
beats; a head that meets no rule is unassigned. This file must not know models, corpora or how
anything was measured.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

MARGIN = 0.10
"""By how much the lower bound of an accuracy must beat its baseline."""


@dataclass(frozen=True)
class Group:
    """Roles of one kind, and the letter that stands for them."""

    id: str
    label: str
    letter: str
    meaning: str


GROUPS = (
    Group("syntax", "Syntax", "S", "links words by a grammatical relation"),
    Group("coreference", "Coreference", "C", "links a pronoun to the name it stands for"),
    Group("copy", "Copy", "R", "finds an earlier copy of the token, or what followed it"),
    Group("rare", "Rare words", "W", "attends most to the rarest word of the sentence"),
    Group("local", "Local context", "L", "looks at a neighbour, itself or the same word"),
    Group("delimiter", "Delimiter", "D", "looks at special tokens or punctuation"),
    Group("sink", "Sink", "F", "rests on the first token"),
)


@dataclass(frozen=True)
class Measure:
    """One number a head from a corpus, flattened: place = layer x heads + head."""

    label: str
    meaning: str
    unit: str
    n: int
    baseline: float | None
    values: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    confirmed: NDArray[np.bool_] | None = None  # where it also held on the data heads are chosen on
    ranking: Numbers | None = None  # the values on that data; heads are ordered by them
    against: str = "uniform attention"  # what the baseline is of


@dataclass(frozen=True)
class Evidence:
    """Why one head has a role; flat, as it goes into the record."""

    layer: int
    head: int
    value: float
    n: int
    low: float | None
    high: float | None
    baseline: float | None
    split: str
    evidence: str
    rank: float  # what heads are ordered by: the lift on the data they are chosen on

    @property
    def lift(self) -> float | None:
        """How far the value is above what needs no head; None where that is not known."""
        return None if self.baseline is None else self.value - self.baseline

    def record(self) -> dict[str, Any]:
        """For the file."""
        numbers = {
            name: None if value is None or np.isnan(value) else round(float(value), 4)
            for name in ("value", "low", "high", "baseline", "lift")
            for value in (getattr(self, name),)
        }
        return {
            "layer": self.layer, "head": self.head, "n": self.n, **numbers,
            "split": self.split, "evidence": self.evidence,
        }  # fmt: skip


@dataclass(frozen=True)
class Role:
    """A claim and the heads that it was shown for, best first."""

    id: str
    group: str
    label: str
    claim: str
    heads: tuple[Evidence, ...]

    def record(self) -> dict[str, Any]:
        """For the file."""
        heads = [head.record() for head in self.heads]
        return {
            "id": self.id, "group": self.group, "label": self.label, "claim": self.claim,
            "heads": heads,
        }  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """When a measure makes a role."""

    measure: str
    group: str
    label: str
    claim: str
    threshold: float
    above_baseline: bool = False  # the threshold is a lift over the baseline
    split: str = "the dev set"
    cases: str = "rows"  # what n counts


RULES = (
    Rule("previous", "local", "previous token", "each token → the one before it", 0.5),
    Rule("next", "local", "next token", "each token → the one after it", 0.5),
    Rule("self", "local", "itself", "each token → itself", 0.5),
    Rule("current_word", "local", "same word", "later pieces of a word → earlier ones", 0.5),
    Rule("special", "delimiter", "special tokens", "tokens → special tokens", 0.6),
    Rule("punctuation", "delimiter", "punctuation", "tokens → punctuation", 0.6),
    Rule("sink64", "sink", "first token", "tokens → the first token", 0.3,
         cases="windows of 64 tokens"),
    Rule("duplicate", "copy", "earlier copy", "tokens → earlier equal tokens", 0.3, True),
    Rule("induction", "copy", "after an earlier copy",
         "tokens → what followed earlier equal tokens", 0.3, True),
    Rule("synthetic_previous", "local", "previous token (random text)",
         "random tokens → the one before", 0.3, split="random tokens, repeated"),
    Rule("synthetic_duplicate", "copy", "earlier copy (random text)",
         "repeated random tokens → their first copy", 0.3, split="random tokens, repeated"),
    Rule("synthetic_induction", "copy", "induction",
         "repeated random tokens → what followed their first copy", 0.3,
         split="random tokens, repeated"),
    Rule("rare_word", "rare", "rarest word", "the sentence → its rarest word", MARGIN, True,
         split="the test set"),
    Rule("gap", "coreference", "pronoun → name", "pronouns → the name they stand for", MARGIN, True,
         split="the odd lines of GAP"),
)  # fmt: skip
CLEAR = 0.1
"""From here on a copying sign says anything."""
STRONG = 0.7
"""From here on a synthetic score is called strong; below it, from 0.3, partial."""


def percent(share: float) -> str:
    """For people: 61 %."""
    return f"{100 * share:.0f} %"


def interval(low: float | None, high: float | None) -> str:
    """For people: (95 % interval 58 to 64 %)."""
    if low is None or high is None:
        return ""
    return f" (95 % interval {100 * low:.0f} to {100 * high:.0f} %)"


def accuracy_evidence(
    claim: str, value: float, n: int, bounds: tuple[float, float], split: str, against: str
) -> str:
    """One sentence: objects → their verb: 61 % of 1,153 on the test set (...), against ...."""
    return f"{claim}: {percent(value)} of {n:,} on {split}{interval(*bounds)}, {against}."


def rule_roles(measures: Mapping[str, Measure], n_heads: int) -> list[Role]:
    """The roles that follow from measures and fixed thresholds."""
    roles = []
    for rule in RULES:
        measure = measures.get(rule.measure)
        if measure is None or measure.n == 0:
            continue
        bar = rule.threshold + ((measure.baseline or 0.0) if rule.above_baseline else 0.0)
        bound = measure.values if measure.low is None else measure.low
        passing = np.nan_to_num(bound, nan=-1.0) > bar
        if measure.confirmed is not None:
            passing &= measure.confirmed
        order = measure.values if measure.ranking is None else measure.ranking
        places = [int(place) for place in np.argsort(-order, kind="stable") if passing[place]]
        if places:
            heads = tuple(rule_evidence(rule, measures, place, n_heads) for place in places)
            roles.append(Role(rule.measure, rule.group, rule.label, rule.claim, heads))
    return roles


def rule_evidence(
    rule: Rule, measures: Mapping[str, Measure], place: int, n_heads: int
) -> Evidence:
    """What a measure says of one head, whether it passes or not."""
    measure = measures[rule.measure]
    value = float(measure.values[place])
    low = None if measure.low is None else float(measure.low[place])
    high = None if measure.high is None else float(measure.high[place])
    of = f"of {measure.n:,}"
    if rule.measure not in _COUNTED:
        of = f"of the attention ({measure.n:,} {rule.cases})"
    sentence = (
        f"{rule.claim}: {percent(value)} {of} on {rule.split}{interval(low, high)}"
        f"{_against(measure)}{_copying(rule, measures, place, value)}."
    )
    return Evidence(
        place // n_heads, place % n_heads, value, measure.n, low, high, measure.baseline,
        rule.split, sentence, _rank(measure, place),
    )  # fmt: skip


_COUNTED = ("gap", "rare_word")
"""Measures that count right answers; the others share out attention."""


def _against(measure: Measure) -> str:
    if measure.baseline is None:
        return ""
    return f", {measure.against} {percent(measure.baseline)}"


def _copying(rule: Rule, measures: Mapping[str, Measure], place: int, value: float) -> str:
    """Of a head that finds copies: how strongly, and whether it then raises what it found."""
    if not rule.measure.startswith("synthetic"):
        return ""
    strength = ", strong" if value >= STRONG else ", partial" if value >= rule.threshold else ""
    copying = measures.get("copying")
    if rule.group != "copy" or copying is None or np.isnan(copying.values[place]):
        return strength
    sign = float(copying.values[place])
    does = "raises" if sign > 0 else "lowers"
    does = does if abs(sign) >= CLEAR else "neither clearly raises nor lowers"
    return (
        f"{strength}; its output {does} the logit of what it attends to (sign {sign:+.2f}, "
        f"n = {copying.n:,})"
    )


def _rank(measure: Measure, place: int) -> float:
    values = measure.values if measure.ranking is None else measure.ranking
    return float(values[place]) - (measure.baseline or 0.0)
