"""Trees are another sentence's of the same length; words in another order keep their arcs."""

from collections import Counter

import numpy as np
import pytest

from mha_core.atlas.null_texts import exchange_trees, shuffle_words
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import WordText, tokenize_sentences
from mha_core.models.loading import LoadedModel
from tests.made_up_treebank import make_treebank, to_text


def test_every_tree_is_another_sentences_of_the_same_length_and_none_is_used_twice() -> None:
    texts = make_treebank(0).texts
    for seed in range(5):
        trees = exchange_trees(texts, np.random.default_rng(seed))
        given = [tree.id for tree in trees if tree is not None]
        assert len(given) == len(texts)
        assert len(set(given)) == len(given)
        for text, tree in zip(texts, trees, strict=True):
            assert tree is not None
            assert tree is not text.sentence
            assert tree.id != text.sentence.id
            assert len(tree.words) == len(text.sentence.words)


def test_other_draws_give_other_trees() -> None:
    texts, draws = make_treebank(0).texts, np.random.default_rng(0)
    first, second = exchange_trees(texts, draws), exchange_trees(texts, draws)
    assert first != second
    assert first == exchange_trees(texts, np.random.default_rng(0))


def test_a_sentence_of_a_length_of_its_own_has_no_other_tree(marked: list[Sentence]) -> None:
    texts = [to_text(sentence) for sentence in (*marked, marked[0])]
    draws = np.random.default_rng(0)
    assert exchange_trees(texts, draws) == [marked[0], None, None, marked[0]]
    assert exchange_trees([], draws) == []


def arcs(sentence: Sentence) -> Counter[tuple[str, str, str]]:
    """Each word with its relation and the word it hangs on; words must differ."""
    assert len(set(sentence.words)) == len(sentence.words)
    heads = [sentence.words[head] if head >= 0 else "" for head in sentence.heads]
    return Counter(zip(sentence.words, sentence.relations, heads, strict=True))


def test_words_in_random_order_keep_their_arcs(marked: list[Sentence], minilm: LoadedModel) -> None:
    texts = [WordText.of(sentence, minilm.tokenizer) for sentence in marked]
    shuffled = shuffle_words(texts, minilm, np.random.default_rng(0))
    assert [text.sentence.words for text in shuffled] != [sentence.words for sentence in marked]
    for text, sentence in zip(shuffled, marked, strict=True):
        assert arcs(text.sentence) == arcs(sentence)
        assert text.sentence.text == " ".join(text.sentence.words) == text.tokenized.text
        assert text.without_token == 0
        at = text.sentence.relations.index("root")
        assert text.sentence.heads[at] == -1


def test_parts_of_speech_follow_their_words(minilm: LoadedModel) -> None:
    words = tuple("abcdefgh")
    sentence = Sentence("s", "", words, tuple("ABCDEFGH"), (-1,) * 8, ("root",) * 8)
    texts = [WordText.of(sentence, minilm.tokenizer)] * 10
    shuffled = shuffle_words(texts, minilm, np.random.default_rng(0))
    assert len({text.sentence.words for text in shuffled}) > 1
    for text in shuffled:
        assert [tag.lower() for tag in text.sentence.upos] == list(text.sentence.words)


def test_a_text_that_becomes_too_long_is_left_out(tiny: LoadedModel) -> None:
    limit = tiny.architecture.max_tokens
    words = ("x",) * (limit - 10)
    long = Sentence("long", "".join(words), words, words, (-1,) * len(words), words)
    texts, _ = tokenize_sentences([long], tiny.tokenizer, limit)
    assert len(texts) == 1
    assert shuffle_words(texts, tiny, np.random.default_rng(0)) == []


@pytest.mark.parametrize("seed", [0, 1])
def test_the_same_draws_give_the_same_order(
    seed: int, marked: list[Sentence], minilm: LoadedModel
) -> None:
    texts = [WordText.of(sentence, minilm.tokenizer) for sentence in marked]
    first, again = (shuffle_words(texts, minilm, np.random.default_rng(seed)) for _ in range(2))
    assert first == again
