"""The list of function words."""

import pytest

from mha_core.text.function_words import FUNCTION_WORDS, is_function_word


@pytest.mark.parametrize(
    "word", ["the", "The", "BECAUSE", "it", "didn", "don't", "don\u2019t", "'s"]
)
def test_function_words_are_recognised_in_any_spelling(word: str) -> None:
    assert is_function_word(word)


@pytest.mark.parametrize("word", ["animal", "street", "tired", "", "42", "thereabouts"])
def test_content_words_are_not_function_words(word: str) -> None:
    assert not is_function_word(word)


def test_every_listed_word_is_found() -> None:
    assert all(is_function_word(word) for word in FUNCTION_WORDS)
