"""Attention between the words of a treebank, from attention between a tokenizer's pieces.

Attention to a word is the sum over its pieces, from a word the mean over its pieces; special
tokens are dropped and the diagonal is zero (Clark 2019). A piece belongs to the word whose
characters it covers in the sentence's own text.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from mha_core.atlas.treebank import Sentence
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import Token, TokenizedText

Span = tuple[int, int]


@dataclass(frozen=True)
class WordText:
    """A sentence as a model reads it, each token with its word of the treebank."""

    sentence: Sentence
    tokenized: TokenizedText
    word: tuple[int, ...]  # of each token; -1 for special tokens and blanks between words
    as_written: bool  # False where the words are not in the text, and are joined by blanks instead

    @classmethod
    def of(cls, sentence: Sentence, tokenizer: PreTrainedTokenizerFast) -> "WordText":
        """The sentence cut by a tokenizer.

        A token that reaches over two words ("don" in "do|n't") goes to the one it shares more
        characters with, the earlier in a tie: "cannot" in one piece leaves "not" without any.
        """
        spans = find_words(sentence.text, sentence.words)
        as_written = spans is not None
        text = sentence.text if as_written else " ".join(sentence.words)
        tokenized = tokenize(tokenizer, text)
        places = spans or find_words(text, sentence.words) or []
        return cls(sentence, tokenized, tuple(_words_of(tokenized.tokens, places)), as_written)

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


def _words_of(tokens: Sequence[Token], places: Sequence[Span]) -> Iterator[int]:
    """The word each token shares most characters with, in one walk along both."""
    first = 0
    for token in tokens:
        if token.kind == "special" or token.start is None or token.end is None:
            yield -1
            continue
        while first < len(places) and places[first][1] <= token.start:
            first += 1
        best, most = -1, 0
        for word in range(first, len(places)):
            start, end = places[word]
            if start >= token.end:
                break
            shared = min(end, token.end) - max(start, token.start)
            if shared > most:
                best, most = word, shared
        yield best


@dataclass(frozen=True)
class WordTexts:
    """The sentences a model can read, and counts of what was left out or changed."""

    texts: list[WordText]
    dropped: dict[str, int]  # sentences left out, by reason
    joined: int  # sentences whose words were joined by blanks
    without_token: int  # words of the texts that have no token of their own

    @property
    def n_words(self) -> int:
        return sum(len(text.sentence.words) for text in self.texts)


def tokenize_sentences(
    sentences: Iterable[Sentence], tokenizer: PreTrainedTokenizerFast, max_tokens: int
) -> WordTexts:
    """All sentences cut by a tokenizer; those over the model's limit are counted, not cut off."""
    texts = [WordText.of(sentence, tokenizer) for sentence in sentences]
    kept = [text for text in texts if len(text.tokenized.tokens) <= max_tokens]
    dropped = {"too_long": len(texts) - len(kept)} if len(kept) < len(texts) else {}
    return WordTexts(
        texts=kept,
        dropped=dropped,
        joined=sum(not text.as_written for text in kept),
        without_token=sum(text.without_token for text in kept),
    )


@dataclass(frozen=True)
class Pooling:
    """From the tokens of a batch to its words, W of them in the longest sentence."""

    keys: Tensor  # [B, T, W]: 1 where the token is a piece of the word
    queries: Tensor  # [B, W, T]: the same, each word's pieces weighted to a mean
    present: Tensor  # [B, W] bool: the word exists and has a token

    @classmethod
    def of(cls, batch: Sequence[WordText], device: torch.device | str = "cpu") -> "Pooling":
        """Of texts that have the same number of tokens."""
        word = torch.tensor([text.word for text in batch])  # [B, T]
        width = max(len(text.sentence.words) for text in batch)
        keys = (word[:, :, None] == torch.arange(width)).float()
        pieces = keys.sum(1)  # [B, W]
        queries = (keys / pieces.clamp(min=1)[:, None]).transpose(1, 2).contiguous()
        return cls(keys.to(device), queries.to(device), (pieces > 0).to(device))


def pool_words(pattern: Tensor, pooling: Pooling) -> Tensor:
    """Attention between words [B, H, W, W] from a pattern [B, H, T, T].

    Rows and columns of words that are not `present` are zero.
    """
    batch, heads, n_tokens, _ = pattern.shape
    to_words = torch.bmm(pattern.reshape(batch, heads * n_tokens, n_tokens), pooling.keys)
    to_words = to_words.view(batch, heads, n_tokens, -1)  # [B, H, T, W]
    maps = pooling.queries[:, None] @ to_words  # [B, H, W, W]
    maps.diagonal(dim1=-2, dim2=-1).zero_()
    return maps
