"""Attention between the words of a treebank, from attention between a tokenizer's pieces.

Attention to a word is the sum over its pieces, from a word the mean over its pieces; special
tokens are dropped and the diagonal is zero (Clark 2019). A piece belongs to the word whose
characters it covers in the sentence's own text.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from mha_core.atlas.sources import CorpusSplit
from mha_core.atlas.treebank import Sentence
from mha_core.text.spans import Span
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import Token, TokenizedText


@dataclass(frozen=True)
class WordText:
    """A sentence as a model reads it, each token with its word of the treebank."""

    sentence: Sentence
    tokenized: TokenizedText
    word: tuple[int, ...]  # of each token; -1 for special tokens and blanks between words

    @classmethod
    def of(cls, sentence: Sentence, tokenizer: PreTrainedTokenizerFast) -> "WordText":
        """The sentence cut by a tokenizer; words that are not in its text are joined by blanks.

        A token that reaches over two words ("don" in "do|n't") goes to the one it shares more
        characters with, the earlier in a tie: "cannot" in one piece leaves "not" without any.
        """
        text = sentence.text
        places = find_words(text, sentence.words)
        if places is None:
            text = " ".join(sentence.words)
            places = find_words(text, sentence.words) or []
        tokenized = tokenize(tokenizer, text)
        word = tuple(_find_word(token, places) for token in tokenized.tokens)
        return cls(sentence, tokenized, word)

    @property
    def without_token(self) -> int:
        """How many words have no token of their own."""
        return len(self.sentence.words) - len(set(self.word) - {-1})


def find_words(text: str, words: Sequence[str]) -> list[Span] | None:
    """Where each word stands in a text of nothing but them and blanks; None if they do not."""
    spans: list[Span] = []
    reached = 0
    for word in words:
        start = text.find(word, reached)
        if start < 0 or text[reached:start].strip():
            return None
        reached = start + len(word)
        spans.append((start, reached))
    return None if text[reached:].strip() else spans


def _find_word(token: Token, places: Sequence[Span]) -> int:
    """The word a token shares most characters with, the earlier in a tie; -1 for none."""
    if token.kind == "special" or token.start is None or token.end is None:
        return -1
    shared = [min(end, token.end) - max(start, token.start) for start, end in places]
    most = max(shared, default=0)
    return shared.index(most) if most > 0 else -1


def tokenize_sentences(
    sentences: Sequence[Sentence], tokenizer: PreTrainedTokenizerFast, max_tokens: int
) -> tuple[list[WordText], CorpusSplit]:
    """The sentences a model can read; those over its limit are counted, not cut off."""
    texts = [WordText.of(sentence, tokenizer) for sentence in sentences]
    kept = [text for text in texts if len(text.tokenized.tokens) <= max_tokens]
    return kept, CorpusSplit(
        sentences=len(texts),
        used=len(kept),
        dropped={"too_long": len(texts) - len(kept)} if len(kept) < len(texts) else {},
        words=sum(len(text.sentence.words) for text in kept),
        words_without_token=sum(text.without_token for text in kept),
    )


@dataclass(frozen=True)
class Pooling:
    """From the tokens of a batch to its words, W of them in the longest sentence."""

    keys: Tensor  # [B, T, W]: 1 where the token is a piece of the word
    queries: Tensor  # [B, W, T]: the same, each word's pieces weighted to a mean

    @classmethod
    def of(cls, batch: Sequence[WordText], device: torch.device | str = "cpu") -> "Pooling":
        """Of texts that have the same number of tokens."""
        word = torch.tensor([text.word for text in batch])  # [B, T]
        width = max(len(text.sentence.words) for text in batch)
        keys = (word[:, :, None] == torch.arange(width)).float()
        pieces = keys.sum(1)  # [B, W]
        queries = (keys / pieces.clamp(min=1)[:, None]).transpose(1, 2).contiguous()
        return cls(keys.to(device), queries.to(device))


def pool_words(pattern: Tensor, pooling: Pooling) -> Tensor:
    """Attention between words [B, H, W, W] from a pattern [B, H, T, T].

    Rows and columns of words without a token are zero.
    """
    batch, heads, n_tokens, _ = pattern.shape
    to_words = torch.bmm(pattern.reshape(batch, heads * n_tokens, n_tokens), pooling.keys)
    to_words = to_words.view(batch, heads, n_tokens, -1)  # [B, H, T, W]
    maps = pooling.queries[:, None] @ to_words  # [B, H, W, W]
    maps.diagonal(dim1=-2, dim2=-1).zero_()
    return maps
