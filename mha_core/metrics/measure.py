"""Every metric of every head of a layer at once: pure functions of a pattern and a passage.

Each metric is an entry of `cells` (a mean over cells) or a function of `map_metrics` (anything
else) under its name, described in `catalogue`. An undefined value is NaN, never 0.
"""

from functools import cache
from math import nan
from typing import NamedTuple

import torch
from torch import Tensor

from mha_core.attention import Weights
from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.label_rule import Opportunity
from mha_core.metrics.map_metrics import MAP_METRICS, defined_metrics
from mha_core.metrics.map_summary import MapSummary, summarize
from mha_core.metrics.passage import Passage, cached_per_passage


class Measurement(NamedTuple):
    """One metric of some heads on one text, and the opportunity the text gives it."""

    value: Tensor  # [H]; NaN where undefined
    n: int
    baseline: float
    ceiling: float


def measurement(name: str, pattern: Tensor, passage: Passage) -> Measurement:
    """One metric of each head of a pattern [H, T, T]."""
    return Measurement(measure(pattern, passage)[name], *opportunities(passage)[name])


def measure(pattern: Tensor, passage: Passage) -> dict[str, Tensor]:
    """Every metric of each head, float32 [H], from pattern [H, T, T]; `shape` indexes SHAPES."""
    return dict(zip(METRICS, measure_all(summarize(passage, Weights.of(pattern))), strict=True))


def measure_all(maps: MapSummary) -> Tensor:
    """The same as one tensor [metrics, H]."""
    table = cell_table(maps.passage)
    linear = maps.linear - maps.passage.to_device(table.subtracted)  # [H, M]
    found = dict(zip(table.names, linear.T, strict=True))
    for metric in defined_metrics(maps.passage):
        found[metric.name] = metric.measure(maps)
    undefined = torch.full_like(maps.distance, torch.nan)
    values = torch.stack([found.get(name, undefined) for name in METRICS])  # [metrics, H]
    # Rounding may push a sum of shares above 1.
    return values.clamp_(*_ranges(values.device))


@cached_per_passage
def opportunities(passage: Passage) -> dict[str, Opportunity]:
    """Number of cases, baseline and ceiling of each metric on a text, the same for every head."""
    table = cell_table(passage)
    linear = zip(table.n.values(), table.baseline.values(), table.ceiling.values(), strict=True)
    found = {name: Opportunity(*it) for name, it in zip(table.n, linear, strict=True)}
    for name, metric in MAP_METRICS.items():
        n, baseline, ceiling = metric.n(passage), nan, nan
        if n > 0 and METRICS[name].kind == "number":  # a class has neither
            baseline, ceiling = metric.uniform(passage), metric.ceiling(passage)
        found[name] = Opportunity(n, baseline, ceiling)
    return {name: found[name] for name in METRICS}


@cache
def _ranges(device: torch.device) -> tuple[Tensor, Tensor]:
    """The lower and upper bounds of all metrics, [metrics, 1] each."""
    lowest, highest = zip(*(metric.range for metric in METRICS.values()), strict=True)
    highest = tuple(torch.inf if limit is None else limit for limit in highest)
    bounds = torch.tensor([lowest, highest], device=device, dtype=torch.float32)
    return bounds[0, :, None], bounds[1, :, None]
