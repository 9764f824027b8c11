"""What heads do with one text, in numbers: every metric of every head of a layer at once.

Pure functions of a pattern and a passage, on the device the pattern lies on; NaN is "undefined",
never 0. Each metric is a function of its name in `cells` (a mean over cells) or in `map_metrics`
(anything else), and its words stand in `metric_catalogue`. This file must not know models.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from mha_core.metrics.catalogue import METRICS, SHAPES, Called, Metric, Opportunity
from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.head_maps import Maps
from mha_core.metrics.map_metrics import MAP_METRICS
from mha_core.metrics.passage import Passage, made_once

__all__ = [
    "METRICS",
    "SHAPES",
    "Called",
    "Label",
    "Measurement",
    "Metric",
    "Opportunity",
    "measure",
    "measure_maps",
    "measurement",
    "opportunities",
    "sentence_labels",
]


_ROUNDING = 1e-6
"""Nine rows of ten are 0.9 of them, though float32 may say a little less."""


@dataclass(frozen=True, eq=False)
class Measurement:
    """One metric of some heads on one text, and what the text lets it show."""

    value: Tensor  # [H]; NaN where undefined
    n: int
    baseline: float
    ceiling: float


@dataclass(frozen=True)
class Label:
    """What a head may be called on this sentence, and the evidence."""

    label: str
    metric: str
    value: float
    n: int


def measurement(name: str, pattern: Tensor, passage: Passage) -> Measurement:
    """One metric of each head of a pattern [H, T, T]."""
    seen = opportunities(passage)[name]
    value = _value(name, Maps(pattern, passage)).clamp(*METRICS[name].range)
    return Measurement(value, seen.n, seen.baseline, seen.ceiling)


def measure(pattern: Tensor, passage: Passage) -> dict[str, Tensor]:
    """Every metric of each head, float32 [H], from pattern [H, T, T]; `shape` indexes SHAPES."""
    return dict(zip(METRICS, measure_maps(Maps(pattern, passage)), strict=True))


def measure_maps(maps: Maps) -> Tensor:
    """The same in one table [metrics, H], of maps that may know more than their pattern."""
    found = torch.stack([_value(name, maps) for name in METRICS])  # [metrics, H]
    # Sums of many shares may pass 1 in the last bit.
    return found.clamp_(*_ranges(found.device))


@made_once
def opportunities(passage: Passage) -> dict[str, Opportunity]:
    """What the text lets each metric show: it is the same for every head."""
    n, ceiling = _n(passage), cell_table(passage).ceiling
    even = measure_maps(Maps(passage.uniform[None], passage))[:, 0].tolist()
    nan = float("nan")
    # A class has no baseline; of the others, each that is no mean over cells can reach 1.
    return {
        name: Opportunity(n[name], baseline, ceiling.get(name, 1.0) if n[name] else nan)
        if metric.kind == "number"
        else Opportunity(n[name], nan, nan)
        for (name, metric), baseline in zip(METRICS.items(), even, strict=True)
    }


def sentence_labels(
    values: Mapping[str, Tensor], opportunities: Mapping[str, Opportunity]
) -> list[list[Label]]:
    """What each head may be called on this sentence, by the rules of the catalogue."""
    rules = {name: metric.called for name, metric in METRICS.items() if metric.called}
    labels: list[dict[str, Label]] = [{} for _ in next(iter(values.values()))]
    for name, rule in rules.items():
        bar, n = rule.bar(opportunities[name]), opportunities[name].n
        for head, value in enumerate(values[name].tolist()):
            if value > (bar - _ROUNDING if rule.or_equal else bar):
                labels[head].pop(rule.replaces or name, None)
                labels[head][name] = Label(rule.label, name, value, n)
    return [list(of_head.values()) for of_head in labels]


def _value(name: str, maps: Maps) -> Tensor:
    """One metric of each head, [H], before its range is seen to."""
    metric = MAP_METRICS.get(name)
    if metric is None:
        return maps.linear[name]
    if _n(maps.passage)[name] == 0:
        return maps.pattern.new_full((len(maps.pattern),), torch.nan)
    return metric.value(maps)


@made_once
def _n(passage: Passage) -> dict[str, int]:
    """How many cases of a text each metric averages."""
    return cell_table(passage).n | {name: metric.n(passage) for name, metric in MAP_METRICS.items()}


@cache
def _ranges(device: torch.device) -> tuple[Tensor, Tensor]:
    """The lowest and the highest value of each metric, [metrics, 1] each."""
    lowest, highest = zip(*(metric.range for metric in METRICS.values()), strict=True)
    highest = tuple(torch.inf if limit is None else limit for limit in highest)
    bounds = torch.tensor([lowest, highest], device=device)[..., None]  # [2, metrics, 1]
    return bounds[0], bounds[1]
