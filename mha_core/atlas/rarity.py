"""Do heads attend most to the rarest word of a sentence? A contest over a treebank.

A head's word is the one that all others together attend to most; the head is right where no word
of the sentence is rarer. Words are counted in the treebank itself, ignoring case. Rare words are
long and come in many pieces, and attention to a word is summed over them: the rules know that.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from mha_core.atlas.claims import Outcome, Task
from mha_core.atlas.contest import Answers, Contest
from mha_core.atlas.syntax import SPLITS
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_choices import WordSplit
from mha_core.atlas.word_maps import Pooling, WordText, pool_words
from mha_core.atlas.word_rules import NOTHING, SentenceView
from mha_core.attention import uniform_attention

LEAST_WORDS = 4
"""Words a sentence needs: among few, chance finds the rarest."""


@dataclass(frozen=True)
class SentenceRule:
    """Chooses one word of a sentence; NOTHING where it finds none."""

    words: str
    choose: Callable[[WordText, SentenceView], int]


def _choose_uniform(text: WordText, view: SentenceView) -> int:
    """The word that uniform attention attends to most."""
    n_tokens = len(text.word)
    pattern = uniform_attention(n_tokens, n_tokens, causal=view.causal)[None, None]
    return int(pool_words(pattern, Pooling.of([text]))[0, 0].sum(0).argmax())


def _last_content(_: WordText, view: SentenceView) -> int:
    return int(np.flatnonzero(view.content)[-1]) if view.content.any() else NOTHING


RULES = (
    SentenceRule("the longest word", lambda _, view: int(view.letters.argmax())),
    SentenceRule(
        "the last of the longest words",
        lambda _, view: len(view.letters) - 1 - int(view.letters[::-1].argmax()),
    ),
    SentenceRule("the word of most pieces", lambda _, view: int(view.pieces.argmax())),
    SentenceRule(
        "the word of most pieces, the longest of these",
        lambda _, view: int((view.pieces * 1000 + view.letters).argmax()),
    ),
    SentenceRule("the first word", lambda *_: 0),
    SentenceRule("the second word", lambda *_: 1),
    SentenceRule("the last word", lambda _, view: len(view.letters) - 1),
    SentenceRule("the last content word", _last_content),
    SentenceRule("uniform attention", _choose_uniform),
)


def count_words(sentences: Iterable[Sentence]) -> Counter[str]:
    return Counter(word.lower() for sentence in sentences for word in sentence.words)


def find_rarest(
    dev: WordSplit, test: WordSplit, frequencies: Mapping[str, int], n_heads: int, *, causal: bool
) -> Outcome:
    """The contest of finding the rarest word; P heads, of which a layer has `n_heads`."""
    task = Task(
        id="rare_word",
        relation="rare_word",
        direction="dependent",
        group="rare",
        label="rarest word",
        claim="the sentence → its rarest word",
        splits=SPLITS,
        rules=[rule.words for rule in RULES],
        usual=[len(RULES) - 1],
        n_heads=n_heads,
    )
    answers = [_answer(split, frequencies, causal) for split in (dev, test)]
    return Outcome(task, Contest(*answers))


def _answer(split: WordSplit, frequencies: Mapping[str, int], causal: bool) -> Answers:
    heads, rules, asked = [], [], []
    for at, text in enumerate(split.texts):
        words = text.sentence.words
        view = SentenceView.of(text, causal=causal)
        counts = np.array([frequencies[word.lower()] for word in words], np.float64)
        counts[view.pieces == 0] = np.inf  # words without a token are as good as absent
        if np.isfinite(counts).sum() < LEAST_WORDS:
            continue
        rarest = np.append(counts == counts.min(), False)  # the last one is for NOTHING
        heads.append(rarest[split.by_sentence[at]])
        rules.append(rarest[[rule.choose(text, view) for rule in RULES]])
        asked.append(at)
    P = split.heads.shape[1]  # noqa: N806 (the shape letter)
    return Answers(
        np.array(heads, bool).reshape(-1, P),
        np.array(rules, bool).reshape(-1, len(RULES)),
        np.array(asked, np.int64),
    )
