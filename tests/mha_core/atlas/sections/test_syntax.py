"""The section on a treebank has relations, the rarest word, examples and a slice to check."""

import numpy as np
from torch import Tensor

from mha_core.atlas.batches import batch_by_length, run_batch
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.null_models import NULL_MODELS
from mha_core.atlas.record import Atlas
from mha_core.atlas.sections.syntax import EXCHANGES, check_slice
from mha_core.atlas.word_maps import Pooling, WordText
from mha_core.models.loading import LoadedModel


def test_a_few_sentences_prove_nothing(small_atlas: Atlas) -> None:
    section = small_atlas.sections["syntax"]
    assert section.roles == section.not_above == []
    assert all(row.n >= 100 for row in section.relations)
    assert section.measures["rare_word"].n == 16
    assert section.measures["rare_word"].baseline is None


def test_nulls_are_three_models_other_trees_and_shuffled_words(small_atlas: Atlas) -> None:
    nulls = small_atlas.sections["syntax"].nulls
    assert [null.id for null in nulls] == [*NULL_MODELS, "other trees", "shuffled words"]
    assert [null.runs for null in nulls] == [1, 1, 1, EXCHANGES, 1]
    assert [null.counts_as_false for null in nulls] == [True] * 4 + [False]
    assert all(null.roles == 0 for null in nulls)


def test_every_head_has_examples_from_the_test_split(
    small_atlas: Atlas, small_corpora: Corpora, tiny: LoadedModel
) -> None:
    section = small_atlas.sections["syntax"]
    assert set(section.examples) == {f"{layer}.{head}" for layer, head in small_atlas.heads}
    ids = {text.sentence.id for text in small_corpora.prepare(tiny).test}
    for examples in section.examples.values():
        assert {example.source for example in examples} <= ids
        assert [example.role for example in examples] == [None, None]
    assert section.examples_source == "Examples: a treebank, test split."


def test_the_slice_is_counted_as_by_hand(
    small_atlas: Atlas, small_corpora: Corpora, tiny: LoadedModel
) -> None:
    texts = small_corpora.prepare(tiny).test
    hits, n = np.zeros((2, 8), np.int64), 0
    for batch in batch_by_length(texts):

        def on_layer(layer: int, maps: Tensor, batch: list[WordText] = batch) -> None:
            for row, text in enumerate(batch):
                chosen = maps[row].argmax(-1).cpu().numpy()  # [H, W]
                for word, head in _arcs(text):
                    hits[layer] += chosen[:, word] == head

        run_batch(tiny, batch, on_layer, Pooling.of(batch, tiny.device))
        n += sum(len(_arcs(text)) for text in batch)
    check = small_atlas.sections["syntax"].check
    assert check is not None
    assert (check.sentences, check.relation, check.n) == (16, "all:dependent", n)
    assert check.hits == hits.ravel().tolist()
    assert check == check_slice(tiny, texts)


def _arcs(text: WordText) -> list[tuple[int, int]]:
    """Words and the words they hang on, where a causal model can see them."""
    tree = zip(text.sentence.heads, text.sentence.relations, strict=True)
    return [
        (word, head)
        for word, (head, relation) in enumerate(tree)
        if 0 <= head < word and relation not in ("punct", "root")
    ]
