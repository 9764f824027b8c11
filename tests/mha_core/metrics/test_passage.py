"""The passage of a text."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from mha_core.attention import Weights
from mha_core.metrics.map_summary import summarize
from mha_core.metrics.measure import measure_all, opportunities
from mha_core.metrics.passage import Passage
from mha_core.models.loading import LoadedModel
from mha_core.text.tokenization import tokenize
from tests.hand_made import passage_of, tokens_of


def test_every_column_follows_the_tokens_of_a_pair(minilm: LoadedModel) -> None:
    tokens = tokenize(minilm.tokenizer, "The unbelievable cat!", "It slept.").tokens
    pieces = [token.text for token in tokens]
    passage = Passage.of(tokens, causal=False)
    assert pieces[0] == "[CLS]"
    assert passage.n_tokens == len(tokens)
    assert [p for p, yes in zip(pieces, passage.special.tolist(), strict=True) if yes] == [
        *("[CLS]", "[SEP]", "[SEP]")
    ]
    assert [p for p, yes in zip(pieces, passage.punctuation.tolist(), strict=True) if yes] == [
        *("!", ".")
    ]
    content = [p for p, yes in zip(pieces, passage.content.tolist(), strict=True) if yes]
    assert "".join(content) == "unbelievablecatslept"  # neither "The" nor "It"
    assert passage.ids.tolist() == [token.id for token in tokens]
    assert passage.segment.tolist() == [token.segment for token in tokens]
    assert set(passage.word[passage.special].tolist()) == {-1}
    assert passage.word[~passage.special].tolist() == [
        token.word for token in tokens if token.kind != "special"
    ]
    assert passage.directions is None


def test_function_words_are_recognised_by_the_whole_word_not_by_a_piece() -> None:
    assert passage_of("[CLS] it ##ch it is").content.tolist() == [False, True, True, False, False]


def test_directions_are_input_embeddings_of_length_one(device: torch.device) -> None:
    tokens = tokens_of(["a", "b", "c"])
    vectors = torch.randn(3, 7, generator=torch.Generator().manual_seed(0))
    directions = Passage.of(tokens, causal=False, embeddings=vectors, device=device).directions
    assert directions is not None
    torch.testing.assert_close(directions.cpu(), vectors / vectors.norm(dim=1, keepdim=True))


def test_a_causal_model_sees_what_came_before() -> None:
    keys = np.array([True, False, True])
    both_ways, back = (passage_of("a b c", causal=causal) for causal in (False, True))
    assert both_ways.n_visible.tolist() == [3, 3, 3]
    assert both_ways.count_visible(keys).tolist() == [2, 2, 2]
    assert back.n_visible.tolist() == [1, 2, 3]
    assert back.count_visible(keys).tolist() == [1, 1, 2]
    assert both_ways.choosing.tolist() == [True, True, True]
    assert back.choosing.tolist() == [False, True, True]


def sizes_in(value: object, seen: set[int]) -> Iterator[int]:
    """The size of every tensor and array an object holds, in its fields, caches and containers."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, torch.Tensor):
        yield value.numel()
    elif isinstance(value, np.ndarray):
        yield value.size
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from sizes_in(part, seen)
    elif hasattr(value, "__dict__") and type(value).__module__.startswith("mha_core"):
        yield from sizes_in(vars(value), seen)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("text", ["same", "different"])
def test_what_a_text_keeps_grows_with_its_length_not_with_its_square(
    causal: bool, text: str
) -> None:
    n_tokens = 4096
    pieces = ["x"] * n_tokens if text == "same" else [f"w{at}" for at in range(n_tokens)]
    vectors = torch.randn(n_tokens, 8, generator=torch.Generator().manual_seed(0))
    passage = Passage.of(tokens_of(pieces), causal=causal, embeddings=vectors)
    pattern = torch.rand(1, n_tokens, n_tokens).tril() if causal else torch.rand(1, *[n_tokens] * 2)
    pattern /= pattern.sum(-1, keepdim=True)
    measure_all(summarize(passage, Weights.of(pattern), cells_at_once=2**20))
    opportunities(passage)
    assert max(sizes_in(passage, set())) <= 100 * n_tokens
