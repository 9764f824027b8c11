"""Aligns the tokens of two texts into units that a comparison of their maps can use.

    one model               tokens matched by id, as a diff matches lines
    two models, one text    the smallest spans of text at which both tokenizers have a boundary
    two models, two texts   words matched by their letters, ignoring case

A replacement of equal length is aligned piece by piece, of another length as one block. Special
tokens align only with special tokens of the same id and model, and segment only with segment.
"""

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, pairwise, takewhile

from mha_core.text.tokens import Token, TokenizedText
from mha_core.text.visible import make_visible

Group = tuple[int, ...]  # indices of tokens that stay together, in order
Keyed = tuple[int | str, Group]  # a group and the key it is matched by
Match = tuple[Group, Group, bool]  # aligned groups of the two texts, and whether they are equal

MAX_PAIRS = 200_000  # a text with more equal pairs repeats itself too much to be matched in time


@dataclass(frozen=True)
class Unit:
    """Aligned tokens of two texts; a token without a counterpart is a unit by itself."""

    one: Group
    other: Group
    text: str  # to display; empty where there is no token
    other_text: str
    same: bool

    @property
    def aligned(self) -> bool:
        return bool(self.one and self.other)


def align(one: TokenizedText, other: TokenizedText, *, same_model: bool) -> tuple[Unit, ...]:
    """The units of two texts, in reading order; every token is in exactly one."""
    matches: list[Match] = []
    for segment in sorted({token.segment for token in one.tokens}):
        first, second = _Sentence.of(one, segment), _Sentence.of(other, segment)
        if same_model:
            matches += _match_ids(first, second)
        elif first.text == second.text:
            matches += _match_characters(first, second)
        else:
            matches += _match_keys(_words(first), _words(second))
    return tuple(
        Unit(left, right, _display(one, left), _display(other, right), same)
        for left, right, same in _in_reading_order(matches, len(one.tokens), len(other.tokens))
    )


@dataclass(frozen=True)
class _Span:
    """Characters of a sentence, from `start` to before `end`: a token's, or a word's."""

    start: int
    end: int
    index: int | None = None  # the token's; None for a word
    side: int = 0


@dataclass(frozen=True)
class _Sentence:
    text: str
    tokens: Sequence[Token]

    @classmethod
    def of(cls, side: TokenizedText, segment: int) -> "_Sentence":
        text = side.text if segment == 0 else side.text_pair or ""
        return cls(text, [token for token in side.tokens if token.segment == segment])

    def spans(self, side: int = 0) -> list[_Span]:
        """Spans of the ordinary tokens, which another model may read too."""
        return [
            _Span(token.start, token.end, token.index, side)
            for token in self.tokens
            if token.kind != "special" and token.start is not None and token.end is not None
        ]

    @property
    def parts(self) -> tuple[Sequence[Token], ...]:
        """Template tokens before the text, the text, template tokens after it."""
        typed = [n for n, t in enumerate(self.tokens) if t.start is not None or t.kind != "special"]
        first, end = (typed[0], typed[-1] + 1) if typed else (0, 0)
        return self.tokens[:first], self.tokens[first:end], self.tokens[end:]


def _match_ids(one: _Sentence, other: _Sentence) -> Iterator[Match]:
    """Tokens of one vocabulary."""
    for part, (left, right) in enumerate(zip(one.parts, other.parts, strict=True)):
        keyed = [[(token.id, (token.index,)) for token in tokens] for tokens in (left, right)]
        # Template tokens never replace each other.
        yield from (match for match in _match_keys(*keyed) if part == 1 or match[2])


def _match_keys(one: Sequence[Keyed], other: Sequence[Keyed]) -> Iterator[Match]:
    """Groups with equal keys, and groups between them that replace each other."""
    for i, i_end, j, j_end in _blocks([key for key, _ in one], [key for key, _ in other]):
        left, right = one[i:i_end], other[j:j_end]
        if len(left) == len(right):
            yield from ((a, b, x == y) for (x, a), (y, b) in zip(left, right, strict=True))
        elif left and right:
            yield tuple(chain(*(a for _, a in left))), tuple(chain(*(b for _, b in right))), False


