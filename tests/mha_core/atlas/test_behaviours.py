"""A head that follows a simple rule is described by it; uniform attention's choice is none."""

from dataclasses import replace

import numpy as np
import pytest

from mha_core.atlas.behaviours import HALF, find_behaviours
from mha_core.atlas.evidence import Behaviour
from mha_core.atlas.word_rules import NOTHING, RULES, UNIFORM, Choices, SentenceView, choose_words
from tests.made_up_treebank import RULE_IDS, MadeUpTreebank, make_treebank

NEXT_LONG = "next_letters_4"


@pytest.fixture(scope="module")
def dev() -> MadeUpTreebank:
    return make_treebank(0, 300)


@pytest.fixture(scope="module")
def test() -> MadeUpTreebank:
    return make_treebank(1, 300)


def find(
    dev: MadeUpTreebank, test: MadeUpTreebank, *heads: tuple[Choices, Choices]
) -> dict[int, Behaviour]:
    """By head, of a model of one layer; each head as it chooses on dev and on test."""
    on_dev, on_test = zip(*heads, strict=True)
    found, followed = find_behaviours(dev.split(*on_dev), test.split(*on_test), len(heads))
    assert {it.head: it.rule for it in found} == {
        head: RULES[rule].words for head, rule in followed.items()
    }
    return {it.head: it for it in found}


def from_words(treebank: MadeUpTreebank, kind: str) -> np.ndarray:
    """[words]: the words of a kind, "function" or "content"."""
    views = [SentenceView.of(text, causal=False) for text in treebank.texts]
    return np.concatenate([getattr(view, kind) for view in views])


@pytest.mark.parametrize("causal", [False, True])
def test_a_head_that_follows_a_rule_is_described_by_it(causal: bool) -> None:
    dev, test = (make_treebank(seed, 300, causal=causal) for seed in (0, 1))
    found = find(dev, test, *zip(dev.rules.T, test.rules.T, strict=True))
    chooses = (np.concatenate([dev.rules, test.rules]) != NOTHING).mean(0)
    often = [at for at, share in enumerate(chooses) if share > 0.7 and RULES[at] != UNIFORM]
    assert len(often) > 10
    for head in often:
        assert found[head].rule == RULES[head].words
        assert found[head].words == "all words"
    assert not set(found) & {at for at, share in enumerate(chooses) if share < 0.3}


def test_uniform_attentions_own_choice_is_no_behaviour(
    dev: MadeUpTreebank, test: MadeUpTreebank
) -> None:
    assert find(dev, test, (dev.follow("uniform"), test.follow("uniform"))) == {}


def test_uniform_attention_over_words_of_one_piece_each_is_no_behaviour_either() -> None:
    # It then takes the word before, or that of the longest: whatever rule describes it best.
    texts = [
        replace(it, word=(-1, *range(len(it.sentence.words)), -1))
        for it in make_treebank(0, 300).texts
    ]
    even = MadeUpTreebank(texts, choose_words(texts, causal=False), causal=False)
    head = even.follow("uniform")
    assert (head == even.follow("offset-1")).mean() > 0.9
    assert find(even, even, (head, head)) == {}


def test_a_head_that_takes_any_word_has_no_behaviour(
    dev: MadeUpTreebank, test: MadeUpTreebank
) -> None:
    assert find(dev, test, (dev.guess(), test.guess())) == {}


@pytest.mark.parametrize("kind", ["function", "content"])
def test_a_behaviour_may_be_one_of_a_class_of_words_only(
    kind: str, dev: MadeUpTreebank, test: MadeUpTreebank
) -> None:
    # Content words are most words: a rule they always follow would be one of all words.
    share = {"function": 1.0, "content": 0.8}[kind]
    on_dev, on_test = (
        np.where(
            from_words(it, kind), it.mix(it.follow("next_content"), it.guess(), share), it.guess()
        )
        for it in (dev, test)
    )
    (behaviour,) = find(dev, test, (on_dev, on_test)).values()
    assert behaviour.words == f"{kind} words"
    assert behaviour.rule == "the next content word"
    assert behaviour.n == from_words(test, kind).sum()


