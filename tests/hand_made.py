"""Texts tokenized by hand for tests of metrics, without a tokenizer."""

from collections.abc import Sequence

import torch
from torch import Tensor

from mha_core.metrics.passage import Passage
from mha_core.text.tokens import Token, TokenKind


def tokens_of(pieces: Sequence[str]) -> list[Token]:
    """Tokens of pieces: "[X]" is special, "##x" continues a word; [SEP] ends a segment.

    Equal pieces have equal ids.
    """
    tokens: list[Token] = []
    ids = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    word, segment = -1, 0
    for index, piece in enumerate(pieces):
        special, continues = piece.startswith("["), piece.startswith("##")
        kind: TokenKind = "special"
        if not special:
            follows = index > 0 and tokens[-1].kind != "special"
            word += not (continues and follows)  # after a special token a word starts anew
            kind = "word_start" if piece.isalnum() else "punctuation"
        if continues:
            kind = "continuation"
        text = piece.removeprefix("##")
        tokens.append(
            Token(index, ids[piece], text, piece, kind, None if special else word, 0, 0, segment)
        )
        segment += piece == "[SEP]"
    return tokens


def passage_of(text: str, *, causal: bool = False, embeddings: Tensor | None = None) -> Passage:
    """The passage of space-separated pieces."""
    return Passage.of(tokens_of(text.split()), causal=causal, embeddings=embeddings)


def visible_keys(passage: Passage) -> Tensor:
    """[T, T] bool: whether the query (row) may look at the key (column)."""
    everything = torch.ones(passage.n_tokens, passage.n_tokens, dtype=torch.bool)
    return everything.tril() if passage.causal else everything


def uniform_head(passage: Passage) -> Tensor:
    """A head, [1, T, T], that looks at all visible keys alike."""
    visible = visible_keys(passage)
    return (visible / visible.sum(1, keepdim=True))[None]


def looking_at(targets: Sequence[int]) -> Tensor:
    """A head, [1, T, T], that gives all its attention at row i to key targets[i]."""
    return torch.eye(len(targets))[list(targets)][None]
