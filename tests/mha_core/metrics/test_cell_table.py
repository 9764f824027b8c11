"""The table of all metrics that count cells."""

import gc
import weakref

import pytest
import torch

from mha_core.metrics.cell_table import cell_table
from mha_core.metrics.cells import LINEAR
from mha_core.metrics.passage import Passage
from tests.hand_made import passage_of

NAMES = list(LINEAR)


def column(passage: Passage, name: str) -> torch.Tensor:
    return cell_table(passage).weights[NAMES.index(name)]


def test_a_column_is_a_mean_over_rows() -> None:
    previous = column(passage_of("[CLS] a b c [SEP]"), "previous")
    assert previous[previous > 0].tolist() == pytest.approx([1 / 3] * 3)
    assert previous.sum() == pytest.approx(1)


def test_cells_count_as_often_as_their_metric_says() -> None:
    distance = column(passage_of("a b c", causal=True), "distance").view(3, 3)
    assert distance.tolist() == [[0, 0, 0], [0.5, 0, 0], [1, 0.5, 0]]


def test_what_cannot_be_counted_is_not_a_number() -> None:
    passage = passage_of("a b")
    for name in ("special", "duplicate", "current_word", "segment", "punctuation"):
        assert cell_table(passage).n[name] == 0
        assert column(passage, name).isnan().all()


def test_what_goes_beyond_uniform_attention_is_nothing_for_it() -> None:
    passage = passage_of("[CLS] a b [SEP] c [SEP]")
    table = cell_table(passage)
    assert float(table.measure(passage.uniform[None])["segment"]) == 0
    assert table.ceiling["segment"] == pytest.approx(1 - (2 + 2 + 1) / 6 / 3)


def test_each_metric_is_the_product_with_its_own_weights() -> None:
    passage = passage_of("[CLS] the cat saw the cat , [SEP] it ran [SEP]")
    pattern = torch.rand(3, passage.n_tokens, passage.n_tokens)
    found = cell_table(passage).measure(pattern)
    assert list(found) == NAMES
    for name in ("previous", "special", "distance", "duplicate"):
        expected = (pattern.flatten(1) * column(passage, name)).sum(1)
        torch.testing.assert_close(found[name], expected)


def test_tables_are_made_once_and_go_with_their_passage() -> None:
    passage = passage_of("a b")
    table = cell_table(passage)
    assert cell_table(passage) is table
    assert cell_table(passage_of("a b")) is not table
    kept = weakref.ref(table)
    del passage, table
    gc.collect()
    assert kept() is None
