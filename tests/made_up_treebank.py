"""Treebanks of made-up words and trees, and heads that choose words in them, without a model.

In a random tree no rule finds the word that another hangs on. A relation may also be made of a
rule's choices: then a head that follows the rule finds it without reading.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from mha_core.atlas.arcs import Arcs
from mha_core.atlas.syntax import Syntax
from mha_core.atlas.tally import Integers
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_choices import WordSplit
from mha_core.atlas.word_maps import WordText
from mha_core.atlas.word_rules import NOTHING, RULES, Choices, choose_words
from mha_core.text.tokens import TokenizedText

RULE_IDS = [rule.id for rule in RULES]
N = 600
"""Sentences of a split: some 2,800 arcs of each of two relations."""

_FUNCTION_WORDS = ("the", "of", "and", "to", "in", "it", "with", "that", "would")
_MARKS = (",", "-", ";", "2")


def to_text(sentence: Sentence, pieces: Sequence[int] | None = None) -> WordText:
    """The sentence between two special tokens, each word of so many tokens (one, if not said)."""
    counts = pieces or [1] * len(sentence.words)
    word = [at for at, count in enumerate(counts) for _ in range(count)]
    return WordText(sentence, TokenizedText("", None, (), {}), (-1, *word, -1))


@dataclass(frozen=True, eq=False)
class MadeUpTreebank:
    """One split: its texts, and what heads of a known kind choose for each of their words."""

    texts: Sequence[WordText]
    rules: Choices  # [words, R]
    causal: bool

    def follow(self, rule: str) -> Choices:
        """What a head chooses that follows a rule, [words]."""
        column: Choices = self.rules[:, RULE_IDS.index(rule)]
        return column

    @property
    def tree(self) -> Choices:
        """What a head chooses that follows the tree from dependents to heads, [words]."""
        return np.concatenate([text.sentence.heads for text in self.texts]).astype(np.int16)

    def guess(self, seed: int = 0) -> Choices:
        """What a head chooses that takes any other word, [words]."""
        draws = np.random.default_rng(seed)
        return np.concatenate([_guess(len(it.sentence.words), draws) for it in self.texts])

    def mix(self, often: Choices, else_: Choices, share: float, seed: int = 0) -> Choices:
        """The first choice for a share of the words, at random, and the second for the others."""
        return np.where(np.random.default_rng(seed).random(len(often)) < share, often, else_)

    def split(self, *heads: Choices, by_sentence: Choices | None = None) -> WordSplit:
        """The split as these heads [words] read it; `by_sentence` is [texts, heads]."""
        if by_sentence is None:
            by_sentence = np.full((len(self.texts), len(heads)), NOTHING, np.int16)
        return WordSplit(self.texts, np.stack(heads, 1), self.rules, by_sentence)

    @property
    def arcs(self) -> Arcs:
        return Arcs.of(self.texts, causal=self.causal)

    def made_of_rules(self, rules: Mapping[str, str], share: float) -> "MadeUpTreebank":
        """The same words; each hangs, for a share of the cases, on the choice of a rule.

        `rules` names the rule of each relation. Where it chooses nothing, any other word will do.
        """
        draws = np.random.default_rng(0)
        chosen = draws.integers(len(rules), size=len(self.rules))
        columns = np.stack([self.follow(rule) for rule in rules.values()], 1)
        wanted = columns[np.arange(len(columns)), chosen]
        heads = self.mix(np.where(wanted < 0, self.guess(1), wanted), self.guess(2), share, 3)
        names = np.array(list(rules))[chosen]
        texts, start = [], 0
        for text in self.texts:
            of_text = slice(start, start := start + len(text.sentence.words))
            tree = {
                "heads": tuple(heads[of_text].tolist()),
                "relations": tuple(names[of_text].tolist()),
            }
            texts.append(replace(text, sentence=replace(text.sentence, **tree)))
        return replace(self, texts=texts)


def judge(
    dev: MadeUpTreebank, test: MadeUpTreebank, dev_heads: list[Choices], test_heads: list[Choices]
) -> Syntax:
    """The syntax of a model of one layer with these heads."""
    splits = dev.split(*dev_heads), test.split(*test_heads)
    return Syntax(*splits, (dev.arcs, test.arcs), len(dev_heads))


@cache
def make_treebank(
    seed: int,
    n: int = N,
    relations: tuple[str, ...] = ("nsubj", "obj"),
    *,
    causal: bool = False,
) -> MadeUpTreebank:
    """Sentences of random words of random lengths, with random trees."""
    draws = np.random.default_rng(seed)
    texts = [_make_text(f"s{at}", draws, relations) for at in range(n)]
    return MadeUpTreebank(texts, choose_words(texts, causal=causal), causal)


def _make_text(id: str, draws: np.random.Generator, relations: Sequence[str]) -> WordText:
    n_words = int(draws.integers(7, 15))
    words = tuple(_make_word(draws) for _ in range(n_words))
    order = draws.permutation(n_words)
    heads: Integers = np.full(n_words, NOTHING)
    for at, word in enumerate(order[1:], 1):  # each hangs on one that is in the tree already
        heads[word] = order[draws.integers(at)]
    names = np.where(heads < 0, "root", draws.choice(relations, n_words))
    sentence = Sentence(
        id, " ".join(words), words, ("X",) * n_words, tuple(heads.tolist()), tuple(names.tolist())
    )
    return to_text(sentence, draws.integers(1, 4, n_words).tolist())


def _make_word(draws: np.random.Generator) -> str:
    kind = draws.random()
    if kind < 0.3:
        return str(draws.choice(_FUNCTION_WORDS))
    if kind < 0.4:
        return str(draws.choice(_MARKS))
    letters = "".join(draws.choice(list("bdfgklnprt"), int(draws.integers(1, 13))))
    return letters.capitalize() if kind < 0.5 else letters


def _guess(n_words: int, draws: np.random.Generator) -> Choices:
    """Any other word, for each of a sentence."""
    places = np.arange(n_words)
    return ((places + draws.integers(1, n_words, n_words)) % n_words).astype(np.int16)