def _blocks(one: Sequence[object], other: Sequence[object]) -> Iterator[tuple[int, ...]]:
    """Ranges (start and end in each) that are equal or replace each other, first to last."""
    start = _n_common(one, other)
    end = _n_common(one[start:][::-1], other[start:][::-1])
    middle, other_middle = one[start : len(one) - end], other[start : len(other) - end]
    yield 0, start, 0, start
    counts = Counter(other_middle)
    if sum(counts[key] for key in middle) > MAX_PAIRS:  # take the middle as one replacement
        yield start, len(one) - end, start, len(other) - end
    else:
        codes = SequenceMatcher(None, middle, other_middle, autojunk=False).get_opcodes()
        yield from (tuple(start + place for place in places) for _, *places in codes)
    yield len(one) - end, len(one), len(other) - end, len(other)


def _n_common(one: Iterable[object], other: Iterable[object]) -> int:
    """Length of the common prefix."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _match_characters(one: _Sentence, other: _Sentence) -> Iterator[Match]:
    """Tokens of two vocabularies on one text."""
    for spans in _group_overlapping([*one.spans(0), *other.spans(1)]):
        left, right = _tokens_in(spans, 0), _tokens_in(spans, 1)
        if left and right:
            yield left, right, True


def _words(sentence: _Sentence) -> list[Keyed]:
    """Each word's letters and tokens; words that share a token count as one word."""
    found: list[Keyed] = []
    for spans in _group_overlapping([*sentence.spans(), *_word_spans(sentence.text)]):
        group = _tokens_in(spans)
        if group and any(span.index is None for span in spans):  # else white space
            end = max(span.end for span in spans)
            found.append((sentence.text[spans[0].start : end].lower(), group))
    return found


def _word_spans(text: str) -> Iterator[_Span]:
    """What stands between white space, separated from the punctuation before and after it."""
    for stretch in re.finditer(r"\S+", text):
        start, end = stretch.span()
        letters = [at for at in range(start, end) if unicodedata.category(text[at])[0] not in "PS"]
        inner = (letters[0], letters[-1] + 1) if letters else (end, end)
        ranges = pairwise((start, *inner, end))
        yield from (_Span(first, last) for first, last in ranges if first < last)


def _group_overlapping(spans: Iterable[_Span]) -> Iterator[list[_Span]]:
    """Spans that overlap, directly or through others, in the order of the text."""
    together: list[_Span] = []
    reach = 0
    for span in sorted(spans, key=lambda span: span.start):
        if together and span.start >= reach:
            yield together
            together = []
        together.append(span)
        reach = max(reach, span.end)
    if together:
        yield together


def _tokens_in(spans: Iterable[_Span], side: int = 0) -> Group:
    return tuple(span.index for span in spans if span.index is not None and span.side == side)


def _in_reading_order(matches: Sequence[Match], n_one: int, n_other: int) -> Iterator[Match]:
    """The matches and, between them, one by one, the tokens without a counterpart."""
    matched = {i for one, _, _ in matches for i in one}, {j for _, it, _ in matches for j in it}
    everything = range(n_one), range(n_other)
    alone = [deque(sorted({*a} - b)) for a, b in zip(everything, matched, strict=True)]
    for one, other, same in [*matches, ((n_one,), (n_other,), True)]:
        while alone[0] and alone[0][0] < one[0]:
            yield (alone[0].popleft(),), (), False
        while alone[1] and alone[1][0] < other[0]:
            yield (), (alone[1].popleft(),), False
        if one[0] < n_one:
            yield one, other, same


def _display(side: TokenizedText, group: Group) -> str:
    """The typed text of a group; the token's own text for one token or without offsets."""
    tokens = [side.tokens[index] for index in group]
    start, end = (tokens[0].start, tokens[-1].end) if len(tokens) > 1 else (None, None)
    if start is None or end is None:
        return "".join(token.text for token in tokens)
    sentence = side.text if tokens[0].segment == 0 else side.text_pair or ""
    return make_visible(sentence[start:end])
