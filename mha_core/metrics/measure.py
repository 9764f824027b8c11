"""Every metric of every head of a layer at once: pure functions of a pattern and a passage.

Each metric is an entry of `cells` (a mean over cells) or a function of `map_metrics` (anything
else) under its name, described in `catalogue`. An undefined value is NaN, never 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import nan
from typing import NamedTuple

import torch
from torch import Tensor

from mha_core.metrics.catalogue import METRICS, Opportunity
from mha_core.metrics.cells import cell_table
from mha_core.metrics.head_maps import Maps
from mha_core.metrics.map_metrics import MAP_METRICS
from mha_core.metrics.passage import Passage, cached_per_passage

_ROUNDING = 1e-6  # tolerance of `>=`: nine rows of ten may be slightly below 0.9 in float32


class Measurement(NamedTuple):
    """One metric of some heads on one text, and the opportunity the text gives it."""

    value: Tensor  # [H]; NaN where undefined
    n: int
    baseline: float
    ceiling: float


@dataclass(frozen=True)
class Label:
    """A label of a head on this sentence, and the evidence for it."""

    label: str
    metric: str
    value: float
    n: int


def measurement(name: str, pattern: Tensor, passage: Passage) -> Measurement:
    """One metric of each head of a pattern [H, T, T]."""
    value = _value(name, Maps(pattern, passage)).clamp(*METRICS[name].range)
    return Measurement(value, *opportunities(passage)[name])


def measure(pattern: Tensor, passage: Passage) -> dict[str, Tensor]:
    """Every metric of each head, float32 [H], from pattern [H, T, T]; `shape` indexes SHAPES."""
    return dict(zip(METRICS, measure_maps(Maps(pattern, passage)), strict=True))


def measure_maps(maps: Maps) -> Tensor:
    """The same as one tensor [metrics, H]."""
    found = torch.stack([_value(name, maps) for name in METRICS])  # [metrics, H]
    # Rounding may push a sum of shares above 1.
    return found.clamp_(*_ranges(found.device))


@cached_per_passage
def opportunities(passage: Passage) -> dict[str, Opportunity]:
    """Number of cases, baseline and ceiling of each metric on a text, the same for every head."""
    n, ceiling = _n(passage), cell_table(passage).ceiling
    uniform = measure_maps(Maps(passage.uniform[None], passage))[:, 0].tolist()
    # A class has no baseline; every number that is no mean over cells can reach 1.
    return {
        name: Opportunity(n[name], baseline, ceiling.get(name, 1.0) if n[name] else nan)
        if metric.kind == "number"
        else Opportunity(n[name], nan, nan)
        for (name, metric), baseline in zip(METRICS.items(), uniform, strict=True)
    }


def sentence_labels(
    values: Mapping[str, Tensor], opportunities: Mapping[str, Opportunity]
) -> list[list[Label]]:
    """The labels of each head on this sentence, by the rules of the catalogue."""
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
    """One metric of each head, [H], not yet clamped to its range."""
    metric = MAP_METRICS.get(name)
    if metric is None:
        return maps.linear[name]
    if _n(maps.passage)[name] == 0:
        return maps.pattern.new_full((len(maps.pattern),), torch.nan)
    return metric.value(maps)


@cached_per_passage
def _n(passage: Passage) -> dict[str, int]:
    return cell_table(passage).n | {name: metric.n(passage) for name, metric in MAP_METRICS.items()}


@cache
def _ranges(device: torch.device) -> tuple[Tensor, Tensor]:
    """The lower and upper bounds of all metrics, [metrics, 1] each."""
    lowest, highest = zip(*(metric.range for metric in METRICS.values()), strict=True)
    highest = tuple(torch.inf if limit is None else limit for limit in highest)
    bounds = torch.tensor([lowest, highest], device=device)[..., None]  # [2, metrics, 1]
    return bounds[0], bounds[1]
