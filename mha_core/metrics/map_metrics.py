"""Metrics that are no mean over cells: one small function each, named like the metric."""

from collections.abc import Callable
from math import nan

import numpy as np
from torch import Tensor

from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import NEAR
from mha_core.metrics.content_pairs import content_pairs
from mha_core.metrics.entropies import entropy, entropy_without_sink
from mha_core.metrics.map_metric import MapMetric, Measure, over
from mha_core.metrics.map_summary import MapSummary
from mha_core.metrics.passage import Integers, Passage, cached_per_passage
from mha_core.metrics.rank_correlation import spearman
from mha_core.metrics.shape import shape


def over_rows_of(metric: str) -> Callable[[Measure], MapMetric]:
    """Make the strict variant of a linear metric, which uniform attention meets as often."""
    return over(
        lambda passage: cell_table(passage).n[metric],
        uniform=lambda passage: cell_table(passage).baseline[metric],
    )


def _hits(maps: MapSummary, metric: str, offset: int) -> Tensor:
    table = cell_table(maps.passage)
    weights = maps.passage.to_device(table.row_weights[table.names.index(metric)])
    return maps.near_hits[:, NEAR.index(offset)] @ weights


@over_rows_of("previous")
def previous_hits(maps: MapSummary) -> Tensor:
    return _hits(maps, "previous", -1)


@over_rows_of("next")
def next_hits(maps: MapSummary) -> Tensor:
    return _hits(maps, "next", 1)


@over_rows_of("self")
def self_hits(maps: MapSummary) -> Tensor:
    return _hits(maps, "self", 0)


@cached_per_passage
def _ordinary_row_weights(passage: Passage) -> Tensor:
    """[T]: the weight of each row in a mean over ordinary rows."""
    return passage.to_device(passage.ordinary / passage.ordinary.sum())


def _one_of_visible(passage: Passage) -> float:
    """What uniform attention gives any one key, mean over ordinary rows."""
    return float((1 / passage.n_visible[passage.ordinary]).mean())


@over(lambda passage: int(passage.ordinary.sum()), uniform=_one_of_visible)
def confidence(maps: MapSummary) -> Tensor:
    return maps.largest_ordinary @ _ordinary_row_weights(maps.passage)


def _reach(passage: Passage) -> tuple[Integers, Integers]:
    """How far each row with a choice sees back and ahead, [rows] each."""
    back = passage.positions[passage.choosing]
    return back, np.zeros_like(back) if passage.causal else passage.n_tokens - 1 - back


def _mean_distance(passage: Passage) -> float:
    back, ahead = _reach(passage)
    total = back * (back + 1) / 2 + ahead * (ahead + 1) / 2  # of 0 to `back`, and 0 to `ahead`
    return float((total / (back + ahead + 1)).mean())


def _largest_distance(passage: Passage) -> float:
    return float(np.maximum(*_reach(passage)).mean())


@over(lambda passage: passage.n_choosing, uniform=_mean_distance, ceiling=_largest_distance)
def distance(maps: MapSummary) -> Tensor:
    return maps.distance


def _uniform_correlation(passage: Passage) -> float:
    """Only in a causal model does it differ between pairs: later rows see more keys."""
    if not passage.causal:
        return nan
    pairs = content_pairs(passage)
    uniform = passage.to_device(1 / passage.n_visible[pairs.queries])
    return float(spearman(uniform[None], pairs.ranks))


@over(lambda passage: len(content_pairs(passage).queries), uniform=_uniform_correlation)
def similarity(maps: MapSummary) -> Tensor:
    """Rank correlation of attention with the cosine of the two tokens' input embeddings."""
    return spearman(maps.between_pairs, content_pairs(maps.passage).ranks)


MAP_METRICS = {
    metric.name: metric
    for metric in (
        *(previous_hits, next_hits, self_hits, entropy, entropy_without_sink),
        *(confidence, distance, similarity, shape),
    )
}


@cached_per_passage
def defined_metrics(passage: Passage) -> list[MapMetric]:
    """The metrics of this file that have a case in the text."""
    return [metric for metric in MAP_METRICS.values() if metric.n(passage) > 0]
