"""Rare words are counted in the treebank; a head must find them better than the longest word."""

import numpy as np
import pytest

from mha_core.atlas.claims import Outcome
from mha_core.atlas.rarity import LEAST_WORDS, RULES, count_words, find_rarest
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_choices import WordSplit, choose_by_heads
from mha_core.atlas.word_maps import WordText
from mha_core.atlas.word_rules import NOTHING, SentenceView, choose_words
from mha_core.models.loading import LoadedModel
from tests.made_up_treebank import to_text


def make_text(*words: str, pieces: list[int] | None = None) -> WordText:
    n_words = len(words)
    tree = (-1,) * n_words
    return to_text(Sentence("s", "", words, ("X",) * n_words, tree, ("dep",) * n_words), pieces)


def make_split(texts: list[WordText], *heads: list[int]) -> WordSplit:
    """Heads that attend most to these words, one of each text."""
    words = sum(len(text.sentence.words) for text in texts)
    nothing = np.zeros((words, len(heads)), np.int16)
    rules = choose_words(texts, causal=False)
    return WordSplit(texts, nothing, rules, np.array(heads, np.int16).T.reshape(len(texts), -1))


def test_words_are_counted_in_any_case(marked: list[Sentence]) -> None:
    frequencies = count_words([*marked, marked[0]])
    assert frequencies["the"] == 2
    assert frequencies["."] == 3
    assert frequencies["home"] == 1


COMMON = {"one": 9, "two": 9, "six": 9, "ten": 9, "elk": 2, "owl": 2, "gnu": 1}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (make_text("one", "two", "Elk", "six"), {2}),
        (make_text("owl", "two", "elk", "six"), {0, 2}),  # none is rarer than either
        (make_text("owl", "two", "gnu", "six", "elk", pieces=[1, 1, 0, 1, 1]), {0, 4}),
    ],
)
def test_a_head_is_right_where_no_word_with_a_token_is_rarer(
    text: WordText, right: set[int]
) -> None:
    places = range(len(text.sentence.words))
    split = make_split([text], *([at] for at in places))
    contest = find_rarest(split, split, COMMON, len(places), causal=False).contest
    assert set(np.flatnonzero(contest.test.heads[0]).tolist()) == right


def test_short_sentences_are_not_asked_and_a_head_that_attends_to_no_word_is_wrong() -> None:
    short = make_text("owl", "two", "elk", "six", pieces=[1, 1, 1, 0])
    whole = make_text("one", "two", "six", "elk")
    assert LEAST_WORDS == 4
    split = make_split([short, whole], [0, NOTHING], [0, 3])
    answers = find_rarest(split, split, COMMON, 2, causal=False).contest.test
    assert answers.heads.tolist() == [[False, True]]
    assert answers.group.tolist() == [1]


def test_rules_choose_as_told_by_hand() -> None:
    # Letters 3 6 6 4 3 0, and pieces:
    text = make_text("the", "parrot", "walked", "Home", "now", ".", pieces=[1, 1, 2, 3, 3, 1])
    chosen = {
        causal: [rule.choose(text, SentenceView.of(text, causal=causal)) for rule in RULES]
        for causal in (False, True)
    }
    # Longest, last of the longest, most pieces, the longest of these, first, second, last, last
    # content word; and uniform attention, which in a causal model is drawn to early words.
    assert chosen[False] == [1, 2, 3, 3, 0, 1, 5, 4, 3]
    assert chosen[True][:-1] == chosen[False][:-1]
    assert chosen[True][-1] == 0
    assert len(RULES) == 9


def make_contest(share: float, *, n: int = 400) -> Outcome:
    """Two heads, one that attends to the rarest word and one that attends to the longest.

    They are the same word in a share of the sentences, and never the word of most pieces.
    """
    splits = []
    for seed in (0, 1):
        draws = np.random.default_rng(seed)
        texts, rarest, longest = [], [], []
        for _ in range(n):
            rare, long, other, pieces, *_ = (int(at) for at in draws.permutation(8))
            rare = long if draws.random() < share else rare
            words = ["six"] * 8
            words[long], words[other] = "elephants", "two"
            words[rare] = {3: "elk", 9: "alligator"}[len(words[rare])]
            texts.append(make_text(*words, pieces=[1 + (at == pieces) for at in range(8)]))
            rarest.append(rare)
            longest.append(long)
        splits.append(make_split(texts, rarest, longest))
    frequencies = {"six": 90, "two": 80, "elephants": 70, "elk": 2, "alligator": 2}
    return find_rarest(*splits, frequencies, 2, causal=False)


def test_a_head_that_finds_the_longest_word_gets_no_role_however_often_it_is_the_rarest() -> None:
    outcome = make_contest(0.7)
    assert outcome.contest.test.accuracy == pytest.approx([1, 0.7], abs=0.06)
    assert outcome.rule == "the longest word"
    role = outcome.role()
    assert role is not None
    assert [head.head for head in role.heads] == [0]
    (row,) = outcome.not_above()
    assert row.head == 1, "it beats uniform attention, and not the best rule"
    assert [lead.difference for lead in row.leads] == [0, 0]
    measure = outcome.measure("Rarest word", "Share.", "share of sentences")
    assert measure.values.tolist() == [outcome.contest.test.accuracy.tolist()]
    assert measure.baseline == pytest.approx(0.7, abs=0.06)


def test_a_head_that_finds_the_rarest_word_has_no_role_where_the_longest_always_is() -> None:
    outcome = make_contest(0.97)
    assert outcome.role() is None
    assert outcome.row().accuracy == 1
    assert not outcome.row().holds


def test_few_sentences_prove_nothing() -> None:
    outcome = make_contest(0.2, n=99)
    assert not outcome.is_asked
    assert outcome.role() is None
    assert outcome.not_above() == []
    assert outcome.measure("", "", "").baseline is None


def test_nothing_asked_is_no_number() -> None:
    split = make_split([make_text("one", "two")], [0], [1])
    measure = find_rarest(split, split, COMMON, 2, causal=False).measure("", "", "")
    assert measure.n == 0
    assert np.isnan(measure.values).all()
    assert measure.record().values == [None, None]


@pytest.mark.parametrize("name", ["minilm", "tiny"])
def test_real_maps_give_each_head_a_share(
    name: str, marked: list[Sentence], request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    causal = model.architecture.kind == "decoder"
    texts = [WordText.of(sentence, model.tokenizer) for sentence in marked]
    parts = [choose_by_heads(model, [text]) for text in texts]
    choices = parts[0] + parts[1] + parts[2]
    split = WordSplit.of(texts, choices, choose_words(texts, causal=causal))
    frequencies = count_words(marked)
    answers = find_rarest(split, split, frequencies, model.architecture.n_heads, causal=causal)
    assert len(answers.contest.test) == 2, "three words are too few"
    assert 0 < answers.contest.test.heads.mean() < 1
