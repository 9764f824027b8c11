"""Metrics of whole maps: each with an example counted by hand."""

import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from mha_core.metrics.catalogue import SHAPES
from mha_core.metrics.map_metrics import MAP_METRICS
from mha_core.metrics.measure import measurement
from mha_core.metrics.meter import Meter
from mha_core.metrics.passage import Passage
from mha_core.models.family import input_embeddings
from mha_core.models.loading import LoadedModel
from mha_core.runs.analysis import analyse
from mha_core.text.tokenization import tokenize
from tests.hand_made import looking_at, passage_of, uniform_head


def value(name: str, pattern: Tensor, passage: Passage) -> float:
    return float(measurement(name, pattern, passage).value)


@pytest.fixture
def passage() -> Passage:
    return passage_of("[CLS] a b c d [SEP]")


def test_previous_hits(passage: Passage) -> None:
    pattern = looking_at([0, 0, 1, 2, 0, 0])  # the row after [CLS] does not count
    assert value("previous_hits", pattern, passage) == pytest.approx(2 / 3)
    # A tie counts as its share.
    pattern[0, 2] = torch.tensor([0.5, 0.5, 0, 0, 0, 0])
    assert value("previous_hits", pattern, passage) == pytest.approx((0.5 + 1 + 0) / 3)


def test_next_hits(passage: Passage) -> None:
    pattern = looking_at([0, 2, 3, 0, 5, 0])  # the row before [SEP] does not count
    assert value("next_hits", pattern, passage) == pytest.approx(2 / 3)
    assert math.isnan(value("next_hits", looking_at([0, 0]), passage_of("a b", causal=True)))


def test_self_hits(passage: Passage) -> None:
    assert value("self_hits", looking_at([0, 1, 0, 0, 4, 5]), passage) == pytest.approx(2 / 4)


def test_entropy() -> None:
    passage = passage_of("a b c d")
    assert value("entropy", looking_at([0, 0, 0, 0]), passage) == pytest.approx(0)
    half = torch.tensor([[[0.5, 0.5, 0, 0]] * 4])
    assert value("entropy", half, passage) == pytest.approx(0.5)  # of the largest, ln 4


def test_entropy_without_sink() -> None:
    passage = passage_of("[CLS] a b c d")
    assert value("entropy_without_sink", looking_at([0, 2, 2, 2, 2]), passage) == 0
    # The attention outside the sink is rescaled to sum to one.
    pattern = torch.tensor([[[0.97, 0.01, 0.01, 0.01, 0.0]] * 5])
    assert value("entropy", pattern, passage) < 0.2
    expected = math.log(3) / math.log(4)
    assert value("entropy_without_sink", pattern, passage) == pytest.approx(expected, abs=1e-4)


def test_rows_that_look_only_at_the_sink_do_not_count() -> None:
    passage = passage_of("[CLS] a b c")
    assert math.isnan(value("entropy_without_sink", looking_at([0, 0, 0, 0]), passage))
    pattern = torch.tensor([[[1, 0, 0, 0], [1, 0, 0, 0], [0, 0.5, 0.5, 0], [1, 0, 0, 0.0]]])
    expected = math.log(2) / math.log(3)
    assert value("entropy_without_sink", pattern, passage) == pytest.approx(expected)


def test_confidence() -> None:
    passage = passage_of("[CLS] a b [SEP]")
    assert value("confidence", looking_at([0, 3, 1, 1]), passage) == pytest.approx(1 / 2)


def test_distance() -> None:
    found = value("distance", looking_at([3, 1, 0, 2]), passage_of("a b c d"))
    assert found == pytest.approx((3 + 0 + 2 + 1) / 4)


def test_similarity() -> None:
    vectors = torch.randn(6, 3, generator=torch.Generator().manual_seed(1))
    passage = passage_of("cat dog fish bird horse cow", embeddings=vectors)
    cosine = torch.cosine_similarity(vectors[:, None], vectors, dim=-1)
    rising = torch.stack([cosine, -cosine])
    # Ranked over all pairs, not row by row: a softmax would rescale each row.
    pattern = rising - rising.amin((1, 2), keepdim=True)
    assert measurement("similarity", pattern, passage).value.tolist() == pytest.approx(
        [1, -1], abs=0.02
    )


SHORT = ("Interested in audiobooks?", "Buy cheap flights", "Cats chase small mice, small mice run.")


@pytest.mark.parametrize("text", SHORT)
def test_similarity_of_a_short_text_is_that_of_float64(text: str, minilm: LoadedModel) -> None:
    # Each pair of words ties with itself the other way round: rounding must not break the tie.
    tokenized = tokenize(minilm.tokenizer, text)
    passage = Meter.of(minilm, tokenized).passage
    ids = torch.from_numpy(passage.ids).to(minilm.device)
    vectors = input_embeddings(minilm.network, "encoder")[ids].detach().cpu().double()
    cosine = torch.cosine_similarity(vectors[:, None], vectors, dim=-1).numpy()
    content = passage.content & passage.content[:, None]
    pairs = content & (passage.ids != passage.ids[:, None])
    ranks = mean_ranks(((cosine + cosine.T) / 2)[pairs])
    for capture in analyse(minilm, tokenized).layers:
        pattern = capture.pattern()[0]
        found = measurement("similarity", pattern, passage).value.tolist()
        heads = pattern.cpu().double().numpy()[:, pairs]
        expected = [float(np.corrcoef(mean_ranks(head), ranks)[0, 1]) for head in heads]
        assert found == pytest.approx(expected, abs=1e-5)


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    below, equal = (values[:, None] > values).sum(1), (values[:, None] == values).sum(1)
    return below + (equal - 1) / 2


def test_shape() -> None:
    T = 12  # noqa: N806 (the shape letters)
    single = passage_of(" ".join("abcdefghijkl"))
    pair = passage_of(" ".join([*"abcdefghijkl", "[SEP]", *"mnopqrstuvwx", "[SEP]"]))
    down, diagonal = looking_at([3] * T), looking_at([0, *range(T - 1)])
    own = torch.from_numpy((pair.segment == pair.segment[:, None]) & ~pair.special)
    blocks = (own / own.sum(-1, keepdim=True))[None]
    expected = {
        "vertical": (down, single),
        "diagonal": (diagonal, single),
        "both": ((down + diagonal) / 2, single),
        "block": (blocks, pair),
        "heterogeneous": (looking_at([(5 * i + 2) % T for i in range(T)]), single),
    }
    assert tuple(expected) == SHAPES
    for name, (pattern, passage) in expected.items():
        assert SHAPES[int(value("shape", pattern, passage))] == name
    assert SHAPES[int(value("shape", uniform_head(single), single))] == "heterogeneous"


def test_every_metric_has_a_test() -> None:
    for name, metric in MAP_METRICS.items():
        assert metric.name == name
        assert f"test_{name}" in globals()
