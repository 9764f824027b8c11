"""Tokens of a text, and the model inputs made from it. Free of torch and transformers."""

from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["special", "punctuation", "word_start", "continuation"]


@dataclass(frozen=True)
class Token:
    """One position of the model's input.

    `special` tokens are those a template added and those the user typed by name ("[SEP]"): the
    model cannot tell them apart. Neither belongs to a word; only the typed ones have offsets in the
    text. A special token belongs to the sentence before it, the very first to the first sentence.
    White space counts as punctuation. Tokens of a continuation, and words that a chat template
    added, have no offsets, for they were never typed, but words and kinds as if they had been.
    An `unknown` token stands for characters that the vocabulary lacks: `text` shows what was typed,
    `piece` all that the model sees of it ("[UNK]").
    """

    index: int
    id: int
    text: str  # to display: never empty, no replacement character unless the user typed one
    piece: str  # the vocabulary's own string
    kind: TokenKind
    word: int | None  # as the tokenizer splits words, counted from 0 over both sentences
    start: int | None  # in code points of the sentence `segment`, after any space before the word
    end: int | None
    segment: int
    unknown: bool = False


@dataclass(frozen=True)
class TokenizedText:
    """A text as typed, its tokens, and the model inputs by name (one value per token)."""

    text: str
    text_pair: str | None
    tokens: tuple[Token, ...]
    inputs: dict[str, list[int]]
    continuation: tuple[int, ...] = ()
    prompt: str | None = None  # the text as the chat template wraps it; None if it does not
