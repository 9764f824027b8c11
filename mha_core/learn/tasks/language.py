"""A small generated language with agreement: which head finds the word that decides a form?"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import ClassVar

import torch

from mha_core.learn.tasks.grammar import FITTING, NOUNS, PRONOUNS, Sentence, all_words
from mha_core.learn.tasks.task import BOS, Batch, Cases, Relation, Task


@dataclass(frozen=True)
class Language(Task):
    """One sentence a sequence."""

    id: ClassVar[str] = "language"
    label: ClassVar[str] = "Small language"
    about: ClassVar[str] = (
        "Short sentences in which verbs, pronouns and nouns agree with a word that may be far away."
    )
    source: ClassVar[str] = (
        "The language is HeadScope's own; agreement over distractors as in Linzen and others 2016, "
        "Assessing the Ability of LSTMs to Learn Syntax-Sensitive Dependencies"
    )
    relations: ClassVar[tuple[Relation, ...]] = (
        Relation("subject", "verb and subject", "before a verb → its subject"),
        Relation("relative", "verb of a relative clause", "after “that” → the noun it describes"),
        Relation("pronoun", "pronoun and its noun", "before a pronoun → the noun it stands for"),
        Relation("adjective", "adjective and noun", "before a noun → the adjective it must fit"),
    )

    n_tokens: int = 32

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        return (BOS, *all_words())

    @property
    def examples(self) -> tuple[str, ...]:
        return (
            "the king near the girls says that he sleeps .",
            "the dogs that the queen sees run .",
            "behind the wild horses the clever old aunt waits .",
            "the boys that help the cat say that they sing .",
        )

    @cached_property
    def landmarks(self) -> Mapping[str, frozenset[int]]:
        fitting = [it for kind in FITTING.values() for it in kind]
        nouns = [form for noun in NOUNS for form in noun.forms]
        classes = {
            "noun": nouns,
            "adjective of a kind": fitting,
            "noun or pronoun": [*nouns, *PRONOUNS],
        }
        return {name: frozenset(map(self.vocabulary.index, it)) for name, it in classes.items()}

    def draw(self, seed: int, n: int) -> Batch:
        rng = Random(seed)  # noqa: S311 (nothing secret)
        sentences = [_draw_that_fits(rng, self.n_tokens - 1) for _ in range(n)]
        ids = {word: id for id, word in enumerate(self.vocabulary)}
        tokens = torch.full((n, self.n_tokens), ids["."])
        lengths = torch.tensor([1 + len(it.words) for it in sentences])
        rows = dict[str, list[tuple[int, ...]]]((it.id, []) for it in self.relations)
        for text, sentence in enumerate(sentences):
            row = [ids[BOS], *(ids[word] for word in sentence.words)]
            tokens[text, : len(row)] = torch.tensor(row)
            for it in sentence.dependences:
                # With <bos> in front, a word is predicted at the place it has without.
                case = (text, it.word, it.on + 1, row[it.word + 1], ids[it.wrong], int(it.hard))
                rows[it.relation].append(case)
        scored = torch.arange(1, self.n_tokens)[None] < lengths[:, None]
        return Batch(tokens, lengths, scored, {name: _cases(it) for name, it in rows.items()})


def _draw_that_fits(rng: Random, n_words: int) -> Sentence:
    while len((sentence := Sentence(rng)).words) > n_words:
        pass
    return sentence


def _cases(rows: list[tuple[int, ...]]) -> Cases:
    text, query, key, right, wrong, hard = torch.tensor(rows, dtype=torch.long).view(-1, 6).T
    return Cases(text, query, key, right, wrong, hard.bool())
