"""The sentences that come with HeadScope are as varied as they should be."""

import re

from mha_core.atlas.own_sentences import read_own_sentences
from mha_core.atlas.sink import cut_windows
from mha_core.models.loading import LoadedModel

SENTENCES = read_own_sentences()


def test_they_are_many_and_different_and_neither_short_nor_long() -> None:
    assert len(set(SENTENCES)) == len(SENTENCES) >= 150
    lengths = [len(sentence.split()) for sentence in SENTENCES]
    assert min(lengths) >= 8
    assert max(lengths) <= 30
    assert len(set(lengths)) > 12
    assert all(sentence == " ".join(sentence.split()) for sentence in SENTENCES)
    assert all(re.match(r'["A-Z]', it) and re.search(r'[.?!]"?$', it) for it in SENTENCES)


def test_they_have_what_heads_look_for() -> None:
    for wanted in (r",", r'"', r"\?", r"\d", r"\b(who|which|that|whom|whose)\b", r"n't\b|'s\b"):
        assert sum(bool(re.search(wanted, it)) for it in SENTENCES) >= 5, wanted
    words = [re.findall(r"\w{4,}", sentence.lower()) for sentence in SENTENCES]
    assert sum(len(set(it)) < len(it) for it in words) >= 30, "words that stand twice"


def test_they_give_enough_windows(smollm2: LoadedModel, minilm: LoadedModel) -> None:
    for model in (smollm2, minilm):
        assert len(cut_windows(model, SENTENCES)) >= 40
