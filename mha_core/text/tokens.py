"""What a text becomes: its tokens, and the arguments of the model call."""

from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["special", "punctuation", "word_start", "continuation"]


@dataclass(frozen=True)
class Token:
    """One position of the model's input.

    `special` tokens are those a template added and those the user typed by name ("[SEP]"), for the
    model cannot tell the two apart. Neither belongs to a word; only the typed ones have a place in
    the text. A special token belongs to the sentence before it, the very first to the first one.
    Blanks count as punctuation: like it, they stand between words. Tokens of a continuation were
    never typed: they have no place in the text, and words and kinds as they read after it.
    """

    index: int
    id: int
    text: str  # for people: never empty, no replacement character but one the user typed
    piece: str  # the vocabulary's own string
    kind: TokenKind
    word: int | None  # as the tokenizer splits words, counted from 0 over both sentences
    start: int | None  # in code points of the sentence `segment`, after any space before the word
    end: int | None
    segment: int


@dataclass(frozen=True)
class TokenizedText:
    """What was typed, its tokens, and the arguments of the model call (one value per token)."""

    text: str
    text_pair: str | None
    tokens: tuple[Token, ...]
    inputs: dict[str, list[int]]
    continuation: tuple[int, ...] = ()
