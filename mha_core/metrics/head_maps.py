"""Maps of some heads on one text, with the intermediate results that several metrics share.

A[h, i, j]: share of its attention that head h gives, at query i, to key j; rows sum to one
"""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from mha_core.metrics.cells import cell_table
from mha_core.metrics.passage import Passage, cached_per_passage
from mha_core.runs.value_weights import weigh

SMALLEST = torch.finfo(torch.float32).tiny  # replaces 0 in a logarithm or a denominator


@dataclass(frozen=True, eq=False)
class Maps:
    """Maps of H heads, raw or value-weighted; their pattern is never written to."""

    pattern: Tensor  # [H, T, T]
    passage: Passage
    known_a_ln_a: Tensor | None = None  # [H, T, T], if it was computed along with the pattern

    def with_value_weighted(self, norms: Tensor) -> "Maps":
        """These maps followed by their value-weighted maps, 2H heads, from value norms [H, T]."""
        H, T, _ = self.pattern.shape  # noqa: N806 (the shape letters)
        pattern, logs = self.pattern.new_empty(2, 2 * H, T, T)
        pattern[:H] = self.pattern
        received = weigh(self.pattern, norms, out=pattern[H:])  # [H, T, 1]
        torch.clamp(self.pattern, min=SMALLEST, out=logs[:H]).log_()
        # Logarithms cost most, and a weighted map needs none: ln (A n / r) = ln A + ln n - ln r.
        torch.add(logs[:H], norms.clamp_min(SMALLEST).log_()[:, None], out=logs[H:])
        logs[H:] -= received.log_()
        return Maps(pattern, self.passage, logs.mul_(pattern))

    @cached_property
    def linear(self) -> dict[str, Tensor]:
        """Every linear metric, [H] each."""
        return cell_table(self.passage).measure(self.pattern)

    @cached_property
    def a_ln_a(self) -> Tensor:
        """[H, T, T]: the terms of entropies."""
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
    def nearby_hits(self) -> Tensor:
        """[H, 3, T]: 1/n where the key before, at or after is one of n with the largest weight."""
        T = self.passage.n_tokens  # noqa: N806 (the shape letters)
        near = self.pattern.flatten(1).index_select(1, _near_cells(self.passage))  # [H, 3*T]
        hits = near.view(-1, 3, T) == self.largest[:, None]  # [H, 3, T]
        shares = hits.to(self.pattern.dtype)
        # Hits are few: count ties in their rows only.
        hit = hits.flatten().nonzero()[:, 0]
        rows = hit // (3 * T) * T + hit % T
        weights = self.pattern.reshape(-1, T).index_select(0, rows)  # [hits, T]
        ties = weights == self.largest.view(-1)[rows, None]
        shares.view(-1)[hit] = 1 / ties.sum(-1)
        return shares


@cached_per_passage
def _special_keys(passage: Passage) -> Tensor:
    """[S] long."""
    return passage.special.nonzero()[:, 0]


@cached_per_passage
def _no_special(passage: Passage) -> Tensor | None:
    """[T]: 0 for special keys, 1 for others; None if there are no special tokens."""
    return (~passage.special).float() if len(_special_keys(passage)) else None


@cached_per_passage
def _near_cells(passage: Passage) -> Tensor:
    """[3*T] long: cells T*i + j of the keys before, at and after each query, clamped to the map."""
    T, positions = passage.n_tokens, passage.positions  # noqa: N806 (the shape letters)
    return torch.cat([positions * T + (positions + step).clamp(0, T - 1) for step in (-1, 0, 1)])
