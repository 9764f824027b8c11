"""Which word every head chooses for each word of a treebank, by Clark's protocol (2019).

A head's choice for a word is the other word it attends to most. For a whole sentence it is the word
that all others together attend to most.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from mha_core.atlas.batches import run_batch
from mha_core.atlas.choices import RowChoices
from mha_core.atlas.tally import Integers
from mha_core.atlas.word_maps import Pooling, WordText
from mha_core.atlas.word_rules import NOTHING, Choices
from mha_core.models.loading import LoadedModel


@dataclass(frozen=True, eq=False)
class WordChoices(RowChoices):
    """Choices over texts, one after another, as places in their sentence; NOTHING for none."""

    words: NDArray[np.int16]  # [words, L, H]
    sentences: NDArray[np.int16]  # [texts, L, H]


def choose_by_heads(model: LoadedModel, batch: Sequence[WordText]) -> WordChoices:
    """Run a model over texts of one length."""
    shape = (model.architecture.n_layers, model.architecture.n_heads)
    width = max(len(text.sentence.words) for text in batch)
    words = np.empty((len(batch), width, *shape), np.int16)
    sentences = np.empty((len(batch), *shape), np.int16)
    run_batch(
        model, batch, partial(_choose_layer, words, sentences), Pooling.of(batch, model.device)
    )
    kept = [words[at, : len(text.sentence.words)] for at, text in enumerate(batch)]
    return WordChoices(np.concatenate(kept), sentences)


def _choose_layer(
    words: NDArray[np.int16], sentences: NDArray[np.int16], layer: int, maps: Tensor
) -> None:
    """Put in what one layer chooses, from word maps [B, H, W, W]."""
    for chosen, rows in ((words, maps), (sentences, maps.sum(2))):
        most, best = rows.max(-1)  # [B, H, W], or [B, H]
        best = best.masked_fill_(most <= 0, NOTHING)  # a row of zeros chooses nothing
        chosen[..., layer, :] = np.moveaxis(best.cpu().numpy(), 1, -1)


@dataclass(frozen=True, eq=False)
class WordSplit:
    """One split of a treebank, with what heads and rules choose in it; P heads in all."""

    texts: Sequence[WordText]
    heads: Choices  # [words, P]
    rules: Choices  # [words, R]
    by_sentence: Choices  # [texts, P]: the word each head attends to most in the whole sentence

    @classmethod
    def of(cls, texts: Sequence[WordText], choices: WordChoices, rules: Choices) -> "WordSplit":
        """`texts` in the order in which heads and rules chose."""
        return cls(
            texts,
            choices.words.reshape(len(choices.words), -1),
            rules,
            choices.sentences.reshape(len(texts), -1),
        )

    @property
    def start(self) -> Integers:
        """[texts]: where each text begins in the rows of `heads` and `rules`."""
        lengths = [len(text.sentence.words) for text in self.texts]
        return np.cumsum([0, *lengths[:-1]])

    @property
    def sentence(self) -> Integers:
        """[words]: the text of each row."""
        lengths = [len(text.sentence.words) for text in self.texts]
        return np.repeat(np.arange(len(lengths)), lengths)
