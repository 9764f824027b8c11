"""Tokens are found by the characters they cover."""

import pytest

from mha_core.models.loading import LoadedModel
from mha_core.text.spans import Span, find_tokens


@pytest.mark.parametrize(
    ("spans", "found"),
    [
        ([(4, 7)], ["cat"]),
        ([(5, 6)], ["cat"]),  # a part of a token is enough
        ([(3, 4)], []),  # the blank between two words
        ([(0, 7)], ["the", "cat"]),
        ([(0, 3), (8, 11)], ["the", "sat"]),
        ([], []),
    ],
)
def test_tokens_that_cover_a_span_are_found(
    minilm: LoadedModel, spans: list[Span], found: list[str]
) -> None:
    tokens = minilm.tokenize("the cat sat").tokens  # special tokens cover nothing
    assert [tokens[at].text for at in find_tokens(tokens, *spans)] == found
