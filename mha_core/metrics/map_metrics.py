"""Metrics of whole maps that are no mean over cells: one small function each.

A function's name is the metric's name. `@over(n)` registers it with n, the number of cases of a
text that it averages; where n is 0 the metric is undefined and the function is not called.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import torch
from torch import Tensor

from mha_core.metrics.catalogue import BLOCK, SHAPE_LIFT
from mha_core.metrics.cells import cell_table
from mha_core.metrics.head_maps import SMALLEST, Maps
from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.metrics.rank_correlation import FixedRanks, spearman

MIN_PAIRS = 3  # with fewer pairs of words a rank correlation means nothing
MAX_PAIRS = 4096  # evenly spaced in a long text: sorting all pairs takes as long as the model

Value: TypeAlias = Callable[[Maps], Tensor]  # one number for each head, [H]


class MapMetric(NamedTuple):
    value: Value
    n: Callable[[Passage], int]


MAP_METRICS: dict[str, MapMetric] = {}  # the metrics of this file by name


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


class EntropyTerms(NamedTuple):
    """Keys, rows and normalisation of an entropy."""

    keys: Tensor  # [T] float: 1 for the keys that attention is spread over
    rows: Tensor  # [T] float: 1 for the rows that count, which see more than one of the keys
    per_nat: Tensor  # [T]: one over the largest entropy of a row, 0 where the row does not count
    n: int  # rows that count

    @classmethod
    def of(cls, passage: Passage, keys: Tensor, rows: Tensor) -> "EntropyTerms":
        """From keys and rows, [T] bool."""
        n_visible = (passage.visible & keys).sum(-1)  # [T]
        # A row of one key always has entropy 0: leave it out, and avoid 1 / ln 1.
        rows = rows & (n_visible > 1)
        per_nat = torch.where(rows, 1 / n_visible.log(), 0)
        return cls(keys.float(), rows.float(), per_nat, int(rows.sum()))


@cached_per_passage
def entropy_terms(passage: Passage) -> EntropyTerms:
    return EntropyTerms.of(passage, torch.ones_like(passage.special), passage.choosing)


@cached_per_passage
def entropy_terms_without_sink(passage: Passage) -> EntropyTerms:
    """Without special tokens and position 0, as keys and as rows."""
    kept = ~passage.special & (passage.positions > 0)
    return EntropyTerms.of(passage, kept, kept)


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


@cached_per_passage
def ordinary_row_weights(passage: Passage) -> Tensor:
    """[T]: the weight of each row in a mean over ordinary rows."""
    return passage.ordinary / passage.ordinary.sum()


@over(lambda passage: int(passage.ordinary.sum()))
def confidence(maps: Maps) -> Tensor:
    return maps.largest_ordinary @ ordinary_row_weights(maps.passage)


class ContentPairs(NamedTuple):
    """Visible pairs of two different content tokens."""

    cells: Tensor  # [P] long: T*i + j
    ranks: FixedRanks  # of the pairs' embedding similarity


@cached_per_passage
def content_pairs(passage: Passage) -> ContentPairs:
    """No pairs where there are too few to compare, or where the embeddings are unknown."""
    content = passage.content & passage.content[:, None]
    different = passage.ids != passage.ids[:, None]
    cells = (content & different & passage.visible).flatten().nonzero()[:, 0]
    if passage.cosine is None or len(cells) < MIN_PAIRS:
        return ContentPairs(cells[:0], FixedRanks.of(torch.zeros(0)))
    cells = cells[:: -(-len(cells) // MAX_PAIRS)]
    return ContentPairs(cells, FixedRanks.of(passage.cosine.flatten()[cells]))


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
