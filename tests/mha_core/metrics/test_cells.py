"""Metrics that count cells: each with an example counted by hand."""

import gc
import math
import weakref

import pytest
import torch

from mha_core.attention import Weights
from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import linear_metrics
from mha_core.metrics.map_summary import summarize
from mha_core.metrics.measure import measurement
from mha_core.metrics.passage import Passage
from tests.hand_made import looking_at, passage_of, visible_keys


def value(name: str, text: str, targets: list[int], *, causal: bool = False) -> float:
    """The metric of a head whose every row looks at one key alone."""
    return float(measurement(name, looking_at(targets), passage_of(text, causal=causal)).value)


def counted(passage: Passage, name: str) -> set[tuple[int, int]]:
    """The (query, key) cells that a metric counts."""
    T = passage.n_tokens  # noqa: N806 (the shape letters)
    one_cell_each = torch.eye(T * T).view(T * T, T, T)[visible_keys(passage).flatten()]
    sums = summarize(passage, Weights.of(one_cell_each)).linear  # [heads, M]
    found = one_cell_each[sums[:, cell_table(passage).names.index(name)] > 0]
    return {(int(i), int(j)) for _, i, j in found.nonzero()}


def test_previous() -> None:
    # Neither a special token nor the first one counts as the token before.
    assert counted(passage_of("[CLS] a b [SEP] c d [SEP]"), "previous") == {(2, 1), (5, 4)}
    assert counted(passage_of("a b c d", causal=True), "previous") == {(2, 1), (3, 2)}
    assert value("previous", "[CLS] a b c d [SEP]", [0, 0, 1, 2, 0, 0]) == pytest.approx(2 / 3)


def test_next() -> None:
    assert counted(passage_of("[CLS] a b [SEP] c d [SEP]"), "next") == {(1, 2), (4, 5)}
    assert counted(passage_of("a b c"), "next") == {(0, 1), (1, 2)}
    assert counted(passage_of("a b c", causal=True), "next") == set()
    assert value("next", "[CLS] a b c d [SEP]", [0, 2, 3, 0, 5, 0]) == pytest.approx(2 / 3)


def test_self() -> None:
    assert counted(passage_of("[CLS] a b [SEP]"), "self") == {(1, 1), (2, 2)}
    # A causal model's first row has no choice.
    assert counted(passage_of("a b c", causal=True), "self") == {(1, 1), (2, 2)}
    assert value("self", "[CLS] a b c [SEP]", [0, 1, 0, 0, 4]) == pytest.approx(1 / 3)


def test_first() -> None:
    assert value("first", "a b c d e", [1, 0, 0, 3, 0]) == pytest.approx(3 / 4)
    assert value("first", "a b c", [0, 0, 1], causal=True) == pytest.approx(1 / 2)


def test_special() -> None:
    assert value("special", "[CLS] a b [SEP]", [0, 3, 1, 1]) == pytest.approx(2 / 4)


def test_separator() -> None:
    assert value("separator", "[CLS] a b [SEP]", [0, 3, 1, 1]) == pytest.approx(1 / 4)


def test_punctuation() -> None:
    assert value("punctuation", "a , b .", [1, 3, 3, 0]) == pytest.approx(3 / 4)


def test_locality() -> None:
    cells = {(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)}
    assert counted(passage_of("a b c", causal=True), "locality") == cells
    assert value("locality", "a b c d", [3, 1, 0, 2]) == pytest.approx(3 / 4)


def test_duplicate() -> None:
    # Only earlier equal tokens, and special ones never.
    assert counted(passage_of("[SEP] x y x [SEP] x"), "duplicate") == {(3, 1), (5, 1), (5, 3)}
    assert value("duplicate", "x y x y", [0, 0, 0, 0]) == pytest.approx(1 / 2)


def test_induction() -> None:
    # Row 3: after the x of 1 came y (2). Row 5: also [SEP] (4), which never counts.
    assert counted(passage_of("[SEP] x y x [SEP] x"), "induction") == {(3, 2), (5, 2)}
    # Row 1: after the x of 0 comes row 1 itself. Row 2: what followed 0 is 1; 1 is followed by 2.
    assert counted(passage_of("x x x"), "induction") == {(2, 1)}
    assert value("induction", "x y x y", [0, 0, 1, 0]) == pytest.approx(1 / 2)


def test_current_word() -> None:
    passage = passage_of("un ##think ##able a ##b")
    assert counted(passage, "current_word") == {(1, 0), (2, 0), (2, 1), (4, 3)}
    assert value("current_word", "un ##think ##able", [0, 0, 2]) == pytest.approx(1 / 2)


def test_segment() -> None:
    assert counted(passage_of("[CLS] a b [SEP]"), "segment") == set()  # it needs a pair
    passage = passage_of("[CLS] a b [SEP] c [SEP]")
    assert counted(passage, "segment") == {(1, 1), (1, 2), (2, 1), (2, 2), (4, 4)}
    # Of a causal model only the second sentence chooses between two.
    back = passage_of("a b [SEP] c d", causal=True)
    assert counted(back, "segment") == {(3, 3), (4, 3), (4, 4)}
    found = value("segment", "[CLS] a b [SEP] c d [SEP]", [0, 1, 1, 0, 5, 1, 0])
    assert found == pytest.approx(3 / 4 - 2 / 7)


def test_every_metric_has_a_test() -> None:
    for name in linear_metrics(passage_of("a b")):
        assert f"test_{name}" in globals()


def test_a_metric_without_cells_is_undefined() -> None:
    passage = passage_of("a b")
    table = cell_table(passage)
    for name in ("special", "duplicate", "current_word", "segment", "punctuation"):
        assert table.n[name] == 0
        assert math.isnan(table.baseline[name])
        assert math.isnan(table.ceiling[name])


def test_a_metric_above_uniform_attention_is_zero_for_uniform_attention() -> None:
    passage = passage_of("[CLS] a b [SEP] c [SEP]")
    table = cell_table(passage)
    assert table.baseline["segment"] == 0
    assert table.ceiling["segment"] == pytest.approx(1 - (2 + 2 + 1) / 6 / 3)


def test_the_table_is_cached_on_its_passage_and_freed_with_it() -> None:
    passage = passage_of("a b")
    table = cell_table(passage)
    assert cell_table(passage) is table
    assert cell_table(passage_of("a b")) is not table
    kept = weakref.ref(table)
    del passage, table
    gc.collect()
    assert kept() is None
