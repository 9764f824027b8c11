"""Words and spans as positions of tokens."""

import pytest

from mha_core.corpus.links import TextLink, find_link, find_word
from mha_core.models.loading import LoadedModel


@pytest.mark.parametrize(
    ("word", "places"),
    [
        ("it", [0, 16]),  # neither in "bit" nor in "items"
        ("IT", [0, 16]),
        ("a bit", [7]),
        ("'s", [2]),
        ("cat", []),
        (".", [25]),
    ],
)
def test_a_word_is_found_whole_in_either_case_wherever_it_stands(
    word: str, places: list[int]
) -> None:
    text = "It's , a bit of it, items."
    assert [start for start, _ in find_word(text, word)] == places


def test_words_in_a_row_may_be_any_white_space_apart() -> None:
    assert find_word("the\t old  cat", "The old cat") == ((0, 13),)


def test_all_pieces_of_all_places_belong_to_the_link(minilm: LoadedModel) -> None:
    text = "Unbelievably it saw the zyzzyva and it saw a Zyzzyva"
    tokenized = minilm.tokenize(text)
    link = find_link(tokenized, find_word(text, "it"), find_word(text, "zyzzyva"), causal=False)
    assert isinstance(link, TextLink)
    words = {tokenized.tokens[at].word for at in link.keys}
    assert [tokenized.tokens[at].text for at in link.queries] == ["it", "it"]
    assert len(words) == 2
    assert len(link.keys) > 2, "the word has several pieces"


def test_a_span_that_covers_part_of_a_token_takes_all_of_it(minilm: LoadedModel) -> None:
    link = find_link(minilm.tokenize("the animals ran"), [(5, 6)], [(0, 1)], causal=False)
    assert link == ((2,), (1,))


@pytest.mark.parametrize(
    ("from_spans", "to_spans", "causal", "reason"),
    [
        ([], [(0, 3)], False, "no_from"),
        ([(3, 4)], [(0, 3)], False, "no_from"),  # a blank, which is no token
        ([(0, 3)], [], False, "no_to"),
        ([(0, 3)], [(4, 7)], True, "unseen"),
    ],
)
def test_a_text_without_the_link_says_why(
    from_spans: list[tuple[int, int]],
    to_spans: list[tuple[int, int]],
    causal: bool,
    reason: str,
    minilm: LoadedModel,
) -> None:
    tokenized = minilm.tokenize("the cat ran")
    assert find_link(tokenized, from_spans, to_spans, causal=causal) == reason


def test_a_causal_model_sees_a_link_if_any_of_its_keys_comes_first(smollm2: LoadedModel) -> None:
    text = "cat it cat"
    found = find_link(
        smollm2.tokenize(text), find_word(text, "it"), find_word(text, "cat"), causal=True
    )
    assert isinstance(found, TextLink)
    assert len(found.keys) == 2
