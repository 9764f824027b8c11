"""Do heads attend most to the rarest word of a sentence? Counted over a treebank.

A head's word is the one that all others together attend to most; the head is right where no word
of the sentence is rarer. Words are counted in the treebank itself, ignoring case. Rare words come
in many pieces, and attention to a word is summed over them: so the baseline is what uniform
attention finds.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from mha_core.atlas.selection import Counts
from mha_core.atlas.tally import Numbers, Tally
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import Pooling, WordText, pool_words
from mha_core.attention import uniform_attention

LEAST_WORDS = 4
"""Words a sentence needs: among few, chance finds the rarest."""


def count_words(sentences: Iterable[Sentence]) -> Counter[str]:
    return Counter(word.lower() for sentence in sentences for word in sentence.words)


@dataclass(frozen=True, eq=False)
class RareWords:
    """The question a batch asks of every head, once a sentence."""

    rarest: Tensor  # [B, W] bool: words with a token than which none is rarer
    present: Tensor  # [B, W] bool: words with a token
    asked: Tensor  # [B] bool: sentences of enough words
    uniform: Tensor  # [B]: how far uniform attention is right; a tie counts as its share

    @classmethod
    def of(
        cls,
        batch: Sequence[WordText],
        frequencies: Mapping[str, int],
        device: torch.device | str = "cpu",
        *,
        causal: bool,
    ) -> "RareWords":
        """The rarest words of a batch; words without a token are as good as absent."""
        width = max(len(text.sentence.words) for text in batch)
        counts = np.full((len(batch), width), np.inf)
        for row, text in enumerate(batch):
            for word in set(text.word) - {-1}:
                counts[row, word] = frequencies[text.sentence.words[word].lower()]
        present = np.isfinite(counts)
        rarest = present & (counts == counts.min(1, keepdims=True))
        asked = present.sum(1) >= LEAST_WORDS
        parts = [torch.from_numpy(part) for part in (rarest, present, asked)]
        uniform = [_score_uniform(*row, causal) for row in zip(batch, parts[0], strict=True)]
        return cls(*(part.to(device) for part in (*parts, torch.stack(uniform))))


def _score_uniform(text: WordText, rarest: Tensor, causal: bool) -> Tensor:
    """Share of the words most attended by uniform attention that are the rarest, []."""
    n_tokens = len(text.word)
    pattern = uniform_attention(n_tokens, n_tokens, causal=causal)[None, None]
    received = pool_words(pattern, Pooling.of([text]))[0, 0].sum(0)  # [W]
    most = received > received.max() * (1 - 1e-5)
    return (most & rarest[: len(most)]).sum() / most.sum()


@dataclass(frozen=True, eq=False)
class RarityTally(Tally):
    hits: Numbers  # [L, H]: right answers
    n: Numbers  # []: sentences
    uniform_hits: Numbers  # []: right answers of uniform attention

    @classmethod
    def empty(cls, n_layers: int, n_heads: int) -> "RarityTally":
        return cls(np.zeros((n_layers, n_heads)), np.array(0.0), np.array(0.0))

    def count_questions(self, rare: RareWords) -> None:
        """Count a batch's sentences; once a batch."""
        self.n[...] += int(rare.asked.sum())
        self.uniform_hits[...] += float(rare.uniform[rare.asked].sum())

    def count_answers(self, rare: RareWords, layer: int, maps: Tensor) -> None:
        """Count what the heads of one layer look at, from word maps [B, H, W, W]."""
        received = maps.sum(2)  # [B, H, W]
        most, chosen = received.masked_fill(~rare.present[:, None], -1).max(-1)  # [B, H]
        right = rare.rarest.gather(1, chosen) & (most > 0) & rare.asked[:, None]
        self.hits[layer] += right.sum(0).cpu().numpy()

    def counts(self) -> Counts:
        """What heads and uniform attention get right."""
        return Counts(self.hits, int(self.n), float(self.uniform_hits))
