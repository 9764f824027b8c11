"""Treebanks in which there is nothing to find: trees of other sentences, words in random order."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import WordText
from mha_core.models.loading import LoadedModel


def exchange_trees(texts: Sequence[WordText], draws: np.random.Generator) -> list[Sentence | None]:
    """For each text the tree of another of as many words; None where there is no other."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        by_length[len(text.sentence.words)].append(at)
    trees: list[Sentence | None] = [None] * len(texts)
    for same in by_length.values():
        order = [int(at) for at in draws.permutation(same)]
        for at, other in zip(order, [*order[1:], order[0]], strict=True):
            if at != other:
                trees[at] = texts[other].sentence
    return trees


def shuffle_words(
    texts: Sequence[WordText], model: LoadedModel, draws: np.random.Generator
) -> list[WordText]:
    """Each sentence with its words in random order, the tree following its words.

    With blanks between all words a few texts become too long for the model: they are left out.
    """
    shuffled = [WordText.of(_shuffle(text.sentence, draws), model.tokenizer) for text in texts]
    limit = model.architecture.max_tokens
    return [text for text in shuffled if len(text.tokenized.tokens) <= limit]


def _shuffle(sentence: Sentence, draws: np.random.Generator) -> Sentence:
    order = [int(at) for at in draws.permutation(len(sentence.words))]
    place = {word: at for at, word in enumerate(order)} | {-1: -1}
    words = tuple(sentence.words[word] for word in order)
    return replace(
        sentence,
        text=" ".join(words),
        words=words,
        upos=tuple(sentence.upos[word] for word in order),
        heads=tuple(place[sentence.heads[word]] for word in order),
        relations=tuple(sentence.relations[word] for word in order),
    )
