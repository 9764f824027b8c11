"""Metrics against published tensors, against sums done by hand, and for what must always hold."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from mha_core.attention import Weights, attention_weights, causal_bias
from mha_core.metrics.catalogue import METRICS
from mha_core.metrics.cells import linear_metrics
from mha_core.metrics.map_metrics import MAP_METRICS
from mha_core.metrics.map_summary import summarize
from mha_core.metrics.measure import measure, measure_all, measurement, opportunities
from mha_core.metrics.passage import Passage
from tests.hand_made import passage_of, tokens_of, uniform_head, visible_keys
from tests.reference_metrics import reference_metrics

moderately = settings(max_examples=40)

# Repeats, a word in pieces, punctuation, two sentences, content words enough to compare.
FULL = "[CLS] the cat sat , the un ##happy cat slept . [SEP] dogs bark the cat [SEP]"


def full_passage(*, causal: bool) -> Passage:
    vectors = torch.randn(len(FULL.split()), 8, generator=torch.Generator().manual_seed(0))
    return passage_of(FULL, causal=causal, embeddings=vectors)


def random_heads(n_heads: int, passage: Passage, seed: int = 0) -> Tensor:
    """Heads of all kinds, some almost even, some peaked, [H, T, T]."""
    draws = torch.Generator().manual_seed(seed)
    scores = torch.randn(n_heads, passage.n_tokens, passage.n_tokens, generator=draws)
    scores = scores * torch.linspace(0.1, 12, n_heads)[:, None, None]
    return scores.masked_fill(~visible_keys(passage), -torch.inf).softmax(-1)


PAIR = "[CLS] a b [SEP] c d [SEP]"


# --- published tensors ---------------------------------------------------------------------------


BERT, GPT2 = "bert_base_uncased__cat_mat_rug", "gpt2__quick_brown_fox"


def published(folder: Path, name: str) -> tuple[Tensor, Passage]:
    """The attention of a published model, [144, T, T], and its text."""
    with np.load(folder / "golden" / f"{name}.npz") as saved:
        pattern, pieces = torch.from_numpy(saved["attention"]), saved["tokens"].tolist()
    tokens = tokens_of([piece.strip() for piece in pieces])
    return pattern.flatten(0, 1), Passage.of(tokens, causal=name == GPT2)


def by_head(pattern: Tensor, passage: Passage) -> dict[str, Tensor]:
    """Every metric, [12, 12] each."""
    return {name: values.view(12, 12) for name, values in measure(pattern, passage).items()}


def on_neighbour(pattern: Tensor, passage: Passage, offset: int) -> Tensor:
    """Mean attention on a neighbour, [12, 12], in all rows that are no special token.

    The published numbers count so; the metrics leave out rows beside special tokens.
    """
    rows = np.flatnonzero(passage.ordinary)
    return pattern[:, rows, rows + offset].mean(-1).view(12, 12)


def heads_above(values: Tensor, limit: float) -> set[str]:
    return {f"{layer}.{head}" for layer, head in (values > limit).nonzero().tolist()}


def test_bert_is_as_published(shared_data: Path) -> None:
    pattern, passage = published(shared_data, BERT)
    found = by_head(pattern, passage)
    numbers = {
        **{"next": on_neighbour(pattern, passage, 1), "prev": on_neighbour(pattern, passage, -1)},
        **{"sep": found["separator"], "entropy_norm": found["entropy"]},
    }
    expected = json.loads((shared_data / "golden" / "expected.json").read_text())
    checked = 0
    for key, value in expected.items():
        model, _, rest = key.partition(".cat.")
        place, _, name = rest.partition(".")
        if model == "bert" and name in numbers:
            layer, head = map(int, place.split("-"))
            assert float(numbers[name][layer, head]) == pytest.approx(value, abs=2e-3), key
            checked += 1
    assert checked == 11
    nats = float(found["entropy"][2, 0]) * math.log(passage.n_tokens)
    assert nats == pytest.approx(expected["bert.cat.2-0.entropy"], abs=2e-3)
    mean = float(found["separator"][5:10].mean())
    assert mean == pytest.approx(expected["bert.cat.sep_layers5_9_mean"], abs=2e-3)
    assert heads_above(found["next"], 0.5) == {"0.10", "1.1", "2.0", "2.9", "5.9"}
    assert heads_above(found["previous"], 0.5) == {"3.5", "6.11", "7.4"}


def test_gpt2_is_as_published(shared_data: Path) -> None:
    found = by_head(*published(shared_data, GPT2))
    expected = json.loads((shared_data / "golden" / "expected.json").read_text())
    assert float(found["previous"][4, 11]) == pytest.approx(
        expected["gpt2.fox.L4H11.prev"], abs=2e-3
    )
    for layer, head in ((5, 1), (5, 5), (6, 9), (7, 2), (7, 10)):
        value = expected[f"gpt2.fox.L{layer}H{head}.first_token"]
        assert float(found["first"][layer, head]) == pytest.approx(value, abs=2e-3)
    mean = expected["gpt2.fox.mean_first_token_rows1plus"]
    assert float(found["first"].mean()) == pytest.approx(mean, abs=2e-3)


# --- what must always hold -----------------------------------------------------------------------


def test_every_metric_of_the_catalogue_is_computed_once() -> None:
    linear = linear_metrics(full_passage(causal=False))
    assert sorted([*linear, *MAP_METRICS]) == sorted(METRICS)


@pytest.mark.parametrize("causal", [False, True])
def test_one_metric_alone_is_the_one_among_all(causal: bool) -> None:
    passage = full_passage(causal=causal)
    pattern = random_heads(5, passage)
    found, limits = measure(pattern, passage), opportunities(passage)
    for name in METRICS:
        alone = measurement(name, pattern, passage)
        torch.testing.assert_close(alone.value, found[name], equal_nan=True)
        opportunity, expected = (alone.n, alone.baseline, alone.ceiling), limits[name]
        assert opportunity == pytest.approx(
            (expected.n, expected.baseline, expected.ceiling), nan_ok=True
        )


PIECES = ("[CLS]", "[SEP]", ",", "the", "cat", "dog", "un", "##happy", "##ly", "bird")
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=24)


def assert_same(found: dict[str, Tensor], expected: dict[str, Tensor]) -> None:
    for name, values in expected.items():
        torch.testing.assert_close(
            found[name].double(), values, atol=1e-5, rtol=1e-5, equal_nan=True, msg=name
        )


@moderately
@given(texts, st.booleans(), st.integers(0, 1000), st.integers(1, 200))
def test_every_metric_follows_its_definition_in_one_block_of_rows_or_many(
    pieces: list[str], causal: bool, seed: int, cells_at_once: int
) -> None:
    vectors = torch.randn(len(PIECES), 8, generator=torch.Generator().manual_seed(0))
    vectors = vectors[[PIECES.index(piece) for piece in pieces]]
    passage = Passage.of(tokens_of(pieces), causal=causal, embeddings=vectors)
    pattern = random_heads(3, passage, seed)
    expected = reference_metrics(pattern, passage)
    assert list(expected) == list(METRICS)
    assert_same(measure(pattern, passage), expected)
    in_blocks = measure_all(summarize(passage, Weights.of(pattern), cells_at_once))
    assert_same(dict(zip(METRICS, in_blocks, strict=True)), expected)


@pytest.mark.parametrize("causal", [False, True])
def test_metrics_from_scores_are_those_from_the_pattern(causal: bool) -> None:
    passage = full_passage(causal=causal)
    draws = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 5, passage.n_tokens, 8, generator=draws) * 2
    mask = causal_bias(passage.n_tokens, passage.n_tokens) if causal else None
    weights = attention_weights(q, k, mask, 0.35).of_first()
    expected = measure_all(summarize(passage, Weights.of(weights.pattern)))
    for cells_at_once in (10**6, 100):
        found = measure_all(
            summarize(passage, Weights(*(it.clone() for it in weights)), cells_at_once)
        )
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5, equal_nan=True)


@pytest.mark.parametrize("name", [BERT, GPT2])
def test_published_attention_is_measured_as_defined(name: str, shared_data: Path) -> None:
    heads, passage = published(shared_data, name)
    assert_same(measure(heads, passage), reference_metrics(heads, passage))


@moderately
@given(st.booleans(), st.permutations(range(7)), st.integers(0, 1000))
def test_permuting_heads_permutes_metrics(causal: bool, order: list[int], seed: int) -> None:
    passage = full_passage(causal=causal)
    pattern = random_heads(7, passage, seed)
    straight, permuted = measure(pattern, passage), measure(pattern[order], passage)
    for name, values in straight.items():
        torch.testing.assert_close(permuted[name], values[order], equal_nan=True)


@moderately
@given(st.booleans(), st.integers(0, 1000))
def test_values_stay_within_their_range_and_below_their_ceiling(causal: bool, seed: int) -> None:
    passage = full_passage(causal=causal)
    found, limits = measure(random_heads(9, passage, seed), passage), opportunities(passage)
    for name, metric in METRICS.items():
        values = found[name]
        lowest, highest = metric.range
        if limits[name].n == 0:
            assert values.isnan().all()
            continue
        assert (values >= lowest).all()
        assert (values <= (math.inf if highest is None else highest)).all()
        if metric.kind == "number":
            assert (values <= limits[name].ceiling + 1e-5).all(), name


@pytest.mark.parametrize("causal", [False, True])
def test_the_input_is_left_untouched(causal: bool) -> None:
    passage = full_passage(causal=causal)
    pattern = random_heads(5, passage)
    before = pattern.clone()
    measure(pattern, passage)
    assert torch.equal(pattern, before)


@pytest.mark.parametrize("causal", [False, True])
def test_uniform_attention_gives_the_baseline(causal: bool) -> None:
    passage = full_passage(causal=causal)
    found = measure(uniform_head(passage).expand(3, -1, -1), passage)
    for name, opportunity in opportunities(passage).items():
        if METRICS[name].kind == "class":
            assert math.isnan(opportunity.baseline)
        else:
            expected = torch.full((3,), opportunity.baseline)
            torch.testing.assert_close(found[name], expected, atol=1e-5, rtol=1e-5, equal_nan=True)


@pytest.mark.parametrize("n_tokens", [3, 5, 40])
def test_causal_baselines_have_their_closed_forms(n_tokens: int) -> None:
    passage = passage_of(" ".join(f"w{i}" for i in range(n_tokens)), causal=True)
    found = opportunities(passage)
    # A row whose previous token is the first does not count for `previous`.
    first_rows = {"self": 1, "first": 1, "confidence": 1, "previous": 2, "previous_hits": 2}
    for name, first_row in first_rows.items():
        expected = sum(1 / (i + 1) for i in range(first_row, n_tokens)) / (n_tokens - first_row)
        assert found[name].baseline == pytest.approx(expected, rel=1e-5), name
        assert found[name].n == n_tokens - first_row
    assert found["entropy"].baseline == pytest.approx(1)  # the largest of row i is ln(i + 1)
    distance = sum(i / 2 for i in range(1, n_tokens)) / (n_tokens - 1)
    assert found["distance"].baseline == pytest.approx(distance, rel=1e-5)
    assert math.isnan(found["next"].baseline)


def test_metrics_a_text_does_not_exercise_have_no_cases_and_are_nan() -> None:
    full = opportunities(full_passage(causal=False))
    assert [name for name, opportunity in full.items() if opportunity.n == 0] == []
    plain = passage_of("a b c", causal=True)
    missing = {name for name, opportunity in opportunities(plain).items() if opportunity.n == 0}
    assert missing == {
        *("next", "next_hits", "special", "separator", "punctuation", "duplicate", "induction"),
        *("current_word", "segment", "similarity"),
    }
    found = measure(random_heads(4, plain), plain)
    for name, values in found.items():
        assert values.isnan().all() == (name in missing), name
        assert values.isnan().any() == (name in missing), name


@pytest.mark.parametrize("causal", [False, True])
def test_a_text_of_one_token_is_no_error(causal: bool) -> None:
    passage = passage_of("a", causal=causal)
    found = measure(torch.ones(2, 1, 1), passage)
    assert found["previous"].isnan().all()
    assert found["entropy"].isnan().all()
    assert found["shape"].isnan().all() == causal  # a causal first row has no choice


def test_a_ceiling_is_the_most_any_head_can_reach() -> None:
    limits = opportunities(passage_of("a b . c", causal=True))
    assert limits["punctuation"].ceiling == pytest.approx(2 / 3)  # row 1 sees no mark
    assert limits["distance"].ceiling == pytest.approx((1 + 2 + 3) / 3)
    pair = opportunities(passage_of(PAIR))
    assert pair["segment"].baseline == 0
    assert pair["segment"].ceiling == pytest.approx(1 - 2 / 7)


def test_metrics_are_computed_where_the_pattern_is(device: torch.device) -> None:
    vectors = torch.randn(len(FULL.split()), 8)
    passage = Passage.of(tokens_of(FULL.split()), causal=False, embeddings=vectors, device=device)
    found = measure(random_heads(3, full_passage(causal=False)).to(device), passage)
    assert {values.device.type for values in found.values()} == {device.type}
