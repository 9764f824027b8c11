"""Which tokens of one reading stand opposite which of another: the units of a comparison.

    one model               tokens matched by id, as a comparison of two files matches their lines
    two models, one text    the finest stretches of text that both tokenizers cut out
    two models, two texts   words matched by their letters, capital or small

What was replaced by as much is matched piece by piece, by more or less as one block. A special
token stands opposite one of its own id; in another model, opposite nothing. The sentences of a
pair are never mixed. This file must not know models, tensors or HTTP.
"""

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, pairwise, takewhile

from mha_core.text.tokens import Token, TokenizedText
from mha_core.text.visible import visible

Group = tuple[int, ...]
"""Indices of tokens that stay together, in order."""

Named = tuple[int | str, Group]
"""A group and what it is matched by."""

Opposites = tuple[Group, Group, bool]
"""Groups that stand opposite each other, and whether both read the same."""

MOST_PAIRS = 200_000
"""Equal pairs among which a match is sought: seconds. A text of more repeats a few tokens for ever,
and what differs in it is taken as replaced."""


@dataclass(frozen=True)
class Unit:
    """Tokens that stand opposite each other; a token with nothing opposite is a unit by itself."""

    one: Group
    other: Group
    text: str  # for people; empty where there is no token
    other_text: str
    same: bool

    @property
    def aligned(self) -> bool:
        """Whether there are tokens on both sides."""
        return bool(self.one and self.other)


