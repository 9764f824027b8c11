"""Rules that choose a word without reading: what a head must beat to be called syntactic.

They know places, lengths, pieces, capitals, punctuation, numbers and the closed classes of function
words, and nothing else. Each chooses one other word for every word of a sentence, or none.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mha_core.atlas.tally import Integers
from mha_core.atlas.word_maps import WordText
from mha_core.text.function_words import CLASSES, function_classes, is_function_word, is_number

Choices = NDArray[np.int16]
"""Places in the sentence; NOTHING where a rule or head chooses no word."""
NOTHING = -1

OFFSETS = tuple(offset for offset in range(-10, 11) if offset)
LETTERS = tuple(range(1, 11))


Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SentenceView:
    """What rules see of a sentence of W words, one number a word."""

    causal: bool  # words see only those before them
    letters: Integers
    pieces: Integers  # 0: the word has no token, and nobody can choose it
    function: Booleans
    classes: Mapping[str, Booleans]  # of function words: pronouns, prepositions, ...
    capital: Booleans
    number: Booleans
    punctuation: Booleans

    @classmethod
    def of(cls, text: WordText, *, causal: bool) -> "SentenceView":
        words = text.sentence.words
        classes = [function_classes(word) for word in words]
        return cls(
            causal=causal,
            letters=np.array([sum(map(str.isalpha, word)) for word in words]),
            pieces=np.bincount([at for at in text.word if at >= 0], minlength=len(words)),
            function=np.array([is_function_word(word) for word in words]),
            classes={name: np.array([name in it for it in classes]) for name in CLASSES},
            capital=np.array([word[:1].isupper() for word in words]),
            number=np.array([is_number(word) for word in words]),
            punctuation=np.array([not any(map(str.isalnum, word)) for word in words]),
        )

    @cached_property
    def places(self) -> Integers:
        return np.arange(len(self.letters))

    @cached_property
    def visible(self) -> Booleans:
        """Which words [W, W] each word can choose: others that have a token."""
        others = self.places < self.places[:, None]
        if not self.causal:
            others |= self.places > self.places[:, None]
        return others & (self.pieces > 0)

    @cached_property
    def content(self) -> Booleans:
        return ~(self.function | self.punctuation)

    @cached_property
    def starts_run(self) -> Booleans:
        """Content words after a word that is none."""
        starts: Booleans = self.content & ~np.append(False, self.content[:-1])
        return starts

    @cached_property
    def ends_run(self) -> Booleans:
        """Content words before a word that is none."""
        ends: Booleans = self.content & ~np.append(self.content[1:], False)
        return ends


Choose = Callable[[SentenceView], Integers]
"""The choice of every word [W]; one that is not in the sentence, or not visible, is no choice."""
Mask = Callable[[SentenceView], Booleans]


@dataclass(frozen=True)
class WordRule:
    id: str
    words: str  # "the next word of at least 4 letters"
    choose: Choose
    is_usual: bool = False  # part of the baseline usual in the literature: offsets, uniform


def _offset(offset: int) -> WordRule:
    side = "before" if offset < 0 else "after"
    away = "just" if abs(offset) == 1 else f"{abs(offset)} places"
    return WordRule(
        f"offset{offset:+d}", f"the word {away} {side}", lambda view: view.places + offset, True
    )


def _nearest(id: str, noun: str, mask: Mask) -> list[WordRule]:
    """The nearest word of a kind to the left, and the one to the right."""

    def choose_before(view: SentenceView) -> Integers:
        chosen = mask(view) & (view.pieces > 0)
        reached = np.maximum.accumulate(np.where(chosen, view.places, NOTHING))
        return np.append(NOTHING, reached[:-1])

    def choose_after(view: SentenceView) -> Integers:
        end = len(view.places)
        chosen = mask(view) & (view.pieces > 0)
        reached = np.minimum.accumulate(np.where(chosen, view.places, end)[::-1])[::-1]
        return np.append(reached[1:], end)

    return [
        WordRule(f"previous_{id}", f"the previous {noun}", choose_before),
        WordRule(f"next_{id}", f"the next {noun}", choose_after),
    ]


def _at_least(letters: int) -> Mask:
    return lambda view: view.letters >= letters


def _of_class(name: str) -> Mask:
    return lambda view: view.classes[name]


def _of_letters(letters: int) -> str:
    return "word with a letter" if letters == 1 else f"word of at least {letters} letters"


def _fixed(place: int) -> Choose:
    """One word of the sentence, for all others."""
    return lambda view: np.full_like(view.places, place if place >= 0 else len(view.places) + place)


def _largest(size: Callable[[SentenceView], Integers]) -> Choose:
    """The visible word with the most of something, the nearest in a tie, then the earlier."""

    def choose(view: SentenceView) -> Integers:
        away = np.abs(view.places - view.places[:, None])  # [W, W]
        score = size(view) * 2.0 * len(view.places) - away
        score += (view.places < view.places[:, None]) * 0.5
        chosen: Integers = np.where(view.visible, score, -np.inf).argmax(1)
        return chosen

    return choose


UNIFORM = WordRule(
    "uniform", "uniform attention (the word of most pieces)", _largest(lambda v: v.pieces), True
)

RULES: tuple[WordRule, ...] = (
    *map(_offset, OFFSETS),
    *(rule for letters in LETTERS for rule in
      _nearest(f"letters_{letters}", _of_letters(letters), _at_least(letters))),
    *_nearest("content", "content word", lambda view: view.content),
    *_nearest("function", "function word", lambda view: view.function),
    *(rule for name in CLASSES for rule in _nearest(name, name, _of_class(name))),
    *_nearest("run_start", "word that begins a run of content words", lambda v: v.starts_run),
    *_nearest("run_end", "word that ends a run of content words", lambda v: v.ends_run),
    *_nearest("number", "number", lambda view: view.number),
    *_nearest("capital", "capitalised word", lambda view: view.capital),
    *_nearest("punctuation", "punctuation mark", lambda view: view.punctuation),
    WordRule("first", "the first word", _fixed(0)),
    WordRule("second", "the second word", _fixed(1)),
    WordRule("last", "the last word", _fixed(-1)),
    WordRule("longest", "the longest word", _largest(lambda view: view.letters)),
    UNIFORM,
)  # fmt: skip


def choose_words(texts: Sequence[WordText], *, causal: bool) -> Choices:
    """What every rule chooses for every word of the texts, one after another, [words, R]."""
    found = [np.zeros((0, len(RULES)), np.int16)]
    for text in texts:
        view = SentenceView.of(text, causal=causal)
        chosen = np.stack([rule.choose(view) for rule in RULES], 1)  # [W, R]
        inside = (chosen >= 0) & (chosen < len(view.places))
        inside &= np.take_along_axis(view.visible, np.where(inside, chosen, 0), 1)
        found.append(np.where(inside, chosen, NOTHING).astype(np.int16))
    return np.concatenate(found)
