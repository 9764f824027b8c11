"""The small language: every form is the one its word asks for, and distractors are common."""

from random import Random

import pytest

from mha_core.learn.tasks.grammar import (
    FITTING,
    INTRANSITIVE,
    NOUNS,
    PRONOUNS,
    SPEAKING,
    TRANSITIVE,
    Dependence,
    Sentence,
    all_words,
)

VERBS = (*INTRANSITIVE, *TRANSITIVE, *SPEAKING)


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    rng = Random(0)
    return [Sentence(rng) for _ in range(2000)]


def number_of(word: str) -> int:
    """0 for one, 1 for several."""
    if word in PRONOUNS:
        return int(word == "they")
    [noun] = [it for it in NOUNS if word in it.forms]
    return noun.forms.index(word)


def dependences(sentences: list[Sentence], *relations: str) -> list[tuple[str, str, Dependence]]:
    """The word, the word it depends on, and the dependence."""
    return [
        (sentence.words[it.word], sentence.words[it.on], it)
        for sentence in sentences
        for it in sentence.dependences
        if it.relation in relations
    ]


def test_verbs_agree_with_their_subject(sentences: list[Sentence]) -> None:
    found = dependences(sentences, "subject", "relative")
    for verb, subject, it in found:
        [forms] = [forms for forms in VERBS if verb in forms]
        assert forms.index(verb) == number_of(subject)
        assert it.wrong == forms[1 - number_of(subject)]


def test_pronouns_have_gender_and_number_of_the_noun_they_stand_for(
    sentences: list[Sentence],
) -> None:
    for pronoun, word, it in dependences(sentences, "pronoun"):
        [noun] = [it for it in NOUNS if word in it.forms]
        assert pronoun == ("they" if number_of(word) else noun.pronoun)
        assert it.wrong in PRONOUNS
        assert it.wrong != pronoun


def test_adjectives_of_a_kind_stand_before_nouns_of_that_kind(sentences: list[Sentence]) -> None:
    for noun_word, adjective, it in dependences(sentences, "adjective"):
        [noun] = [it for it in NOUNS if noun_word in it.forms]
        [wrong] = [noun for noun in NOUNS if it.wrong in noun.forms]
        assert adjective in FITTING[noun.kind]
        assert adjective not in FITTING[wrong.kind]


def test_a_word_depends_on_an_earlier_one(sentences: list[Sentence]) -> None:
    assert all(it.on < it.word for sentence in sentences for it in sentence.dependences)


def test_every_relation_has_cases_in_which_a_nearer_word_misleads(
    sentences: list[Sentence],
) -> None:
    for relation in ("subject", "pronoun", "adjective"):
        found = dependences(sentences, relation)
        hard = sum(it.hard for _, _, it in found) / len(found)
        assert 0.1 < hard < 0.9, relation


def test_sentences_use_no_other_words(sentences: list[Sentence]) -> None:
    used = {word for sentence in sentences for word in sentence.words}
    assert used <= set(all_words())
    assert used == set(all_words()), "all of them, too"
    assert len(set(all_words())) == len(all_words())
