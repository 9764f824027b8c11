"""Metrics that are no mean over cells: one small function each, named like the metric."""

from collections.abc import Callable
from math import nan

import torch
import torch.nn.functional as F
from torch import Tensor

from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import NEAR
from mha_core.metrics.content_pairs import content_pairs
from mha_core.metrics.entropies import entropy, entropy_without_sink
from mha_core.metrics.head_maps import Maps
from mha_core.metrics.map_metric import Add, MapMetric, over
from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.metrics.rank_correlation import spearman
from mha_core.metrics.shape import shape


def over_rows_of(metric: str) -> Callable[[Add], MapMetric]:
    """Make the strict variant of a linear metric, which uniform attention meets as often."""
    return over(
        lambda passage: cell_table(passage).n[metric],
        uniform=lambda passage: cell_table(passage).baseline[metric],
    )


def _hits(maps: Maps, metric: str, offset: int) -> Tensor:
    weights = cell_table(maps.passage).weights_of(metric)[maps.block.rows]
    return maps.near_hits[:, NEAR.index(offset)] @ weights


@over_rows_of("previous")
def previous_hits(maps: Maps) -> Tensor:
    return _hits(maps, "previous", -1)


@over_rows_of("next")
def next_hits(maps: Maps) -> Tensor:
    return _hits(maps, "next", 1)


@over_rows_of("self")
def self_hits(maps: Maps) -> Tensor:
    return _hits(maps, "self", 0)


@cached_per_passage
def _ordinary_row_weights(passage: Passage) -> Tensor:
    """[T]: the weight of each row in a mean over ordinary rows."""
    return passage.ordinary / passage.ordinary.sum()


def _one_of_visible(passage: Passage) -> float:
    """What uniform attention gives any one key, mean over ordinary rows."""
    return float((_ordinary_row_weights(passage) / passage.n_visible).sum())


@over(lambda passage: int(passage.ordinary.sum()), uniform=_one_of_visible)
def confidence(maps: Maps) -> Tensor:
    return maps.largest_ordinary @ _ordinary_row_weights(maps.passage)[maps.block.rows]


def _reach(passage: Passage) -> tuple[Tensor, Tensor]:
    """How far each row with a choice sees back and ahead, [rows] each."""
    back = passage.positions[passage.choosing].double()
    return back, torch.zeros_like(back) if passage.causal else passage.n_tokens - 1 - back


def _mean_distance(passage: Passage) -> float:
    back, ahead = _reach(passage)
    total = back * (back + 1) / 2 + ahead * (ahead + 1) / 2  # of 0 to `back`, and 0 to `ahead`
    return float((total / (back + ahead + 1)).mean())


def _largest_distance(passage: Passage) -> float:
    return float(torch.maximum(*_reach(passage)).mean())


@over(lambda passage: passage.n_choosing, uniform=_mean_distance, ceiling=_largest_distance)
def distance(maps: Maps) -> Tensor:
    # In parts: over a sum of T * T terms the rounding would add up to 1e-4.
    parts = zip(maps.pattern.split(128, 1), maps.block.distances.split(128), strict=True)
    return torch.stack([rows.flatten(1) @ far.flatten() for rows, far in parts]).sum(0)


def _correlate(passage: Passage, total: Tensor) -> Tensor:
    return spearman(total, content_pairs(passage).ranks)


def _uniform_correlation(passage: Passage) -> float:
    """Only in a causal model does it differ between pairs: later rows see more keys."""
    if not passage.causal:
        return nan
    pairs = content_pairs(passage)
    return float(spearman(1 / passage.n_visible[None, pairs.queries], pairs.ranks))


@over(
    lambda passage: len(content_pairs(passage).queries),
    uniform=_uniform_correlation,
    finish=_correlate,
)
def similarity(maps: Maps) -> Tensor:
    """Rank correlation of attention with the cosine of the two tokens' input embeddings."""
    here, n_pairs = maps.block.pairs, len(content_pairs(maps.passage).queries)
    return F.pad(maps.between_pairs, (here.start, n_pairs - here.stop))  # [H, pairs]


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