def test_all_words_go_before_a_class_of_words(dev: MadeUpTreebank, test: MadeUpTreebank) -> None:
    heads = [
        np.where(
            from_words(it, "function"),
            it.follow(NEXT_LONG),
            it.mix(it.follow(NEXT_LONG), it.guess(), 0.8),
        )
        for it in (dev, test)
    ]
    (behaviour,) = find(dev, test, (heads[0], heads[1])).values()
    assert behaviour.words == "all words", "though function words follow the rule even more"


@pytest.mark.parametrize(("share", "holds"), [(0.4, False), (0.75, True)])
def test_a_behaviour_explains_half_of_the_choices(
    share: float, holds: bool, dev: MadeUpTreebank, test: MadeUpTreebank
) -> None:
    heads = [it.mix(it.follow(NEXT_LONG), it.guess(), share) for it in (dev, test)]
    found = find(dev, test, (heads[0], heads[1]))
    assert list(found) == [0] * holds
    if holds:
        assert HALF <= found[0].low < found[0].agreement < found[0].high < 0.8


def test_a_behaviour_must_hold_on_both_splits(dev: MadeUpTreebank, test: MadeUpTreebank) -> None:
    rules = dev.follow(NEXT_LONG), test.follow(NEXT_LONG)
    guesses = dev.guess(), test.guess()
    assert find(dev, test, (rules[0], guesses[1]), (guesses[0], rules[1])) == {}


def test_the_evidence_names_words_rule_share_n_interval_and_uniform_attention(
    dev: MadeUpTreebank, test: MadeUpTreebank
) -> None:
    heads = dev.follow("next_letters_1"), test.follow("next_letters_1")
    (behaviour,) = find(dev, test, heads).values()
    words = from_words(test, "function") | from_words(test, "content")
    same = (test.follow("next_letters_1") == test.follow("uniform")) & (heads[1] >= 0)
    assert behaviour.n == words.sum()
    assert behaviour.agreement == pytest.approx((heads[1][words] >= 0).mean())
    assert behaviour.uniform == pytest.approx(same[words].mean())
    shown = [round(100 * it) for it in (behaviour.agreement, behaviour.low, behaviour.high)]
    assert behaviour.evidence == (
        f"From all words to the next word with a letter: {shown[0]} % of its {words.sum():,} "
        f"choices on the test set (95 % interval {shown[1]} to {shown[2]} %), uniform attention "
        f"{round(100 * behaviour.uniform)} %."
    )


def test_few_words_have_no_behaviour() -> None:
    few = make_treebank(0, 8)
    head = few.follow("offset+1")
    assert find(few, few, (head, head)) == {}


def test_a_language_without_known_function_words_is_described_too() -> None:
    treebank = make_treebank(0, 60)
    texts = []
    for text in treebank.texts:
        words = tuple(word + "zz" for word in text.sentence.words)
        texts.append(replace(text, sentence=replace(text.sentence, words=words)))
    foreign = MadeUpTreebank(texts, choose_words(texts, causal=False), causal=False)
    head = foreign.follow("offset-2")
    assert find(foreign, foreign, (head, head))[0].rule == "the word 2 places before"


def test_heads_are_named_by_layer_and_head(dev: MadeUpTreebank, test: MadeUpTreebank) -> None:
    heads = [[it.guess(), it.guess(1), it.guess(2), it.follow(NEXT_LONG)] for it in (dev, test)]
    found, followed = find_behaviours(dev.split(*heads[0]), test.split(*heads[1]), 2)
    assert [(it.layer, it.head) for it in found] == [(1, 1)]
    assert followed == {3: RULE_IDS.index(NEXT_LONG)}
