"""Metrics that are means of attention on certain cells: one small function says which, for each.

    value = mean over the rows that count of the sum of A[i, j] over the cells (i, j) that count

A function's name is the metric's name. `@linear` puts it on the list, and `cell_table` makes one
table of all, so that they cost one matrix product. This file must not know heads: which cells count
depends on the text alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

from torch import Tensor

from mha_core.metrics.passage import Passage


@dataclass(frozen=True, eq=False)
class Cells:
    """What a metric counts. A key that is not visible never counts, whatever is said here."""

    keys: Tensor  # bool, [T, T] by query and key, or [T] where they are the same for every query
    rows: Tensor  # [T] bool: queries that are averaged; none are where no cell counts in any
    times: Tensor | None = None  # [T, T]: what attention on each cell is multiplied with
    above_uniform: bool = False  # whether what uniform attention would have is taken off


LINEAR: dict[str, Callable[[Passage], Cells]] = {}
"""The metrics of this file by name."""


def linear(metric: Callable[[Passage], Cells]) -> Callable[[Passage], Cells]:
    """Put a metric on the list."""
    LINEAR[metric.__name__] = metric
    return metric


@linear
def previous(passage: Passage) -> Cells:
    """Attention to the token just before."""
    return _in_rows_that_see_one(passage, passage.ahead == -1)


@linear
def next(passage: Passage) -> Cells:
    """Attention to the token just after."""
    return _in_rows_that_see_one(passage, passage.ahead == 1)


@linear
def self(passage: Passage) -> Cells:
    """Attention of a token to itself."""
    return _in_rows_that_see_one(passage, passage.ahead == 0)


@linear
def first(passage: Passage) -> Cells:
    """Attention to the first token."""
    return Cells(passage.places == 0, passage.places > 0)


@linear
def special(passage: Passage) -> Cells:
    """Attention to special tokens."""
    return Cells(passage.special, passage.choosing)


@linear
def separator(passage: Passage) -> Cells:
    """Attention to special tokens other than the first token."""
    return Cells(passage.special & (passage.places > 0), passage.choosing)


@linear
def punctuation(passage: Passage) -> Cells:
    """Attention to punctuation."""
    return Cells(passage.punctuation, passage.choosing)


@linear
def distance(passage: Passage) -> Cells:
    """How many tokens away attention goes."""
    return Cells(passage.visible, passage.choosing, times=passage.ahead.abs())


@linear
def locality(passage: Passage) -> Cells:
    """Attention within two tokens."""
    return Cells(passage.ahead.abs() <= 2, passage.choosing)


@linear
def duplicate(passage: Passage) -> Cells:
    """Attention to earlier occurrences of the same token."""
    return _in_rows_that_see_one(passage, _same_token(passage))


@linear
def induction(passage: Passage) -> Cells:
    """Attention to what followed earlier occurrences of the same token."""
    followers = _same_token(passage).roll(1, dims=1)  # the last key is earlier than none
    return _in_rows_that_see_one(passage, followers & passage.earlier)


@linear
def current_word(passage: Passage) -> Cells:
    """Attention of later pieces of a word to its earlier pieces."""
    same = passage.word == passage.word[:, None]
    return _in_rows_that_see_one(passage, same & passage.earlier)


@linear
def segment(passage: Passage) -> Cells:
    """Attention inside the own sentence of a pair, beyond its expected share."""
    own = passage.segment == passage.segment[:, None]
    sees_other = (~own & ~passage.special & passage.visible).any(1)
    return Cells(own & ~passage.special, passage.ordinary & sees_other, above_uniform=True)


def _in_rows_that_see_one(passage: Passage, keys: Tensor) -> Cells:
    """Count these keys [T, T] in ordinary rows that see any of them."""
    return Cells(keys, passage.ordinary & (keys & passage.visible).any(1))


def _same_token(passage: Passage) -> Tensor:
    """[T, T] bool: earlier occurrences of the query's token."""
    return (passage.ids == passage.ids[:, None]) & passage.earlier
