"""The passage of a text."""

import torch

from mha_core.metrics.passage import Passage
from mha_core.models.loading import LoadedModel
from mha_core.text.tokenization import tokenize
from tests.hand_made import passage_of


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
    assert passage.cosine is None


def test_function_words_are_recognised_by_the_whole_word_not_by_a_piece() -> None:
    assert passage_of("[CLS] it ##ch it is").content.tolist() == [False, True, True, False, False]


def test_cosine_is_between_input_embeddings(minilm: LoadedModel, device: torch.device) -> None:
    tokens = tokenize(minilm.tokenizer, "a b c").tokens
    vectors = torch.randn(len(tokens), 7, generator=torch.Generator().manual_seed(0))
    cosine = Passage.of(tokens, causal=False, embeddings=vectors, device=device).cosine
    assert cosine is not None
    expected = torch.cosine_similarity(vectors[:, None], vectors[None], dim=-1)
    torch.testing.assert_close(cosine.cpu(), expected)


def test_uniform_attention_is_spread_over_what_is_visible(smollm2: LoadedModel) -> None:
    tokens = tokenize(smollm2.tokenizer, "one two three").tokens
    both_ways, back = (Passage.of(tokens, causal=causal) for causal in (False, True))
    T = len(tokens)  # noqa: N806 (the shape letters)
    assert both_ways.visible.all()
    assert torch.equal(back.visible, torch.ones(T, T, dtype=torch.bool).tril())
    assert torch.equal(both_ways.uniform, torch.full((T, T), 1 / T))
    for row in range(T):
        assert torch.equal(back.uniform[row, : row + 1], torch.full((row + 1,), 1 / (row + 1)))
        assert not back.uniform[row, row + 1 :].any()
