"""Metrics that are mean attention on certain cells of a map: which cells count for each of them.

    value = mean over the rows that count of the sum of A[i, j] over the cells (i, j) that count

The cells depend on the text alone, and are described by vectors over its T tokens.
"""

from dataclasses import dataclass, replace

import numpy as np

from mha_core.metrics.key_lists import KeyLists
from mha_core.metrics.passage import Flags, Integers, Passage, cached_per_passage

NEAR = (-2, -1, 0, 1, 2)  # the offsets that metrics can count
_OFFSETS: Integers = np.array(NEAR)[:, None]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells a metric counts, in one of four ways; keys that are not visible never count."""

    rows: Flags  # [T]: queries to average over
    count: Integers  # [T]: how many visible keys count in each row
    keys: Flags | None = None  # [T]: these keys, the same in every row that has a choice
    group: Integers | None = None  # [T]: the keys of the row's own group; -1: in no group
    offsets: tuple[int, ...] = ()  # the keys at these distances, some of NEAR
    lists: KeyLists | None = None  # the keys listed for each row, all of them visible
    minus_uniform: bool = False  # subtract the value of uniform attention

    @classmethod
    def of_keys(cls, passage: Passage, keys: Flags) -> "Cells":
        return cls(passage.choosing, passage.count_visible(keys), keys=keys)

    @classmethod
    def of_group(cls, passage: Passage, rows: Flags, group: Integers) -> "Cells":
        members = group_members(group)  # [S, T]
        count = (passage.count_visible(members) * members).sum(0)
        return cls(rows, count, group=group)

    @classmethod
    def of_offsets(cls, passage: Passage, rows: Flags, *offsets: int) -> "Cells":
        seen = sees_near(passage)[[NEAR.index(it) for it in offsets]]
        return cls(rows, seen.sum(0), offsets=offsets)

    @classmethod
    def of_lists(cls, rows: Flags, lists: KeyLists) -> "Cells":
        return cls(rows, lists.count, lists=lists)

    def where_seen(self) -> "Cells":
        """The same cells, in those of the rows that see any of them."""
        return replace(self, rows=self.rows & (self.count > 0))


def group_members(group: Integers) -> Flags:
    """The members of each of S groups, [S, T], from `group` [T]; -1 is no group."""
    numbers = np.unique(group)
    return np.equal(group, numbers[numbers >= 0, None])


@cached_per_passage
def near_keys(passage: Passage) -> Integers:
    """[len(NEAR), T]: the key at each offset from each row, clamped to the text."""
    keys: Integers = passage.positions + _OFFSETS
    return keys.clip(0, passage.n_tokens - 1)


@cached_per_passage
def sees_near(passage: Passage) -> Flags:
    """[len(NEAR), T]: whether each row sees the key at each offset."""
    is_there: Flags = near_keys(passage) == passage.positions + _OFFSETS
    return np.logical_and(is_there, _OFFSETS <= 0) if passage.causal else is_there


def linear_metrics(passage: Passage) -> dict[str, Cells]:
    """The metrics of this file by name."""
    special, ordinary = passage.special, passage.ordinary
    after_first = passage.positions > 0
    duplicates = KeyLists.of_earlier(passage.ids, ~special)
    pieces = KeyLists.of_earlier(passage.word, ~special)
    # A head that rests on special tokens or on the first one looks at no neighbour by that.
    after_word = ordinary & np.roll(passage.no_sink, 1)
    before_word = ordinary & ~np.roll(special, -1)
    own = Cells.of_group(passage, ordinary, np.where(special, -1, passage.segment))
    sees_other = passage.count_visible(~special) > own.count
    return {
        "previous": Cells.of_offsets(passage, after_word, -1).where_seen(),
        "next": Cells.of_offsets(passage, before_word, 1).where_seen(),
        "self": Cells.of_offsets(passage, ordinary, 0).where_seen(),
        "duplicate": Cells.of_lists(ordinary, duplicates).where_seen(),
        "induction": Cells.of_lists(ordinary, duplicates.to_successors(~special)).where_seen(),
        "current_word": Cells.of_lists(ordinary, pieces).where_seen(),
        "first": Cells.of_lists(after_first, KeyLists.of_one(0, after_first)),
        "special": Cells.of_keys(passage, special),
        "separator": Cells.of_keys(passage, special & after_first),
        "punctuation": Cells.of_keys(passage, passage.punctuation),
        "locality": Cells.of_offsets(passage, passage.choosing, *NEAR),
        "segment": replace(own, rows=ordinary & sees_other, minus_uniform=True),
    }
