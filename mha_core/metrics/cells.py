"""Metrics that are mean attention on certain cells of a map: which cells count for each of them.

    value = mean over the rows that count of the sum of A[i, j] over the cells (i, j) that count

The cells depend on the text alone, and are described by vectors over its T tokens.
"""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from mha_core.metrics.key_lists import KeyLists
from mha_core.metrics.passage import Passage, cached_per_passage

NEAR = (-2, -1, 0, 1, 2)  # the offsets that metrics can count


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells a metric counts, in one of four ways; keys that are not visible never count."""

    rows: Tensor  # [T] bool: queries to average over
    keys: Tensor | None = None  # [T] bool: these keys, the same in every row
    group: Tensor | None = None  # [T] long: the keys of the row's own group; -1: in no group
    offsets: tuple[int, ...] = ()  # the keys at these distances, some of NEAR
    lists: KeyLists | None = None  # the keys listed for each row, all of them visible
    minus_uniform: bool = False  # subtract the value of uniform attention

    def count(self, passage: Passage) -> Tensor:
        """[T] long: how many visible keys count in each row."""
        if self.keys is not None:
            return passage.count_visible(self.keys)
        if self.group is not None:
            members = group_members(self.group)  # [S, T]
            return torch.sum(passage.count_visible(members) * members, 0)
        if self.lists is not None:
            return self.lists.count
        return torch.sum(sees_near(passage)[[NEAR.index(it) for it in self.offsets]], 0)

    def in_rows_that_see_one(self, passage: Passage) -> "Cells":
        """The same cells, in those of the rows that see any of them."""
        return replace(self, rows=self.rows & (self.count(passage) > 0))


def group_members(group: Tensor) -> Tensor:
    """The members of each of S groups, [S, T] bool, from `group` [T] long; -1 is no group."""
    numbers = group.unique()
    return torch.eq(group, numbers[numbers >= 0, None])


@cached_per_passage
def sees_near(passage: Passage) -> Tensor:
    """[len(NEAR), T] bool: whether each row sees the key at each offset."""
    keys = passage.positions + torch.tensor(NEAR, device=passage.ids.device)[:, None]
    last = passage.positions if passage.causal else passage.n_tokens - 1
    return (keys >= 0) & (keys <= last)


def linear_metrics(passage: Passage) -> dict[str, Cells]:
    """The metrics of this file by name."""
    special, choosing, ordinary = passage.special, passage.choosing, passage.ordinary
    after_first = passage.positions > 0
    duplicates = KeyLists.of_earlier(passage.ids, ~special)
    pieces = KeyLists.of_earlier(passage.word, ~special)
    own = Cells(ordinary, group=torch.where(special, -1, passage.segment), minus_uniform=True)
    sees_other = passage.count_visible(~special) > own.count(passage)

    metrics = {
        "previous": Cells(ordinary, offsets=(-1,)),
        "next": Cells(ordinary, offsets=(1,)),
        "self": Cells(ordinary, offsets=(0,)),
        "duplicate": Cells(ordinary, lists=duplicates),
        "induction": Cells(ordinary, lists=duplicates.to_successors(~special)),
        "current_word": Cells(ordinary, lists=pieces),
    }
    return {
        **{name: cells.in_rows_that_see_one(passage) for name, cells in metrics.items()},
        "first": Cells(after_first, lists=KeyLists.of_one(0, after_first)),
        "special": Cells(choosing, keys=special),
        "separator": Cells(choosing, keys=special & after_first),
        "punctuation": Cells(choosing, keys=passage.punctuation),
        "locality": Cells(choosing, offsets=NEAR),
        "segment": replace(own, rows=ordinary & sees_other),
    }
