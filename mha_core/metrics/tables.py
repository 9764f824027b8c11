"""Tables of one text that the map metrics share for all heads: entropy terms and content pairs."""

from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.metrics.rank_correlation import FixedRanks

MIN_PAIRS = 3
"""With fewer pairs of words a rank correlation means nothing."""
MAX_PAIRS = 4096
"""Pairs compared in a long text, evenly spaced: sorting all of them takes as long as the model."""


@dataclass(frozen=True, eq=False)
class EntropyTerms:
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


@cached_per_passage
def ordinary_row_weights(passage: Passage) -> Tensor:
    """[T]: the weight of each row in a mean over ordinary rows."""
    return passage.ordinary / passage.ordinary.sum()


@dataclass(frozen=True, eq=False)
class ContentPairs:
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
