"""The description of each metric, and the rule of its label in words."""

import pytest

from mha_core.metrics.catalogue import METRICS, SHAPES, Metric

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
    **dict.fromkeys(("previous", "next", "self", "current_word"), "> 0.5, lift > 0.3 and n >= 3"),
    **dict.fromkeys(("previous_hits", "next_hits", "self_hits"), ">= 0.9, lift > 0.3 and n >= 3"),
    **dict.fromkeys(("duplicate", "induction"), "lift > 0.3 and n >= 3"),
    **{"first": ">= 0.3, lift > 0.2 and n >= 3", "special": "> 0.6, lift > 0.2 and n >= 5"},
    **{"punctuation": "> 0.6, lift > 0.2 and n >= 3", "segment": "> 0.3 and n >= 3"},
    "entropy": "> 0.78 and n >= 3",
}


def test_heads_are_called_by_the_published_rules() -> None:
    said = {name: metric.called.when for name, metric in METRICS.items() if metric.called}
    assert said == RULES
