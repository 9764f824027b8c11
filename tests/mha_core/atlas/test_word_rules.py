"""Rules choose by places, lengths, pieces and lists of words, as counted by hand."""

from dataclasses import replace

import numpy as np
import pytest

from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import WordText
from mha_core.atlas.word_rules import LETTERS, NOTHING, OFFSETS, RULES, SentenceView, choose_words
from tests.made_up_treebank import RULE_IDS, make_treebank, to_text

WORDS = ("The", "old", "Dog", "of", "Manchester", ",", "he", "barked", "!")
SENTENCE = Sentence("s", "", WORDS, ("X",) * 9, (-1,) * 9, ("dep",) * 9)
TEXT = to_text(SENTENCE, [1, 1, 2, 1, 3, 1, 1, 2, 1])

# What each word of the sentence chooses, in order; a point is nothing.
TABLE = {
    "previous_letters_1": ". 0 1 2 3 4 4 6 7",
    "next_letters_1": "1 2 3 4 6 6 7 . .",
    "previous_letters_2": ". 0 1 2 3 4 4 6 7",
    "next_letters_2": "1 2 3 4 6 6 7 . .",
    "previous_letters_3": ". 0 1 2 2 4 4 4 7",
    "next_letters_3": "1 2 4 4 7 7 7 . .",
    "previous_letters_4": ". . . . . 4 4 4 7",
    "next_letters_4": "4 4 4 4 7 7 7 . .",
    "previous_letters_5": ". . . . . 4 4 4 7",
    "next_letters_5": "4 4 4 4 7 7 7 . .",
    "previous_letters_6": ". . . . . 4 4 4 7",
    "next_letters_6": "4 4 4 4 7 7 7 . .",
    "previous_letters_7": ". . . . . 4 4 4 4",
    "next_letters_7": "4 4 4 4 . . . . .",
    "previous_letters_8": ". . . . . 4 4 4 4",
    "next_letters_8": "4 4 4 4 . . . . .",
    "previous_letters_9": ". . . . . 4 4 4 4",
    "next_letters_9": "4 4 4 4 . . . . .",
    "previous_letters_10": ". . . . . 4 4 4 4",
    "next_letters_10": "4 4 4 4 . . . . .",
    "previous_content": ". . 1 2 2 4 4 4 7",
    "next_content": "1 2 4 4 7 7 7 . .",
    "previous_function": ". 0 0 0 3 3 3 6 6",
    "next_function": "3 3 3 6 6 6 . . .",
    "previous_run_start": ". . 1 1 1 4 4 4 7",
    "next_run_start": "1 4 4 4 7 7 7 . .",
    "previous_run_end": ". . . 2 2 4 4 4 7",
    "next_run_end": "2 2 4 4 7 7 7 . .",
    "previous_capital": ". 0 0 2 2 4 4 4 4",
    "next_capital": "2 2 4 4 . . . . .",
    "previous_punctuation": ". . . . . . 5 5 5",
    "next_punctuation": "5 5 5 5 5 8 8 8 .",
    "first": ". 0 0 0 0 0 0 0 0",
    "second": "1 . 1 1 1 1 1 1 1",
    "last": "8 8 8 8 8 8 8 8 .",
    "longest": "4 4 4 4 7 4 4 4 4",
    "uniform": "4 4 4 4 2 4 4 4 4",  # for "Manchester" itself: "Dog" is nearer than "barked"
}

# The same of a sentence of function words and a number; "that" is of three classes.
FUNCTION_WORDS = ("Because", "that", "dog", "was", "of", "them", "7")
FUNCTION_TEXT = to_text(replace(SENTENCE, words=FUNCTION_WORDS))
CLASS_TABLE = {
    "previous_determiner": ". . 1 1 1 1 1",
    "next_determiner": "1 . . . . . .",
    "previous_pronoun": ". . 1 1 1 1 5",
    "next_pronoun": "1 5 5 5 5 . .",
    "previous_preposition": ". . . . . 4 4",
    "next_preposition": "4 4 4 4 . . .",
    "previous_conjunction": ". 0 1 1 1 1 1",
    "next_conjunction": "1 . . . . . .",
    "previous_auxiliary": ". . . . 3 3 3",
    "next_auxiliary": "3 3 3 . . . .",
    "previous_number": ". . . . . . .",
    "next_number": "6 6 6 6 6 6 .",
}


def chosen(rule: str, *, causal: bool = False, text: WordText = TEXT) -> list[int]:
    column: list[int] = choose_words([text], causal=causal)[:, RULE_IDS.index(rule)].tolist()
    return column