def align(one: TokenizedText, other: TokenizedText, *, same_model: bool) -> tuple[Unit, ...]:
    """The units of two readings, in reading order; every token is in exactly one."""
    opposites: list[Opposites] = []
    for segment in sorted({token.segment for token in one.tokens}):
        first, second = _Sentence.of(one, segment), _Sentence.of(other, segment)
        if same_model:
            opposites += _by_id(first, second)
        elif first.text == second.text:
            opposites += _by_characters(first, second)
        else:
            opposites += _matched(_words(first), _words(second))
    return tuple(
        Unit(left, right, _shown(one, left), _shown(other, right), same)
        for left, right, same in _in_reading_order(opposites, len(one.tokens), len(other.tokens))
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
    """A sentence and its tokens."""

    text: str
    tokens: Sequence[Token]

    @classmethod
    def of(cls, side: TokenizedText, segment: int) -> "_Sentence":
        text = side.text if segment == 0 else side.text_pair or ""
        return cls(text, [token for token in side.tokens if token.segment == segment])

    def spans(self, side: int = 0) -> list[_Span]:
        """Of the tokens that another model may read too: no special ones."""
        return [
            _Span(token.start, token.end, token.index, side)
            for token in self.tokens
            if token.kind != "special" and token.start is not None and token.end is not None
        ]

    @property
    def parts(self) -> tuple[Sequence[Token], ...]:
        """What a template put before the text, the text, what the template put after it."""
        text = [
            place
            for place, token in enumerate(self.tokens)
            if token.kind != "special" or token.start is not None
        ]
        first, end = (text[0], text[-1] + 1) if text else (0, 0)
        return self.tokens[:first], self.tokens[first:end], self.tokens[end:]


def _by_id(one: _Sentence, other: _Sentence) -> Iterator[Opposites]:
    """Tokens of one vocabulary."""
    for part, (left, right) in enumerate(zip(one.parts, other.parts, strict=True)):
        named = [[(token.id, (token.index,)) for token in tokens] for tokens in (left, right)]
        # A special token takes the place of no other.
        yield from (pair for pair in _matched(*named) if part == 1 or pair[2])


def _matched(one: Sequence[Named], other: Sequence[Named]) -> Iterator[Opposites]:
    """Groups of the same name, and those between them that took each other's place."""
    names, other_names = [name for name, _ in one], [name for name, _ in other]
    for i, i_end, j, j_end in _stretches(names, other_names):
        left, right = one[i:i_end], other[j:j_end]
        if len(left) == len(right):
            yield from ((a, b, x == y) for (x, a), (y, b) in zip(left, right, strict=True))
        elif left and right:
            yield tuple(chain(*(a for _, a in left))), tuple(chain(*(b for _, b in right))), False


def _stretches(one: Sequence[object], other: Sequence[object]) -> Iterator[tuple[int, ...]]:
    """From where to where both are equal, or one took the other's place, from first to last."""
    start = _n_common(one, other)
    end = _n_common(one[start:][::-1], other[start:][::-1])
    middle, other_middle = one[start : len(one) - end], other[start : len(other) - end]
    yield 0, start, 0, start
    counts = Counter(other_middle)
    if sum(counts[name] for name in middle) > MOST_PAIRS:
        yield start, len(one) - end, start, len(other) - end
    else:
        codes = SequenceMatcher(None, middle, other_middle, autojunk=False).get_opcodes()
        yield from (tuple(start + place for place in places) for _, *places in codes)
    yield len(one) - end, len(one), len(other) - end, len(other)


def _n_common(one: Iterable[object], other: Iterable[object]) -> int:
    """How many are equal before the first that differ."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _by_characters(one: _Sentence, other: _Sentence) -> Iterator[Opposites]:
    """Tokens of two vocabularies on one text."""
    for spans in _sharing_characters([*one.spans(0), *other.spans(1)]):
        left, right = _tokens_in(spans, 0), _tokens_in(spans, 1)
        if left and right:
            yield left, right, True


def _words(sentence: _Sentence) -> list[Named]:
    """Each word's letters and tokens; tokens that reach over two words make them one."""
    found: list[Named] = []
    for spans in _sharing_characters([*sentence.spans(), *_word_spans(sentence.text)]):
        group = _tokens_in(spans)
        if group and any(span.index is None for span in spans):  # else a blank
            end = max(span.end for span in spans)
            found.append((sentence.text[spans[0].start : end].lower(), group))
    return found


def _word_spans(text: str) -> Iterator[_Span]:
    """What stands between blanks, with the punctuation before and after it apart."""
    for stretch in re.finditer(r"\S+", text):
        start, end = stretch.span()
        letters = [at for at in range(start, end) if unicodedata.category(text[at])[0] not in "PS"]
        inner = (letters[0], letters[-1] + 1) if letters else (end, end)
        cuts = pairwise((start, *inner, end))
        yield from (_Span(first, last) for first, last in cuts if first < last)


def _sharing_characters(spans: Iterable[_Span]) -> Iterator[list[_Span]]:
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


def _in_reading_order(
    opposites: Sequence[Opposites], n_one: int, n_other: int
) -> Iterator[Opposites]:
    """The opposites, and between them, one by one, the tokens that have none."""
    taken = [{i for one, _, _ in opposites for i in one}, {j for _, it, _ in opposites for j in it}]
    counts = (n_one, n_other)
    alone = [
        deque(index for index in range(count) if index not in its)
        for count, its in zip(counts, taken, strict=True)
    ]
    for one, other, same in [*opposites, ((n_one,), (n_other,), True)]:
        while alone[0] and alone[0][0] < one[0]:
            yield (alone[0].popleft(),), (), False
        while alone[1] and alone[1][0] < other[0]:
            yield (), (alone[1].popleft(),), False
        if one[0] < n_one:
            yield one, other, same


def _shown(side: TokenizedText, group: Group) -> str:
    """What a group reads: the typed text, but for a lone token and for part of a character."""
    tokens = [side.tokens[index] for index in group]
    start, end = (tokens[0].start, tokens[-1].end) if len(tokens) > 1 else (None, None)
    if start is None or end is None:
        return "".join(token.text for token in tokens)
    sentence = side.text if tokens[0].segment == 0 else side.text_pair or ""
    return visible(sentence[start:end])
