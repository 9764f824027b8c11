"""For each row a list of keys, such as the earlier tokens that are equal to it.

Each list is a slice of one list of all tokens, so T lists take O(T) memory however long they are.
"""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class KeyLists:
    """The keys of row i are keys[begin[i] : end[i]], in ascending order."""

    keys: Tensor  # [at most T] long
    begin: Tensor  # [T] long
    end: Tensor  # [T] long

    @classmethod
    def of_earlier(cls, group: Tensor, counted: Tensor) -> "KeyLists":
        """For each token the earlier ones of its group; only counted [T] tokens have and are any.

        `group` [T] long, none negative where counted.
        """
        group = torch.where(counted, group, -1)
        ordered, keys = group.sort(stable=True)  # by group, then by position
        place = torch.empty_like(keys)
        place[keys] = torch.arange(len(keys), device=keys.device)
        begin = torch.searchsorted(ordered, group)
        return cls(keys, torch.where(counted, begin, place), place)

    @classmethod
    def of_one(cls, key: int, rows: Tensor) -> "KeyLists":
        """The same single key for each of the rows, [T] bool."""
        begin = torch.zeros_like(rows, dtype=torch.long)
        return cls(begin.new_tensor([key]), begin, rows.long())

    def to_successors(self, counted: Tensor) -> "KeyLists":
        """The keys just after these, where those are counted [T] and still before the row."""
        follower = self.keys + 1
        last = len(counted) - 1
        kept = (follower <= last) & counted[follower.clamp_max(last)]
        before = torch.cat([kept.new_zeros(1, dtype=torch.long), kept.cumsum(0)])
        keys, begin, end = follower[kept], before[self.begin], before[self.end]
        if len(keys) == 0:
            return KeyLists(keys, begin, end)
        # Keys ascend, so only the last of a list can be the row itself.
        rows = torch.arange(len(end), device=end.device)
        is_row = (end > begin) & (keys[(end - 1).clamp_min(0)] == rows)
        return KeyLists(keys, begin, end - is_row.long())

    def only_in(self, rows: Tensor) -> "KeyLists":
        """The same, with empty lists in all other rows than these, [T] bool."""
        return KeyLists(self.keys, self.begin, torch.where(rows, self.end, self.begin))

    @property
    def count(self) -> Tensor:
        """[T] long: the length of each list."""
        return self.end - self.begin

    def cells(self, rows: slice, n_keys: int) -> Tensor:
        """The cells n_keys * (i - rows.start) + j of some rows' lists, [cells] long."""
        begin, count = self.begin[rows], self.count[rows]
        row = torch.arange(len(count), device=count.device).repeat_interleave(count)
        before = count.cumsum(0) - count  # the number of cells in the rows above
        at = torch.arange(len(row), device=row.device) + (begin - before)[row]
        return row * n_keys + self.keys[at]
