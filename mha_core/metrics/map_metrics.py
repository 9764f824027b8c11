"""Metrics of whole maps that are no mean over cells: one small function each.

A function's name is the metric's name. `@over(n)` registers it with n, the number of cases of a
text that it averages; where n is 0 the metric is undefined and the function is not called.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from mha_core.metrics.catalogue import BLOCK, SHAPE_LIFT
from mha_core.metrics.cells import cell_table
from mha_core.metrics.head_maps import SMALLEST, Maps
from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.metrics.rank_correlation import spearman
from mha_core.metrics.tables import (
    content_pairs,
    entropy_terms,
    entropy_terms_without_sink,
    ordinary_row_weights,
)

Value: TypeAlias = Callable[[Maps], Tensor]
"""One number for each head, [H]."""


@dataclass(frozen=True)
class MapMetric:
    value: Value
    n: Callable[[Passage], int]


MAP_METRICS: dict[str, MapMetric] = {}
"""The metrics of this file by name."""


def over(n: Callable[[Passage], int]) -> Callable[[Value], Value]:
    def register(value: Value) -> Value:
        MAP_METRICS[value.__name__] = MapMetric(value, n)
        return value

    return register


@over(lambda passage: cell_table(passage).n["previous"])
def previous_hits(maps: Maps) -> Tensor:
    return maps.nearby_hits[:, 0] @ cell_table(maps.passage).rows["previous"]


@over(lambda passage: cell_table(passage).n["next"])
def next_hits(maps: Maps) -> Tensor:
    return maps.nearby_hits[:, 2] @ cell_table(maps.passage).rows["next"]


@over(lambda passage: cell_table(passage).n["self"])
def self_hits(maps: Maps) -> Tensor:
    return maps.nearby_hits[:, 1] @ cell_table(maps.passage).rows["self"]


@over(lambda passage: entropy_terms(passage).n)
def entropy(maps: Maps) -> Tensor:
    """Mean over rows of the entropy as a share of the largest possible."""
    terms = entropy_terms(maps.passage)
    return (maps.a_ln_a.sum(-1) @ terms.per_nat).div_(-terms.n)


@over(lambda passage: entropy_terms_without_sink(passage).n)
def entropy_without_sink(maps: Maps) -> Tensor:
    """Entropy of each row without its attention on special and first tokens, rescaled to sum 1."""
    terms = entropy_terms_without_sink(maps.passage)
    left = maps.pattern @ terms.keys  # [H, T]
    # A row may give all its attention to the sink, to the last bit: it has no entropy left.
    has_rest = (left > SMALLEST).to(left.dtype)
    left.clamp_min_(SMALLEST)
    # Of a row scaled by its sum S: -sum (A/S) ln (A/S) = ln S - sum (A ln A) / S.
    nats = left.log() - (maps.a_ln_a @ terms.keys).div_(left)  # [H, T]
    return (nats.mul_(has_rest) @ terms.per_nat).div_(has_rest @ terms.rows)


@over(lambda passage: int(passage.ordinary.sum()))
def confidence(maps: Maps) -> Tensor:
    return maps.largest_ordinary @ ordinary_row_weights(maps.passage)


@over(lambda passage: len(content_pairs(passage).cells))
def similarity(maps: Maps) -> Tensor:
    """Rank correlation of attention with the cosine of the two tokens' input embeddings."""
    pairs = content_pairs(maps.passage)
    return spearman(maps.pattern.flatten(1).index_select(1, pairs.cells), pairs.ranks)


@over(lambda passage: int(passage.choosing.sum()))
def shape(maps: Maps) -> Tensor:
    """Index into SHAPES."""
    band, stripes = _lines(maps)
    uniform_band, uniform_stripes = _uniform_lines(maps.passage)
    diagonal = band - uniform_band > SHAPE_LIFT
    vertical = stripes - uniform_stripes > SHAPE_LIFT
    block = maps.linear["segment"] > BLOCK  # False for one sentence, where it is NaN
    # In the order of SHAPES: vertical 0, diagonal 1, both 2; block 3, heterogeneous 4.
    striped = diagonal.float() + (vertical & diagonal)
    return torch.where(vertical | diagonal, striped, 4 - block.float())


def _lines(maps: Maps) -> tuple[Tensor, Tensor]:
    """Share of the band around the diagonal, and of the two heaviest columns outside it, [H]."""
    start = int(maps.passage.causal)  # a causal model's first row has no choice
    rows = maps.pattern[:, start:]  # [H, rows, T]
    columns = rows.new_ones(rows.shape[1]) @ rows  # [H, T]: the fastest way to sum over rows
    all_columns = columns.sum(-1)
    for offset in (start - 1, start, start + 1):
        near = rows.diagonal(offset, 1, 2)
        begin = max(offset, 0)
        columns[:, begin : begin + near.shape[1]] -= near
    band = all_columns - columns.sum(-1)
    stripes = columns.topk(min(2, columns.shape[1])).values.sum(-1)
    return band / rows.shape[1], stripes / rows.shape[1]


@cached_per_passage
def _uniform_lines(passage: Passage) -> tuple[Tensor, Tensor]:
    return _lines(Maps(passage.uniform[None], passage))
