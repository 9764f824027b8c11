"""Spans of characters in a text, and the tokens that cover them."""

from collections.abc import Sequence

from mha_core.text.tokens import Token

Span = tuple[int, int]
"""Start and end in code points."""


def find_tokens(tokens: Sequence[Token], *spans: Span) -> tuple[int, ...]:
    """The tokens that cover a character of one of the spans, by index."""
    return tuple(
        token.index
        for token in tokens
        if token.start is not None
        and token.end is not None
        and any(token.start < end and token.end > start for start, end in spans)
    )
