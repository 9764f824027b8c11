"""Metrics that are mean attention on certain cells of a map, and the table that computes them all.

    value = mean over the rows that count of the sum of A[i, j] over the cells (i, j) that count

A function under `@linear` is a metric of its name: it says which cells count, from the text alone.
All of them together cost one matrix product with a table made once per text.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from mha_core.metrics.passage import Passage, cached_per_passage

_FAST_WIDTH = 16  # on a CPU a product with 16 columns takes half the time of one with 14


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells a metric counts; keys that are not visible never count."""

    keys: Tensor  # bool, [T, T] by query and key, or [T] where they are the same for every query
    rows: Tensor  # [T] bool: queries to average over; none if no cell of any row counts
    factor: Tensor | None = None  # [T, T]: multiplies the attention on each cell
    minus_uniform: bool = False  # subtract the value of uniform attention


LINEAR: dict[str, Callable[[Passage], Cells]] = {}  # the metrics of this file by name


def linear(metric: Callable[[Passage], Cells]) -> Callable[[Passage], Cells]:
    LINEAR[metric.__name__] = metric
    return metric


@linear
def previous(passage: Passage) -> Cells:
    return _in_rows_that_see_one(passage, passage.offset == -1)


@linear
def next(passage: Passage) -> Cells:
    return _in_rows_that_see_one(passage, passage.offset == 1)


@linear
def self(passage: Passage) -> Cells:
    return _in_rows_that_see_one(passage, passage.offset == 0)


@linear
def first(passage: Passage) -> Cells:
    return Cells(passage.positions == 0, passage.positions > 0)


@linear
def special(passage: Passage) -> Cells:
    """Attention to special tokens."""
    return Cells(passage.special, passage.choosing)


@linear
def separator(passage: Passage) -> Cells:
    return Cells(passage.special & (passage.positions > 0), passage.choosing)


@linear
def punctuation(passage: Passage) -> Cells:
    return Cells(passage.punctuation, passage.choosing)


@linear
def distance(passage: Passage) -> Cells:
    return Cells(passage.visible, passage.choosing, factor=passage.offset.abs())


@linear
def locality(passage: Passage) -> Cells:
    return Cells(passage.offset.abs() <= 2, passage.choosing)


@linear
def duplicate(passage: Passage) -> Cells:
    return _in_rows_that_see_one(passage, _same_token(passage))


@linear
def induction(passage: Passage) -> Cells:
    successors = _same_token(passage).roll(1, dims=1)  # the last key is earlier than no query
    return _in_rows_that_see_one(passage, successors & passage.earlier)


@linear
def current_word(passage: Passage) -> Cells:
    same = passage.word == passage.word[:, None]
    return _in_rows_that_see_one(passage, same & passage.earlier)


@linear
def segment(passage: Passage) -> Cells:
    own = passage.segment == passage.segment[:, None]
    sees_other = (~own & ~passage.special & passage.visible).any(1)
    return Cells(own & ~passage.special, passage.ordinary & sees_other, minus_uniform=True)


def _in_rows_that_see_one(passage: Passage, keys: Tensor) -> Cells:
    """Count these keys [T, T] in ordinary rows that see any of them."""
    return Cells(keys, passage.ordinary & (keys & passage.visible).any(1))


def _same_token(passage: Passage) -> Tensor:
    """[T, T] bool: earlier occurrences of the query's token."""
    return (passage.ids == passage.ids[:, None]) & passage.earlier


@dataclass(frozen=True, eq=False)
class CellTable:
    """The M metrics of LINEAR on one text. A metric that no row exercises has n = 0 and is NaN."""

    weights: Tensor  # [M or more, T*T]: padded with zeros to a width that multiplies fast
    rows: dict[str, Tensor]  # [T] each: the weight of each row in the mean
    expected: Tensor  # [M, 1]: the value of uniform attention where it is subtracted, else 0
    n: dict[str, int]
    ceiling: dict[str, float]

    def measure(self, pattern: Tensor) -> dict[str, Tensor]:
        """Every metric of LINEAR of each head, [H], from pattern [H, T, T]."""
        sums = (pattern.flatten(1) @ self.weights.T).T  # [M or more, H]
        return dict(zip(LINEAR, sums[: len(LINEAR)] - self.expected, strict=True))


@cached_per_passage
def cell_table(passage: Passage) -> CellTable:
    T, M = passage.n_tokens, len(LINEAR)  # noqa: N806 (the shape letters)
    cells = [metric(passage) for metric in LINEAR.values()]
    weights = torch.zeros(M + -M % _FAST_WIDTH, T, T, device=passage.ids.device)
    for table, counted in zip(weights, cells, strict=False):
        table.copy_(counted.keys & passage.visible & counted.rows[:, None])
    rows = torch.stack([counted.rows for counted in cells])  # [M, T]
    rows &= (weights[:M].flatten(1).sum(1) > 0)[:, None]
    n = rows.sum(1)  # [M]
    for table, counted in zip(weights, cells, strict=False):
        if counted.factor is not None:
            table *= counted.factor
    weights[:M] /= n[:, None, None]  # NaN, by 0 / 0, where no row counts
    expected = weights[:M].flatten(1) @ passage.uniform.flatten()  # [M]
    subtract = torch.tensor([counted.minus_uniform for counted in cells], device=expected.device)
    expected = torch.where(subtract, expected, 0)
    ceiling = weights[:M].amax(-1).sum(-1) - expected  # [M]
    return CellTable(
        weights=weights.flatten(1),
        rows=dict(zip(LINEAR, rows / n[:, None], strict=True)),
        expected=expected[:, None],
        n=dict(zip(LINEAR, n.tolist(), strict=True)),
        ceiling=dict(zip(LINEAR, ceiling.tolist(), strict=True)),
    )
