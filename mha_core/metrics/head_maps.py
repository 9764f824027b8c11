"""The maps of some heads on one text, and what more than one metric needs of them, made once.

    A[h, i, j]: share of its attention that head h gives, at query i, to key j; rows sum to one

This file must not know models or how a pattern came about: a twin weighted by value is a map too.
"""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.passage import Passage, made_once
from mha_core.runs.value_weights import weigh

SMALLEST = torch.finfo(torch.float32).tiny
"""Stands for nothing under a logarithm or a bar: 0 ln 0 is 0."""


@dataclass(frozen=True, eq=False)
class Maps:
    """Maps of H heads; their pattern is never written to."""

    pattern: Tensor  # [H, T, T]
    passage: Passage
    known_a_ln_a: Tensor | None = None  # where the maps came with it

    def with_twins(self, norms: Tensor) -> "Maps":
        """These maps, and after them their twins weighted by value norms [H, T]: 2H heads."""
        H, T, _ = self.pattern.shape  # noqa: N806 (the shape letters)
        pattern, logs = self.pattern.new_empty(2, 2 * H, T, T)
        pattern[:H] = self.pattern
        received = weigh(self.pattern, norms, out=pattern[H:])  # [H, T, 1]
        torch.clamp(self.pattern, min=SMALLEST, out=logs[:H]).log_()
        # Logarithms cost most of all, and a twin needs none: ln (A n / r) = ln A + ln n - ln r.
        torch.add(logs[:H], norms.clamp_min(SMALLEST).log_()[:, None], out=logs[H:])
        logs[H:] -= received.log_()
        return Maps(pattern, self.passage, logs.mul_(pattern))

    @cached_property
    def linear(self) -> dict[str, Tensor]:
        """Every metric that counts cells, [H] each."""
        return cell_table(self.passage).measure(self.pattern)

    @cached_property
    def a_ln_a(self) -> Tensor:
        """[H, T, T]: what entropies are sums of."""
        if self.known_a_ln_a is not None:
            return self.known_a_ln_a
        return self.pattern.clamp_min(SMALLEST).log_().mul_(self.pattern)

    @cached_property
    def largest_ordinary(self) -> Tensor:
        """[H, T]: the largest weight of each row on a key that is no special token."""
        usual = _no_special(self.passage)
        return (self.pattern if usual is None else self.pattern * usual).amax(-1)

    @cached_property
    def largest(self) -> Tensor:
        """[H, T]: the largest weight of each row."""
        special = _special_keys(self.passage)
        if len(special) == 0:
            return self.largest_ordinary
        return torch.maximum(self.pattern.index_select(2, special).amax(-1), self.largest_ordinary)

    @cached_property
    def favours_near(self) -> Tensor:
        """[H, 3, T]: 1 where the key before, at or after a query has the most; a tie is shared."""
        T = self.passage.n_tokens  # noqa: N806 (the shape letters)
        near = self.pattern.flatten(1).index_select(1, _near_cells(self.passage))  # [H, 3*T]
        wins = near.view(-1, 3, T) == self.largest[:, None]  # [H, 3, T]
        shares = wins.to(self.pattern.dtype)
        # Few rows are won, and only in these it matters how many keys share the first place.
        won = wins.flatten().nonzero()[:, 0]
        rows = won // (3 * T) * T + won % T
        weights = self.pattern.reshape(-1, T).index_select(0, rows)  # [won, T]
        ties = weights == self.largest.view(-1)[rows, None]
        shares.view(-1)[won] = 1 / ties.sum(-1)
        return shares


@made_once
def _special_keys(passage: Passage) -> Tensor:
    """[S] long."""
    return passage.special.nonzero()[:, 0]


@made_once
def _no_special(passage: Passage) -> Tensor | None:
    """[T]: 1 for keys that are no special token, 0 for the others; None where there is no other."""
    return (~passage.special).float() if len(_special_keys(passage)) else None


@made_once
def _near_cells(passage: Passage) -> Tensor:
    """[3*T] long: cells T*i + j of the keys before, at and after each query, ends standing in."""
    T, places = passage.n_tokens, passage.places  # noqa: N806 (the shape letters)
    return torch.cat([places * T + (places + step).clamp(0, T - 1) for step in (-1, 0, 1)])
