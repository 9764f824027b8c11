"""What a value must be above to give a label, and which texts are too short for one."""

from math import inf, nan

import pytest

from mha_core.metrics.label_rule import Called, Cases, Opportunity


@pytest.mark.parametrize(
    ("rule", "n", "baseline", "bar"),
    [
        (Called("x", 0.5), 3, 0.4, 0.5),
        (Called("x", 0.5, lift=0.3), 3, 0.1, 0.5),
        (Called("x", 0.5, lift=0.3), 3, 0.4, 0.7),
        (Called("x", lift=0.3), 3, 0.4, 0.7),
        (Called("x", 0.5, lift=0.3), 2, 0.1, inf),
        (Called("x", 0.5, least_n=5), 4, 0.1, inf),
        (Called("x", 0.5, lift=0.3), 0, nan, inf),
    ],
)
def test_the_bar_is_what_the_rule_says(rule: Called, n: int, baseline: float, bar: float) -> None:
    assert rule.bar(Opportunity(n, baseline, ceiling=1.0)) == pytest.approx(bar)


def test_a_rule_with_or_equal_takes_the_threshold_itself_but_not_the_lift() -> None:
    rule = Called("x", 0.5, lift=0.3, or_equal=True)
    assert rule.bar(Opportunity(3, 0.1, 1.0)) < 0.5
    assert rule.bar(Opportunity(3, 0.4, 1.0)) == 0.4 + 0.3


def test_a_rule_is_said_in_words() -> None:
    assert Called("x", 0.5, lift=0.3).when == "> 0.5, lift > 0.3 and n >= 3"
    assert Called("x", 0.9, or_equal=True, least_n=5).when == ">= 0.9 and n >= 5"
    assert Called("x", lift=0.3).when == "lift > 0.3 and n >= 3"


@pytest.mark.parametrize(
    ("cases", "causal", "short"),
    [
        ("rows", True, {0, 1, 2}),
        ("rows ahead", False, {0, 1, 2}),
        ("rows ahead", True, {1, 2}),  # a causal model sees no later token in any text: n is 0
        ("rows of a kind", False, {1, 2}),
        ("matches", False, set()),
    ],
)
def test_a_text_is_too_short_where_a_longer_one_would_have_more_cases(
    cases: Cases, causal: bool, short: set[int]
) -> None:
    rule = Called("x", 0.5, cases=cases)
    assert {n for n in range(6) if rule.is_too_short(n, causal=causal)} == short
