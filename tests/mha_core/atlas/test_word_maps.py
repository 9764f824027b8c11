"""Tokens find their words, and attention between words keeps what attention between tokens had."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from mha_core.atlas.batches import batch_by_length
from mha_core.atlas.treebank import Sentence, find_splits, read_treebank
from mha_core.atlas.word_maps import (
    Pooling,
    WordText,
    find_words,
    pool_words,
    tokenize_sentences,
)
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap
from mha_core.text.byte_tokenizer import byte_tokenizer
from mha_core.text.tokens import TokenizedText


def sentence(text: str, *words: str) -> Sentence:
    n = len(words)
    return Sentence("s", text, words, ("X",) * n, (-1,) * n, ("dep",) * n)


def of_words(*word: int, n_words: int) -> WordText:
    """A text whose tokens belong to these words."""
    return WordText(sentence("", *["w"] * n_words), TokenizedText("", None, (), {}), word)


def test_words_are_found_only_where_nothing_else_stands() -> None:
    assert find_words("I don't.", ["I", "do", "n't", "."]) == [(0, 1), (2, 4), (4, 7), (7, 8)]
    assert find_words("aa a", ["a", "a", "a"]) == [(0, 1), (1, 2), (3, 4)]
    assert find_words("I do not", ["I", "not"]) is None
    assert find_words("I do", ["I", "du"]) is None
    assert find_words("I do", ["I"]) is None


def test_a_token_over_two_words_goes_to_the_one_it_shares_more_with(minilm: LoadedModel) -> None:
    text = WordText.of(sentence("I don't.", "I", "do", "n't", "."), minilm.tokenizer)
    assert [token.text for token in text.tokenized.tokens[1:-1]] == ["I", "don", "'", "t", "."]
    assert text.word == (-1, 0, 1, 2, 2, 3, -1)
    assert text.without_token == 0


def test_a_word_may_be_left_without_a_token(minilm: LoadedModel) -> None:
    text = WordText.of(sentence("I cannot", "I", "can", "not"), minilm.tokenizer)
    assert text.word == (-1, 0, 1, -1)
    assert text.without_token == 1
    assert Pooling.of([text]).keys.any(1).tolist() == [[True, True, False]]


def test_words_that_are_not_in_the_text_are_joined_by_blanks(minilm: LoadedModel) -> None:
    text = WordText.of(sentence("Je vais au lit", "Je", "vais", "à", "le", "lit"), minilm.tokenizer)
    assert text.tokenized.text == "Je vais à le lit"
    assert set(text.word) == {-1, 0, 1, 2, 3, 4}


def test_blanks_belong_to_no_word() -> None:
    text = WordText.of(sentence("ab c", "ab", "c"), byte_tokenizer(16))
    assert [word for word in text.word if word >= 0] == [0, 0, 1]
    shown = dict(zip((token.text for token in text.tokenized.tokens), text.word, strict=True))
    assert shown["␣"] == -1


def test_what_is_left_out_is_counted() -> None:
    texts, used = tokenize_sentences(
        [sentence("abc", "abc"), sentence("a long one", "a", "long", "one"), sentence("x", "y")],
        byte_tokenizer(16),
        max_tokens=6,
    )
    assert [text.sentence.text for text in texts] == ["abc", "x"]
    assert used.dropped == {"too_long": 1}
    assert (used.sentences, used.used, used.words_without_token, used.words) == (3, 2, 0, 2)


def test_batches_hold_every_text_once_and_one_length_each() -> None:
    texts = tokenize_sentences(
        [sentence("x" * n, "x" * n) for n in (3, 1, 3, 2, 3, 9, 1)], byte_tokenizer(64), 64
    )[0]
    batches = list(batch_by_length(texts, 8))
    lengths = [[len(text.tokenized.tokens) for text in batch] for batch in batches]
    assert all(len(set(batch)) == 1 for batch in lengths)
    assert all(sum(batch) <= 8 or len(batch) == 1 for batch in lengths)
    assert sorted(map(id, (t for batch in batches for t in batch))) == sorted(map(id, texts))


def test_keys_add_up_and_queries_are_averaged() -> None:
    pattern = torch.tensor(
        [
            [0.1, 0.2, 0.3, 0.4],
            [0.4, 0.1, 0.2, 0.3],
            [0.0, 0.6, 0.2, 0.2],
            [0.25, 0.25, 0.25, 0.25],
        ]
    )[None, None]  # a special token, then a word of two pieces and a word of one
    maps = pool_words(pattern, Pooling.of([of_words(-1, 0, 0, 1, n_words=2)]))
    torch.testing.assert_close(maps[0, 0], torch.tensor([[0.0, 0.25], [0.5, 0.0]]))


def test_shorter_sentences_of_a_batch_are_padded_with_nothing() -> None:
    pattern = torch.rand(2, 3, 4, 4)
    short, long = of_words(-1, 0, 1, 1, n_words=2), of_words(0, 1, 2, 3, n_words=4)
    maps = pool_words(pattern, Pooling.of([short, long]))
    assert maps.shape == (2, 3, 4, 4)
    assert not maps[0, :, 2:].any()
    assert not maps[0, :, :, 2:].any()
    alone = pool_words(pattern[:1], Pooling.of([short]))
    torch.testing.assert_close(maps[:1, :, :2, :2], alone)


def test_real_rows_lose_only_special_tokens_and_the_diagonal(minilm: LoadedModel) -> None:
    text = WordText.of(
        sentence("Unbelievable cats sleep.", "Unbelievable", "cats", "sleep", "."), minilm.tokenizer
    )
    pooling = Pooling.of([text], minilm.device)
    seen: list[tuple[Tensor, Tensor]] = []

    def on_pattern(_: LayerCapture, pattern: Tensor) -> None:
        seen.append((pattern[0].cpu(), pool_words(pattern, pooling)[0].cpu()))

    minilm.forward_all([text.tokenized], Tap(on_pattern))
    assert len(seen) == minilm.architecture.n_layers
    pieces = {w: [i for i, word in enumerate(text.word) if word == w] for w in range(4)}
    for pattern, maps in seen:
        assert not maps.diagonal(dim1=-2, dim2=-1).any()
        for word, rows in pieces.items():
            others = [i for i, w in enumerate(text.word) if w not in (-1, word)]
            kept = pattern[:, rows][:, :, others].sum(-1).mean(-1)  # [H]
            torch.testing.assert_close(maps[:, word].sum(-1), kept)


@pytest.mark.parametrize("name", ["minilm", "smollm2"])
def test_nearly_every_word_of_the_treebank_has_tokens(
    name: str, shared_data: Path, request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    sentences = read_treebank(find_splits(shared_data / "ud_ewt")["dev"])
    texts, used = tokenize_sentences(sentences, model.tokenizer, model.architecture.max_tokens)
    assert (used.dropped, len(texts)) == ({}, 2001)
    assert all(text.tokenized.text == text.sentence.text for text in texts), "some were joined"
    assert used.words_without_token < 0.01 * used.words
