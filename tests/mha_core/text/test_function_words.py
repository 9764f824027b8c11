"""The closed list of words that bind others."""

import pytest

from mha_core.text.function_words import FUNCTION_WORDS, is_function_word


@pytest.mark.parametrize(
    "word", ["the", "The", "BECAUSE", "it", "didn", "don't", "don\u2019t", "'s"]
)
def test_words_that_bind_are_on_the_list_however_written(word: str) -> None:
    assert is_function_word(word)


@pytest.mark.parametrize("word", ["animal", "street", "tired", "", "42", "thereabouts"])
def test_words_that_name_something_are_not(word: str) -> None:
    assert not is_function_word(word)


def test_every_word_is_listed_as_it_is_looked_up() -> None:
    assert all(is_function_word(word) for word in FUNCTION_WORDS)
