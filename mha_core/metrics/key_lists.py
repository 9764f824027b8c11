"""For each row a list of keys, such as the earlier tokens that are equal to it.

Each list is a slice of one list of all tokens, so T lists take O(T) memory however long they are.
"""

from dataclasses import dataclass

import numpy as np

from mha_core.metrics.passage import Flags, Integers


@dataclass(frozen=True, eq=False)
class KeyLists:
    """The keys of row i are keys[begin[i] : end[i]], in ascending order."""

    keys: Integers  # [at most T]
    begin: Integers  # [T]
    end: Integers  # [T]

    @classmethod
    def of_earlier(cls, group: Integers, counted: Flags) -> "KeyLists":
        """For each token the earlier ones of its group [T]; only counted [T] ones have and are any.

        No group is negative where it is counted.
        """
        group = np.where(counted, group, -1)
        keys = group.argsort(kind="stable")  # by group, then by position
        place = np.empty_like(keys)
        place[keys] = np.arange(len(keys))
        begin = np.searchsorted(group[keys], group)
        return cls(keys, np.where(counted, begin, place), place)

    @classmethod
    def of_one(cls, key: int, rows: Flags) -> "KeyLists":
        """The same single key for each of the rows, [T]."""
        return cls(np.array([key]), np.zeros(len(rows), np.int64), rows.astype(np.int64))

    def to_successors(self, counted: Flags) -> "KeyLists":
        """The keys just after these, where those are counted [T] and still before the row."""
        follower = self.keys + 1
        last = len(counted) - 1
        kept = (follower <= last) & counted[follower.clip(max=last)]
        before = np.concatenate([[0], kept.cumsum()])
        keys, begin, end = follower[kept], before[self.begin], before[self.end]
        if len(keys) == 0:
            return KeyLists(keys, begin, end)
        # Keys ascend, so only the last of a list can be the row itself.
        is_row = (end > begin) & (keys[(end - 1).clip(min=0)] == np.arange(len(end)))
        return KeyLists(keys, begin, end - is_row)

    def only_in(self, rows: Flags) -> "KeyLists":
        """The same, with empty lists in all other rows than these, [T]."""
        return KeyLists(self.keys, self.begin, np.where(rows, self.end, self.begin))

    @property
    def count(self) -> Integers:
        """[T]: the length of each list."""
        return self.end - self.begin

    def cells(self, rows: slice, n_keys: int) -> Integers:
        """The cells n_keys * (i - rows.start) + j of some rows' lists, [cells]."""
        begin, count = self.begin[rows], self.count[rows]
        row = np.arange(len(count)).repeat(count)
        before = count.cumsum() - count  # the number of cells in the rows above
        at = np.arange(len(row)) + (begin - before)[row]
        return row * n_keys + self.keys[at]
