"""Roles that follow from a measure: the thresholds that give them, and the evidence for each.

A role is a claim with a measured value, the number of cases, a 95 % interval and the baseline it
beats; a head that meets no rule is unassigned. Roles that heads win from rules are in `claims`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mha_core.atlas.evidence import AtlasRole, RoleGroup, RoleHead
from mha_core.atlas.measure import Measure, Place
from mha_core.metrics.catalogue import METRICS

IDLE_GROUPS = frozenset({"delimiter", "sink"})
"""Groups of heads that rest: with them nearly every head has a role."""

_CONTESTS = frozenset({"syntax", "coreference", "rare"})
"""Groups whose roles are won from the best rule; all others are compared with uniform attention."""

GROUPS = tuple(
    RoleGroup(
        id=id,
        label=label,
        letter=letter,
        meaning=meaning,
        idle=id in IDLE_GROUPS,
        against="the best rule that does not read" if id in _CONTESTS else "uniform attention",
    )
    for id, label, letter, meaning in (
        ("syntax", "Syntax", "S", "links words by a grammatical relation"),
        ("coreference", "Coreference", "C", "links a pronoun to the name it stands for"),
        ("copy", "Copy", "R", "finds an earlier copy of the token, or what followed it"),
        ("rare", "Rare words", "W", "attends most to the rarest word of the sentence"),
        ("local", "Local context", "L", "attends to a neighbour, itself or the same word"),
        ("delimiter", "Delimiter", "D", "attends to special tokens or punctuation"),
        ("sink", "Sink", "F", "gives the first token clearly more than 30 % of its attention"),
    )
)


def build_evidence(
    place: Place, *, value: float, baseline: float | None, **others: float | str | None
) -> RoleHead:
    """The evidence with its lift; `others` are the other fields."""
    lift = None if baseline is None else value - baseline
    numbers = {"value": value, "baseline": baseline, "lift": lift}
    return RoleHead.model_validate({"layer": place[0], "head": place[1], **numbers, **others})


@dataclass(frozen=True)
class Rule:
    """When a measure makes a role."""

    measure: str
    group: str
    label: str
    claim: str
    threshold: float
    above_baseline: bool = False  # the threshold is a lift over the baseline
    split: str | None = None  # None: the texts of the section
    cases: str = "rows"  # what n counts


def _label_rule(metric: str, group: str, label: str, claim: str) -> Rule:
    """A threshold that a label on one sentence needs too: of the value, or else of its lift."""
    called = METRICS[metric].called
    assert called is not None  # noqa: S101 (of the metrics named below each has one)
    threshold = called.lift if called.above is None else called.above
    assert threshold is not None  # noqa: S101 (a label needs one of them)
    return Rule(metric, group, label, claim, threshold, called.above is None)


_REPEATED = "random tokens, repeated"
_PARTIAL, _STRONG = 0.3, 0.7
"""What scores on repeated random tokens are called, from these values on."""

RULES = (
    _label_rule("previous", "local", "previous token", "each token → the one before it"),
    _label_rule("next", "local", "next token", "each token → the one after it"),
    _label_rule("self", "local", "itself", "each token → itself"),
    _label_rule("current_word", "local", "same word", "later pieces of a word → earlier ones"),
    _label_rule("special", "delimiter", "special tokens", "tokens → special tokens"),
    _label_rule("punctuation", "delimiter", "punctuation", "tokens → punctuation"),
    replace(_label_rule("first", "sink", "first token", "tokens → the first token"),
            measure="sink64", cases="windows of 64 tokens"),
    _label_rule("duplicate", "copy", "earlier copy", "tokens → earlier equal tokens"),
    _label_rule("induction", "copy", "after an earlier copy",
                "tokens → what followed earlier equal tokens"),
    Rule("synthetic_previous", "local", "previous token (random text)",
         "random tokens → the one before", _PARTIAL, split=_REPEATED),
    Rule("synthetic_duplicate", "copy", "earlier copy (random text)",
         "repeated random tokens → their first copy", _PARTIAL, split=_REPEATED),
    Rule("synthetic_induction", "copy", "induction",
         "repeated random tokens → what followed their first copy", _PARTIAL, split=_REPEATED),
)  # fmt: skip


def find_roles(measures: Mapping[str, Measure], texts: str) -> list[AtlasRole]:
    """The roles of all rules whose measure is there: the lower end must be above the threshold.

    `texts` says what was measured on, in words.
    """
    roles = []
    for rule in RULES:
        measure = measures.get(rule.measure)
        if measure is None or measure.n == 0:
            continue
        bar = rule.threshold + ((measure.baseline or 0.0) if rule.above_baseline else 0.0)
        passing = np.nan_to_num(measure.low, nan=-1.0) > bar
        ranked = np.argsort(-measure.values, axis=None, kind="stable")
        places = [divmod(int(at), passing.shape[1]) for at in ranked if passing.ravel()[at]]
        if places:
            heads = tuple(_apply(rule, measures, place, texts) for place in places)
            words = {"group": rule.group, "label": rule.label, "claim": rule.claim}
            roles.append(AtlasRole(id=rule.measure, **words, heads=heads))
    return roles


def _apply(rule: Rule, measures: Mapping[str, Measure], place: Place, texts: str) -> RoleHead:
    measure = measures[rule.measure]
    value, low, high = (float(it[place]) for it in (measure.values, measure.low, measure.high))
    baseline, split = measure.baseline, rule.split or texts
    against = "" if baseline is None else f", uniform attention {percent(baseline)}"
    sentence = (
        f"{rule.claim}: {percent(value)} of the attention ({measure.n:,} {rule.cases}) on "
        f"{split}{interval(low, high)}{against}{_describe_copying(rule, measures, place)}."
    )
    return build_evidence(
        place, value=value, n=measure.n, low=low, high=high, baseline=baseline,
        split=split, evidence=sentence, rank=value - (baseline or 0.0),
    )  # fmt: skip


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def interval(low: float, high: float) -> str:
    return f" (95 % interval {100 * low:.0f} to {100 * high:.0f} %)"


def _describe_copying(rule: Rule, measures: Mapping[str, Measure], place: Place) -> str:
    """Of a head that finds copies: how strongly, and whether it then raises what it found."""
    if rule.split != _REPEATED:
        return ""
    strength = ", strong" if measures[rule.measure].values[place] >= _STRONG else ", partial"
    copying = measures.get("copying")
    if rule.group != "copy" or copying is None:
        return strength
    sign, low, high = (float(it[place]) for it in (copying.values, copying.low, copying.high))
    if not (low > 0 or high < 0):  # NaN, where one text has no interval, is neither
        return f"{strength}; whether its output raises or lowers what it attends to is unclear"
    does = "raises" if sign > 0 else "lowers"
    return (
        f"{strength}; its output {does} the logit of what it attends to (sign {sign:+.2f}, 95 % "
        f"interval {low:+.2f} to {high:+.2f})"
    )
