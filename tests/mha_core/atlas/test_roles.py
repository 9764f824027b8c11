"""A role needs a lower bound above its bar; a head that meets none is unassigned."""

import numpy as np
import pytest

from mha_core.atlas.measure import Measure
from mha_core.atlas.roles import GROUPS, RULES, Rule, apply_rule, find_roles
from mha_core.metrics.catalogue import METRICS


def measure(values: list[float], **changes: object) -> Measure:
    numbers = np.array(values).reshape(-1, min(2, len(values)))  # [L, H] of up to two heads
    given = {"low": numbers - 0.02, "high": numbers + 0.02, "baseline": 0.1, "n": 1234, **changes}
    return Measure("Label", "Meaning.", "share", values=numbers, **given)  # type: ignore[arg-type]


def test_only_a_lower_bound_above_the_bar_makes_a_role() -> None:
    found = find_roles({"previous": measure([0.9, 0.51, 0.49, 0.6])})
    assert [role.id for role in found] == ["previous"]
    assert [(head.layer, head.head) for head in found[0].heads] == [(0, 0), (1, 1)]


def test_a_lift_is_counted_from_the_baseline() -> None:
    bars = {"rare_word": measure([0.29, 0.35], baseline=0.2)}
    assert [head.head for head in find_roles(bars)[0].heads] == [1]


def test_what_was_not_confirmed_on_the_other_half_is_no_role() -> None:
    confirmed = np.array([[False, True]])
    found = find_roles({"gap": measure([0.9, 0.8], baseline=0.5, confirmed=confirmed)})
    assert [head.head for head in found[0].heads] == [1]


@pytest.mark.parametrize("values", [[float("nan")] * 2, [0.0, 0.0]])
def test_nothing_proven_is_no_role(values: list[float]) -> None:
    assert find_roles({rule.measure: measure(values) for rule in RULES}) == []


def test_heads_are_ordered_by_the_data_they_are_chosen_on() -> None:
    ranking = np.array([[0.8, 0.9]])
    found = find_roles({"gap": measure([0.9, 0.8], baseline=0.5, ranking=ranking)})
    assert [head.head for head in found[0].heads] == [1, 0]


def test_nothing_counted_is_no_role() -> None:
    assert find_roles({"previous": measure([0.9], n=0)}) == []


def rule(name: str) -> Rule:
    return next(rule for rule in RULES if rule.measure == name)


def test_the_evidence_names_claim_value_n_interval_split_and_baseline() -> None:
    found = apply_rule(
        rule("gap"), {"gap": measure([0.61], baseline=0.5, against="the nearer name")}, (0, 0)
    )
    assert found.evidence == (
        "pronouns → the name they stand for: 61 % of 1,234 on the odd lines of GAP "
        "(95 % interval 59 to 63 %), the nearer name 50 %."
    )
    assert found.lift == pytest.approx(0.11)


@pytest.mark.parametrize(
    ("sign", "words"),
    [(0.8, "raises"), (-0.4, "lowers"), (0.05, "neither clearly raises nor lowers")],
)
def test_a_copying_head_says_what_it_does_with_what_it_finds(sign: float, words: str) -> None:
    measures = {
        "synthetic_induction": measure([0.92], low=None, high=None),
        "copying": measure([sign]),
    }
    sentence = apply_rule(rule("synthetic_induction"), measures, (0, 0)).evidence
    assert "strong" in sentence
    assert f"{words} the logit" in sentence


def test_every_rule_is_of_a_group_and_each_group_has_its_own_letter() -> None:
    assert {rule.group for rule in RULES} <= {group.id for group in GROUPS}
    assert len({group.letter for group in GROUPS}) == len(GROUPS)


@pytest.mark.parametrize(
    ("measure", "threshold", "is_lift"),
    [
        *((name, 0.5, False) for name in ("previous", "next", "self", "current_word")),
        *((name, 0.6, False) for name in ("special", "punctuation")),
        *((name, 0.3, True) for name in ("duplicate", "induction")),
        ("sink64", 0.3, False),
    ],
)
def test_labels_need_the_thresholds_of_roles_too(
    measure: str, threshold: float, is_lift: bool
) -> None:
    found = rule(measure)
    called = METRICS["first" if measure == "sink64" else measure].called
    assert called is not None
    assert (found.threshold, found.above_baseline) == (threshold, is_lift)
    assert (called.lift if is_lift else called.above) == threshold
