"""Models of words: one token a word, and a text with other words is refused in words."""

import pytest

from mha_core.errors import UnknownWord
from mha_core.text.byte_tokenizer import byte_tokenizer
from mha_core.text.tokenization import tokenize
from mha_core.text.word_tokenizer import check_words, known_words, word_tokenizer

WORDS = ("<bos>", ".", "the", "king", "runs", "don't")


def texts(typed: str) -> list[str]:
    return [token.text for token in tokenize(word_tokenizer(WORDS, 16), typed).tokens]


def test_each_word_is_a_token_and_shows_what_was_typed() -> None:
    assert texts("The king runs.") == ["<bos>", "The", "king", "runs", "."]
    tokens = tokenize(word_tokenizer(WORDS, 16), "the king").tokens
    assert [(it.id, it.kind, it.word) for it in tokens] == [
        (0, "special", None), (2, "word_start", 0), (3, "word_start", 1)
    ]  # fmt: skip


def test_a_vocabulary_without_bos_adds_none_and_keeps_capitals_apart() -> None:
    tokenizer = word_tokenizer(("a", "A"), 16)
    assert [token.id for token in tokenize(tokenizer, "a A a").tokens] == [0, 1, 0]


def test_unknown_words_are_named_once_with_those_that_are_known() -> None:
    tokenizer = word_tokenizer(WORDS, 16)
    with pytest.raises(UnknownWord) as error:
        check_words(tokenizer, "the zebra , zebra and <bos>")
    assert error.value.details["unknown"] == ["zebra", ",", "and", "<", "bos", ">"]
    assert error.value.details["vocabulary"] == [".", "the", "king", "runs", "don't"]
    assert "does not know “zebra”, “,”, “and”" in error.value.message
    assert "It knows: . the king runs don't" in error.value.message
    check_words(tokenizer, "THE king runs .")


def test_many_unknown_words_are_counted() -> None:
    with pytest.raises(UnknownWord, match="and 8 more"):
        check_words(word_tokenizer(WORDS, 16), " ".join(f"word{n}" for n in range(20)))


def test_tokenizers_of_other_models_read_any_text() -> None:
    assert known_words(byte_tokenizer(16)) == []
    check_words(byte_tokenizer(16), "zebra 🦓")
