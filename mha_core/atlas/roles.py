"""Roles of heads: the rules that give them, and the evidence for each.

A role is a claim with a measured value, the number of cases, a 95 % interval and the baseline it
beats; a head that meets no rule is unassigned.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mha_core.atlas.measure import Measure, Place
from mha_core.atlas.record import AtlasRole, RoleGroup, RoleHead
from mha_core.atlas.selection import MARGIN
from mha_core.metrics.catalogue import METRICS

GROUPS = tuple(
    RoleGroup(id=id, label=label, letter=letter, meaning=meaning)
    for id, label, letter, meaning in (
        ("syntax", "Syntax", "S", "links words by a grammatical relation"),
        ("coreference", "Coreference", "C", "links a pronoun to the name it stands for"),
        ("copy", "Copy", "R", "finds an earlier copy of the token, or what followed it"),
        ("rare", "Rare words", "W", "attends most to the rarest word of the sentence"),
        ("local", "Local context", "L", "looks at a neighbour, itself or the same word"),
        ("delimiter", "Delimiter", "D", "looks at special tokens or punctuation"),
        ("sink", "Sink", "F", "rests on the first token"),
    )
)


class Evidence(RoleHead):
    """Why one head has a role."""

    rank: float  # lift on the data heads are chosen on, to order them; not in the record


def build_evidence(
    place: Place, *, value: float, baseline: float | None, **others: float | str | None
) -> Evidence:
    """The evidence with its lift; `others` are the other fields."""
    lift = None if baseline is None else value - baseline
    numbers = {"value": value, "baseline": baseline, "lift": lift}
    return Evidence.model_validate({"layer": place[0], "head": place[1], **numbers, **others})


class Role(AtlasRole):
    """A role and its heads, each with its rank."""

    heads: tuple[Evidence, ...]


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
    cases: str | None = "rows"  # what n counts; None: right answers, not shares of attention


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
_CLEAR = 0.1
"""From here on a copying sign says anything."""

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
    Rule("rare_word", "rare", "rarest word", "the sentence → its rarest word", MARGIN, True,
         "the test set", cases=None),
    Rule("gap", "coreference", "pronoun → name", "pronouns → the name they stand for", MARGIN, True,
         "the odd lines of GAP", cases=None),
)  # fmt: skip


def find_roles(measures: Mapping[str, Measure]) -> list[Role]:
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
        ranked = np.argsort(-measure.order, axis=None, kind="stable")
        places = [divmod(int(at), passing.shape[1]) for at in ranked if passing.ravel()[at]]
        if places:
            heads = tuple(apply_rule(rule, measures, place) for place in places)
            words = {"group": rule.group, "label": rule.label, "claim": rule.claim}
            roles.append(Role(id=rule.measure, **words, heads=heads))
    return roles


def apply_rule(rule: Rule, measures: Mapping[str, Measure], place: Place) -> Evidence:
    """What a measure says of one head, whether it passes or not."""
    measure = measures[rule.measure]
    value = float(measure.values[place])
    low = None if measure.low is None else float(measure.low[place])
    high = None if measure.high is None else float(measure.high[place])
    of = f"of {measure.n:,}"
    if rule.cases is not None:
        of = f"of the attention ({measure.n:,} {rule.cases})"
    baseline = measure.baseline
    against = "" if baseline is None else f", {measure.against} {percent(baseline)}"
    sentence = (
        f"{rule.claim}: {percent(value)} {of} on {rule.split}{interval(low, high)}{against}"
        f"{_describe_copying(rule, measures, place, value)}."
    )
    return build_evidence(
        place, value=value, n=measure.n, low=low, high=high, baseline=baseline,
        split=rule.split, evidence=sentence, rank=measure.rank(place),
    )  # fmt: skip


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def interval(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f" (95 % interval {100 * low:.0f} to {100 * high:.0f} %)"


def _describe_copying(
    rule: Rule, measures: Mapping[str, Measure], place: Place, value: float
) -> str:
    """Of a head that finds copies: how strongly, and whether it then raises what it found."""
    if rule.split != _REPEATED:
        return ""
    strength = ", strong" if value >= _STRONG else ", partial" if value >= _PARTIAL else ""
    copying = measures.get("copying")
    if rule.group != "copy" or copying is None or np.isnan(copying.values[place]):
        return strength
    sign = float(copying.values[place])
    does = "raises" if sign > 0 else "lowers"
    does = does if abs(sign) >= _CLEAR else "neither clearly raises nor lowers"
    return (
        f"{strength}; its output {does} the logit of what it attends to (sign {sign:+.2f}, "
        f"n = {copying.n:,})"
    )
