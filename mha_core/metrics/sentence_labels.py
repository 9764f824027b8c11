"""The labels of heads on one sentence, by the rules of the catalogue."""

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.label_rule import Opportunity


@dataclass(frozen=True)
class Label:
    """A label of a head on this sentence, and the evidence for it."""

    label: str
    metric: str
    value: float
    n: int


def sentence_labels(
    values: Mapping[str, Tensor], opportunities: Mapping[str, Opportunity]
) -> list[list[Label]]:
    """The labels of each head, from its values; a strict label takes the place of the other."""
    rules = {name: metric.called for name, metric in METRICS.items() if metric.called}
    labels: list[dict[str, Label]] = [{} for _ in next(iter(values.values()))]
    for name, rule in rules.items():
        bar, n = rule.bar(opportunities[name]), opportunities[name].n
        for head, value in enumerate(values[name].tolist()):
            if value > bar:
                labels[head].pop(rule.replaces or name, None)
                labels[head][name] = Label(rule.label, name, value, n)
    return [list(of_head.values()) for of_head in labels]
