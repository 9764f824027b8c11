"""The link that is looked for in every text of a corpus, as positions of tokens."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from mha_core.corpus.reasons import Reason
from mha_core.text.spans import Span, find_tokens
from mha_core.text.tokens import TokenizedText


class LinkWords(NamedTuple):
    """A link given by two words, the same in every text."""

    from_word: str
    to_word: str


class TextLink(NamedTuple):
    """A link in one text: from the query positions to the key positions."""

    queries: tuple[int, ...]
    keys: tuple[int, ...]


def find_word(text: str, word: str) -> tuple[Span, ...]:
    """Every place where a word, or several in a row, stands whole; upper or lower case."""
    first, last = word.strip()[0], word.strip()[-1]
    before = r"(?<!\w)" if re.match(r"\w", first) else ""
    after = r"(?!\w)" if re.match(r"\w", last) else ""
    pattern = before + r"\s+".join(map(re.escape, word.split())) + after
    return tuple(found.span() for found in re.finditer(pattern, text, re.IGNORECASE))


def find_link(
    tokenized: TokenizedText,
    from_spans: Sequence[Span],
    to_spans: Sequence[Span],
    *,
    causal: bool,
) -> TextLink | Reason:
    """The link between all tokens of some spans and all of others, or why there is none.

    A span that covers part of a token takes the whole token.
    """
    queries, keys = (find_tokens(tokenized.tokens, *spans) for spans in (from_spans, to_spans))
    if not queries:
        return "no_from"
    if not keys:
        return "no_to"
    if causal and min(keys) > max(queries):
        return "unseen"
    return TextLink(queries, keys)
