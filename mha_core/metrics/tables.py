"""What the maps of one text are measured by, apart from cells: tables made once for all heads.

This file must not know heads.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.passage import Passage, made_once
from mha_core.metrics.rank_correlation import FixedRanks

LEAST_PAIRS = 3
"""Pairs of words below which a rank correlation says nothing."""
MOST_PAIRS = 4096
"""Pairs compared in a long text, evenly spaced: sorting all of them takes as long as the model."""


@dataclass(frozen=True, eq=False)
class Spread:
    """What entropies are measured by."""

    keys: Tensor  # [T] float: those that attention is spread over
    rows: Tensor  # [T] float: those that count, for they see more than one of the keys
    per_nat: Tensor  # [T]: one over the largest entropy a row can have, 0 where it does not count
    n: int  # rows that count

    @classmethod
    def of(cls, passage: Passage, keys: Tensor, rows: Tensor) -> "Spread":
        """From keys and rows, [T] bool."""
        seen = (passage.visible & keys).sum(-1)  # [T]
        # Rows of one key have no entropy to speak of: they must not count, not even as 1 / ln 1.
        rows = rows & (seen > 1)
        per_nat = torch.where(rows, 1 / seen.log(), 0)
        return cls(keys.float(), rows.float(), per_nat, int(rows.sum()))


@made_once
def spread(passage: Passage) -> Spread:
    """Over all keys, in all rows that have a choice."""
    return Spread.of(passage, torch.ones_like(passage.special), passage.choosing)


@made_once
def rest(passage: Passage) -> Spread:
    """Over what is left when the sink, special tokens and the first one, is put aside."""
    kept = ~passage.special & (passage.places > 0)
    return Spread.of(passage, kept, kept)


@made_once
def ordinary_rows(passage: Passage) -> Tensor:
    """[T]: the share of each row in a mean over ordinary ones."""
    return passage.ordinary / passage.ordinary.sum()


@dataclass(frozen=True, eq=False)
class Pairs:
    """Visible pairs of two different content tokens; none where they are too few to compare."""

    cells: Tensor  # [P] long: T*i + j
    likeness: FixedRanks  # of the two tokens of each

    @property
    def n(self) -> int:
        """How many there are."""
        return len(self.cells)


@made_once
def content_pairs(passage: Passage) -> Pairs:
    """The pairs of a passage; none where its embeddings are unknown."""
    content = passage.content & passage.content[:, None]
    different = passage.ids != passage.ids[:, None]
    cells = (content & different & passage.visible).flatten().nonzero()[:, 0]
    if passage.likeness is None or len(cells) < LEAST_PAIRS:
        return Pairs(cells[:0], FixedRanks.of(torch.zeros(0)))
    cells = cells[:: -(-len(cells) // MOST_PAIRS)]
    return Pairs(cells, FixedRanks.of(passage.likeness.flatten()[cells]))