def read(row: str) -> list[int]:
    return [NOTHING if place == "." else int(place) for place in row.split()]


@pytest.mark.parametrize("rule", TABLE)
def test_a_rule_chooses_as_told_by_hand(rule: str) -> None:
    assert chosen(rule) == read(TABLE[rule])


@pytest.mark.parametrize("rule", CLASS_TABLE)
def test_a_rule_knows_the_classes_of_function_words(rule: str) -> None:
    assert chosen(rule, text=FUNCTION_TEXT) == read(CLASS_TABLE[rule])


@pytest.mark.parametrize("rule", [id for id in TABLE if id not in ("longest", "uniform")])
def test_a_causal_model_follows_the_same_rule_as_far_as_it_sees(rule: str) -> None:
    expected = [at if at < word else NOTHING for word, at in enumerate(read(TABLE[rule]))]
    assert chosen(rule, causal=True) == expected


def test_the_largest_word_is_the_largest_that_is_visible_and_the_nearest_of_equals() -> None:
    # The first three words have three letters each: the nearest of them, and not "Manchester".
    assert chosen("longest", causal=True) == read(". 0 1 2 2 4 4 4 4")
    assert chosen("uniform", causal=True) == read(". 0 1 2 2 4 4 4 4")


def test_of_equals_on_both_sides_the_earlier_is_chosen() -> None:
    alike = replace(SENTENCE, words=("a", "b", "c"))
    at = choose_words([to_text(alike)], causal=False)[:, RULE_IDS.index("longest")]
    assert at.tolist() == [1, 0, 1]


@pytest.mark.parametrize("offset", OFFSETS)
def test_an_offset_is_counted_from_the_word_that_looks(offset: int) -> None:
    inside = [word + offset if 0 <= word + offset < 9 else NOTHING for word in range(9)]
    assert chosen(f"offset{offset:+d}") == inside
    assert chosen(f"offset{offset:+d}", causal=True) == (inside if offset < 0 else [NOTHING] * 9)


def test_the_tables_and_the_offsets_are_all_rules_there_are() -> None:
    offsets = [f"offset{offset:+d}" for offset in OFFSETS]
    assert sorted([*offsets, *TABLE, *CLASS_TABLE]) == sorted(RULE_IDS)
    assert (min(OFFSETS), max(OFFSETS), len(OFFSETS)) == (-10, 10, 20)
    assert list(LETTERS) == list(range(1, 11))
    assert len({rule.words for rule in RULES}) == len(RULES)


def test_the_usual_baseline_is_fixed_offsets_and_uniform_attention() -> None:
    usual = [rule.id for rule in RULES if rule.is_usual]
    assert usual == [f"offset{offset:+d}" for offset in OFFSETS] + ["uniform"]


@pytest.mark.parametrize("causal", [False, True])
def test_no_rule_chooses_the_word_itself_one_without_a_token_or_one_it_cannot_see(
    causal: bool,
) -> None:
    draws = np.random.default_rng(0)
    for text in make_treebank(0).texts[:40]:
        pieces = draws.integers(0, 3, len(text.sentence.words)).tolist()
        found = choose_words([to_text(text.sentence, pieces)], causal=causal)
        query, rule = np.nonzero(found != NOTHING)
        key = found[query, rule]
        assert len(key) > 0
        assert (key != query).all()
        assert (np.array(pieces)[key] > 0).all()
        if causal:
            assert (key < query).all()


def test_texts_follow_one_another() -> None:
    other = to_text(replace(SENTENCE, words=("Go", "home"), heads=(-1, 0)))
    found = choose_words([other, TEXT], causal=False)
    assert found.shape == (2 + 9, len(RULES))
    assert found[2:].tolist() == choose_words([TEXT], causal=False).tolist()
    assert choose_words([], causal=False).shape == (0, len(RULES))


def test_a_view_knows_letters_pieces_and_kinds_of_words() -> None:
    tricky = replace(SENTENCE, words=("Don", "\u2019t", "1st", "...", "café"))
    view = SentenceView.of(to_text(tricky, [1, 2, 0, 1, 1]), causal=True)
    assert view.letters.tolist() == [3, 1, 2, 0, 4]
    assert view.pieces.tolist() == [1, 2, 0, 1, 1]
    assert view.function.tolist() == [True, True, False, False, False]
    assert view.punctuation.tolist() == [False, False, False, True, False]
    assert view.capital.tolist() == [True, False, False, False, False]
    assert view.content.tolist() == [False, False, True, False, True]
    assert view.visible[4].tolist() == [True, True, False, True, False]
    assert not view.visible[0].any()
