"""The description of each metric, and the rules of its label."""

from math import nan

import pytest

from mha_core.metrics.catalogue import METRICS, SHAPES, Called, Metric, Opportunity

NAMES = (
    *("previous", "next", "self", "previous_hits", "next_hits", "self_hits", "first", "special"),
    *("separator", "punctuation", "entropy", "entropy_without_sink", "confidence", "distance"),
    *("locality", "duplicate", "induction", "current_word", "segment", "similarity", "shape"),
)


def test_the_metrics_come_in_their_order() -> None:
    assert tuple(METRICS) == NAMES


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.name)
def test_every_metric_is_described(metric: Metric) -> None:
    assert METRICS[metric.name] is metric
    for words in (metric.label, metric.unit, metric.meaning, metric.formula):
        assert words
        assert "\n" not in words
    assert metric.meaning.endswith(".")
    lowest, highest = metric.range
    assert highest is None or lowest < highest


def test_labels_are_unique() -> None:
    labels = [metric.label for metric in METRICS.values()]
    called = [metric.called.label for metric in METRICS.values() if metric.called]
    assert len(set(labels)) == len(labels)
    assert len(set(called)) == len(called)


def test_the_only_class_indexes_the_shapes() -> None:
    assert [metric.name for metric in METRICS.values() if metric.kind == "class"] == ["shape"]
    assert METRICS["shape"].range == (0, len(SHAPES) - 1)


RULES = {
    **dict.fromkeys(("previous", "next", "self", "current_word"), "> 0.5"),
    **dict.fromkeys(("previous_hits", "next_hits", "self_hits"), ">= 0.9"),
    **dict.fromkeys(("special", "punctuation"), "> 0.6"),
    **dict.fromkeys(("duplicate", "induction"), "lift > 0.3 and n >= 3"),
    **{"first": ">= 0.3", "entropy": "> 0.78", "segment": "> 0.3"},
}


def test_heads_are_called_by_the_published_rules() -> None:
    said = {name: metric.called.when for name, metric in METRICS.items() if metric.called}
    assert said == RULES


@pytest.mark.parametrize(
    ("rule", "n", "bar"),
    [
        (Called("x", 0.5), 1, 0.5),
        (Called("x", 0.5), 0, nan),
        (Called("x", 0.3, lift=True), 1, 0.4),
        (Called("x", 0.3, lift=True, least_n=3), 2, nan),
        (Called("x", 0.3, lift=True, least_n=3), 3, 0.4),
    ],
)
def test_the_bar_is_what_the_rule_says(rule: Called, n: int, bar: float) -> None:
    found = rule.bar(Opportunity(n=n, baseline=0.1, ceiling=1.0))
    assert found == pytest.approx(bar, nan_ok=True)
