"""Rare words: counted in the treebank, found where most attention goes."""

import numpy as np
import pytest
import torch

from mha_core.atlas.rarity import RareWords, RarityTally, count_words
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import Pooling, WordText, pool_words
from mha_core.models.loading import LoadedModel
from mha_core.tap import LayerCapture, Tap


def texts(sentences: list[Sentence], model: LoadedModel) -> list[WordText]:
    return [WordText.of(sentence, model.tokenizer) for sentence in sentences]


def test_the_rarest_words_are_told_by_the_treebank_capitals_ignored(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    frequencies = count_words([*marked, marked[0], marked[1], marked[2]])
    assert frequencies["."] == 4
    assert frequencies["a"] == 4
    more = frequencies + count_words([marked[0]] * 2) - count_words([marked[2]])
    more["dog"] = 1
    rare = RareWords.of(texts(marked, tiny), {**more, "go": 3, "home": 2, "!": 2}, causal=True)
    assert rare.rarest.tolist()[0] == [False, False, True, False, False, False, False]
    assert rare.rarest.tolist()[2] == [False, True, True, False, False, False, False]
    assert rare.asked.tolist() == [True, True, False], "three words are too few"


def test_a_head_is_right_where_all_words_together_look_at_the_rarest_most(
    marked: list[Sentence], tiny: LoadedModel
) -> None:
    frequencies = dict.fromkeys(count_words(marked), 9) | {"dog": 1, "letter": 1, "home": 1}
    rare = RareWords.of(texts(marked, tiny), frequencies, causal=False)
    maps = torch.zeros(3, 3, 7, 7)
    maps[:, 0, :3, 2] = 0.5  # head 0: word 2 of every sentence, right in the first
    maps[:, 0, 3:6, 4] = 0.4
    maps[:, 1, :2, 4] = 0.5  # head 1: word 4, right in the second, 1.0 against 0.9
    maps[:, 1, 0, 2] = 0.9
    maps[2] = 0
    maps[2, :, 0, 1] = 1  # all find the rarest of three words, which nobody asked for
    tally = RarityTally.empty(2, 3)  # head 2 looks at no word of the others
    tally.count_questions(rare)
    tally.count_answers(rare, 1, maps)
    assert tally.hits.tolist() == [[0, 0, 0], [1, 1, 0]]
    assert tally.n == 2
    # One byte a token: even attention finds the longest words, "chased" of the first sentence
    # and "letter", the rarest, of the second.
    assert tally.counts().baseline == pytest.approx((0 + 1) / 2)
    twice = (tally + tally).counts()
    assert twice.accuracy[1, 0] == 0.5
    low, high = twice.interval
    assert low[1, 0] < 0.5 < high[1, 0]


def test_nothing_asked_is_no_number() -> None:
    counts = RarityTally.empty(1, 2).counts()
    assert np.isnan(counts.accuracy).all()
    assert np.isnan(counts.baseline)


@pytest.mark.parametrize("name", ["minilm", "smollm2", "tiny"])
def test_real_maps_give_each_head_a_share(
    name: str, marked: list[Sentence], request: pytest.FixtureRequest
) -> None:
    model: LoadedModel = request.getfixturevalue(name)
    tally = RarityTally.empty(model.architecture.n_layers, model.architecture.n_heads)
    for text in texts(marked[:2], model):
        rare = RareWords.of([text], count_words(marked), model.device, causal=False)
        pooling = Pooling.of([text], model.device)

        def on_pattern(capture: LayerCapture, pattern: torch.Tensor) -> None:
            tally.count_answers(rare, capture.site.layer, pool_words(pattern, pooling))  # noqa: B023

        tally.count_questions(rare)
        model.forward(text.tokenized, Tap(on_pattern))
    assert tally.n == 2
    assert 0 < tally.hits.sum() < tally.hits.size * 2
