"""Metrics of whole maps that are no mean over cells: one small function each.

A function's name is the metric's name. `@over` says what is averaged, which is n, and puts it on
the list; where n is 0 the metric is not asked. This file must not know models.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from mha_core.metrics.catalogue import BLOCK, SHAPE_LIFT
from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.head_maps import SMALLEST, Maps
from mha_core.metrics.passage import Passage, made_once
from mha_core.metrics.rank_correlation import spearman
from mha_core.metrics.tables import content_pairs, ordinary_rows, rest, spread

Value: TypeAlias = Callable[[Maps], Tensor]
"""One number for each head, [H]."""


@dataclass(frozen=True)
class MapMetric:
    """A metric of maps: its value for each head, and how many cases of a text it averages."""

    value: Value
    n: Callable[[Passage], int]


MAP_METRICS: dict[str, MapMetric] = {}
"""The metrics of this file by name."""


def over(n: Callable[[Passage], int]) -> Callable[[Value], Value]:
    """Put a metric on the list; n tells how many cases of a text it averages."""

    def listed(value: Value) -> Value:
        MAP_METRICS[value.__name__] = MapMetric(value, n)
        return value

    return listed


@over(lambda passage: cell_table(passage).n["previous"])
def previous_hits(maps: Maps) -> Tensor:
    """How often the token just before has the most attention of its row."""
    return maps.favours_near[:, 0] @ cell_table(maps.passage).rows["previous"]


@over(lambda passage: cell_table(passage).n["next"])
def next_hits(maps: Maps) -> Tensor:
    """How often the token just after has the most attention of its row."""
    return maps.favours_near[:, 2] @ cell_table(maps.passage).rows["next"]


@over(lambda passage: cell_table(passage).n["self"])
def self_hits(maps: Maps) -> Tensor:
    """How often a token gives itself the most attention."""
    return maps.favours_near[:, 1] @ cell_table(maps.passage).rows["self"]


@over(lambda passage: spread(passage).n)
def entropy(maps: Maps) -> Tensor:
    """Mean over rows of the entropy as a share of the largest possible."""
    whole = spread(maps.passage)
    return (maps.a_ln_a.sum(-1) @ whole.per_nat).div_(-whole.n)


@over(lambda passage: rest(passage).n)
def entropy_without_sink(maps: Maps) -> Tensor:
    """Entropy of what is left of each row when special and first tokens are put aside."""
    kept = rest(maps.passage)
    left = maps.pattern @ kept.keys  # [H, T]
    # A head may give all it has to the sink, to the last bit: such a row has no rest to spread.
    has_rest = (left > SMALLEST).to(left.dtype)
    left.clamp_min_(SMALLEST)
    # Of a row scaled by its sum S: -sum (A/S) ln (A/S) = ln S - sum (A ln A) / S.
    nats = left.log() - (maps.a_ln_a @ kept.keys).div_(left)  # [H, T]
    return (nats.mul_(has_rest) @ kept.per_nat).div_(has_rest @ kept.rows)


@over(lambda passage: int(passage.ordinary.sum()))
def confidence(maps: Maps) -> Tensor:
    """Mean over rows of the largest weight, special tokens left out on both sides."""
    return maps.largest_ordinary @ ordinary_rows(maps.passage)


@over(lambda passage: content_pairs(passage).n)
def similarity(maps: Maps) -> Tensor:
    """Rank correlation of weights with the likeness of the tokens they join."""
    pairs = content_pairs(maps.passage)
    return spearman(maps.pattern.flatten(1).index_select(1, pairs.cells), pairs.likeness)


@over(lambda passage: int(passage.choosing.sum()))
def shape(maps: Maps) -> Tensor:
    """Index into SHAPES of what the map looks like."""
    band, stripes = _lines(maps)
    even_band, even_stripes = _even_lines(maps.passage)
    diagonal = band - even_band > SHAPE_LIFT
    vertical = stripes - even_stripes > SHAPE_LIFT
    block = maps.linear["segment"] > BLOCK  # False for one sentence: NaN is above nothing
    # In the order of SHAPES: vertical 0, diagonal 1, both 2; block 3, heterogeneous 4.
    striped = diagonal.float() + (vertical & diagonal)
    return torch.where(vertical | diagonal, striped, 4 - block.float())


def _lines(maps: Maps) -> tuple[Tensor, Tensor]:
    """Share of the band around the diagonal, and of the two heaviest columns outside it, [H]."""
    start = int(maps.passage.causal)  # a first row without a choice is left out
    rows = maps.pattern[:, start:]  # [H, rows, T]
    columns = rows.new_ones(rows.shape[1]) @ rows  # [H, T]: a sum over rows, by the quickest way
    all_columns = columns.sum(-1)
    for offset in (start - 1, start, start + 1):
        near = rows.diagonal(offset, 1, 2)
        begin = max(offset, 0)
        columns[:, begin : begin + near.shape[1]] -= near
    band = all_columns - columns.sum(-1)
    stripes = columns.topk(min(2, columns.shape[1])).values.sum(-1)
    return band / rows.shape[1], stripes / rows.shape[1]


@made_once
def _even_lines(passage: Passage) -> tuple[Tensor, Tensor]:
    return _lines(Maps(passage.uniform[None], passage))
