"""The list of function words."""

import pytest

from mha_core.text.function_words import (
    CLASSES,
    FUNCTION_WORDS,
    function_classes,
    is_function_word,
    is_number,
)


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


def test_a_function_word_may_be_in_several_classes() -> None:
    assert function_classes("That") == {"determiner", "pronoun", "conjunction"}
    assert function_classes("\u2019ll") == {"auxiliary"}
    assert function_classes("table") == frozenset()
    assert all(words <= FUNCTION_WORDS for words in CLASSES.values())


@pytest.mark.parametrize("word", ["7", "1990s", "Seven", "hundred"])
def test_numbers_have_a_digit_or_are_known(word: str) -> None:
    assert is_number(word)
    assert not is_number("severn")
