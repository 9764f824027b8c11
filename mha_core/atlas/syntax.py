"""Do heads look along grammatical relations? Counted over a treebank by Clark's protocol (2019).

A head's prediction for a word is the other word it attends to most. Each arc of a tree is asked
twice: does the dependent look at its head, does the head look at its dependent. What a head gets
right is compared with the best of rules that need no reading, for a head that always looks one
word back also finds many heads: each fixed offset, and attention spread evenly, which finds the
word of most pieces. Relations keep their subtypes ("acl:relcl" is not "acl"); punctuation and
roots are left out. This file must not know how maps are made.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mha_core.atlas.relation_words import DIRECTIONS, Direction
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.verdict import Counts, Score, Verdict, passing, verdict
from mha_core.atlas.word_maps import WordText

ALL = "all"
"""Stands for every relation together; always the first of a tally."""

OFFSETS = tuple(offset for offset in range(-10, 11) if offset)
"""Places of the word looked at, counted from the word that looks."""

MIN_N = 100
"""Cases a relation needs in either split: fewer prove nothing."""

_LEFT_OUT = {"punct", "root"}
Count = TypeVar("Count", np.int64, np.float64)


def relation_names(sentences: Iterable[Sentence]) -> tuple[str, ...]:
    """The relations that occur, ALL first: the rows of a tally."""
    return (ALL, *sorted({name for s in sentences for name in s.relations} - _LEFT_OUT))


@dataclass(frozen=True)
class Arcs:
    """The questions a batch asks of every head, one for each arc and direction.

    For a causal model only those whose answer comes before the word that looks: it sees no other.
    Arcs of words without a token of their own ask nothing.
    """

    relations: tuple[str, ...]
    row: Tensor  # [N] which sentence of the batch
    query: Tensor  # [N] the word that looks
    key: Tensor  # [N] the word it should look at
    relation: Tensor  # [N] index into `relations`, never that of ALL
    direction: Tensor  # [N] index into DIRECTIONS

    @classmethod
    def of(
        cls,
        batch: Sequence[WordText],
        relations: tuple[str, ...],
        *,
        causal: bool,
        device: torch.device | str = "cpu",
    ) -> "Arcs":
        """The questions of a batch, its words counted as in the treebank."""
        index = {name: i for i, name in enumerate(relations)}
        asked: list[tuple[int, int, int, int, int]] = []
        for row, text in enumerate(batch):
            seen = set(text.word)
            sentence = text.sentence
            for word, (head, name) in enumerate(
                zip(sentence.heads, sentence.relations, strict=True)
            ):
                if head < 0 or name in _LEFT_OUT or not {word, head} <= seen:
                    continue
                for direction, (query, key) in enumerate(((word, head), (head, word))):
                    if key < query or not causal:
                        asked.append((row, query, key, index[name], direction))
        columns = torch.tensor(asked, dtype=torch.long).reshape(-1, 5).T.to(device)
        return cls(relations, *columns)

    @property
    def group(self) -> Tensor:
        """[N]: relation and direction in one number."""
        return self.relation * 2 + self.direction

    def hits(self, maps: Tensor) -> NDArray[np.int64]:
        """Right answers [R, 2, H] in word maps [B, H, W, W]; a row of zeros answers nothing."""
        most, best = maps.max(-1)  # [B, H, W]
        answers = best.masked_fill_(most <= 0, -1)
        right = answers[self.row, :, self.query] == self.key[:, None]  # [N, H]
        sums = torch.zeros(2 * len(self.relations), maps.shape[1], device=maps.device)
        sums.index_add_(0, self.group, right.float())
        return _with_all(sums.view(-1, 2, maps.shape[1]).cpu().numpy().astype(np.int64))


def _with_all(counts: NDArray[Count]) -> NDArray[Count]:
    """The counts [R, ...] with row 0 the sum of all."""
    counts[0] = counts.sum(0)
    return counts


@dataclass
class SyntaxTally:
    """Right answers counted so far; tallies of parts of a corpus add up."""

    relations: tuple[str, ...]
    hits: NDArray[np.int64]  # [R, 2, L, H]
    opportunities: NDArray[np.int64]  # [R, 2]
    offset_hits: NDArray[np.int64]  # [R, 2, OFFSETS]
    even_hits: NDArray[np.float64]  # [R, 2]: of attention spread evenly; a tie counts as its share

    @classmethod
    def empty(cls, relations: tuple[str, ...], n_layers: int, n_heads: int) -> "SyntaxTally":
        """Nothing counted yet."""
        shape = (len(relations), 2)
        return cls(
            relations,
            np.zeros((*shape, n_layers, n_heads), np.int64),
            np.zeros(shape, np.int64),
            np.zeros((*shape, len(OFFSETS)), np.int64),
            np.zeros(shape),
        )

    def ask(self, arcs: Arcs) -> None:
        """Count a batch's questions, and what each fixed offset would answer; once a batch."""
        group = arcs.group.cpu().numpy()
        offset = (arcs.key - arcs.query).cpu().numpy()
        right = offset[:, None] == np.array(OFFSETS)  # [N, OFFSETS]
        asked = np.zeros((2 * len(self.relations), 1 + len(OFFSETS)), np.int64)
        np.add.at(asked, group, np.column_stack([np.ones_like(offset), right]))
        counts = _with_all(asked.reshape(-1, 2, 1 + len(OFFSETS)))
        self.opportunities += counts[..., 0]
        self.offset_hits += counts[..., 1:]

    def answer_evenly(self, arcs: Arcs, maps: Tensor) -> None:
        """Count what attention spread evenly answers, from its word maps [B, 1, W, W]."""
        rows = maps[arcs.row, 0, arcs.query]  # [N, W]
        best = (rows > rows.amax(-1, keepdim=True) * (1 - 1e-5)) & (rows > 0)
        right = best.gather(1, arcs.key[:, None])[:, 0] / best.sum(-1).clamp(min=1)  # [N]
        sums = np.zeros(2 * len(self.relations))
        np.add.at(sums, arcs.group.cpu().numpy(), right.double().cpu().numpy())
        self.even_hits += _with_all(sums.reshape(-1, 2))

    def answer(self, arcs: Arcs, layer: int, maps: Tensor) -> None:
        """Count what the heads of one layer answer, from word maps [B, H, W, W]."""
        self.hits[:, :, layer] += arcs.hits(maps)

    def __add__(self, other: "SyntaxTally") -> "SyntaxTally":
        if self.relations != other.relations:
            raise ValueError("tallies of different relations do not add up")
        return SyntaxTally(
            self.relations,
            self.hits + other.hits,
            self.opportunities + other.opportunities,
            self.offset_hits + other.offset_hits,
            self.even_hits + other.even_hits,
        )

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """All of it as arrays, to be saved."""
        return {
            "relations": np.array(self.relations),
            "hits": self.hits,
            "opportunities": self.opportunities,
            "offset_hits": self.offset_hits,
            "even_hits": self.even_hits,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> "SyntaxTally":
        """What `arrays` gave."""
        return cls(
            relations=tuple(str(name) for name in arrays["relations"]),
            hits=arrays["hits"].astype(np.int64),
            opportunities=arrays["opportunities"].astype(np.int64),
            offset_hits=arrays["offset_hits"].astype(np.int64),
            even_hits=arrays["even_hits"].astype(np.float64),
        )

    def best_rule(self, relation: int, direction: int) -> int | None:
        """The fixed offset that finds most, the first in a tie; None: even attention finds more."""
        hits = self.offset_hits[relation, direction]
        return None if self.even_hits[relation, direction] > hits.max() else OFFSETS[hits.argmax()]

    def counts(self, relation: int, direction: int, rule: int | None) -> Counts:
        """What heads get right of one question, and a rule: an offset, or None."""
        found = self.even_hits[relation, direction]
        if rule is not None:
            found = self.offset_hits[relation, direction, OFFSETS.index(rule)]
        return Counts(
            self.hits[relation, direction],
            int(self.opportunities[relation, direction]),
            float(found),
        )


@dataclass(frozen=True)
class RelationRow:
    """The head that follows a relation best: chosen on dev, its numbers from test."""

    relation: str
    direction: Direction
    rule: int | None  # the best of dev, whose accuracy on test is the baseline: an offset, or even
    verdict: Verdict

    @property
    def id(self) -> str:
        """As in "obj:dependent"."""
        return f"{self.relation}:{self.direction}"


@dataclass(frozen=True)
class RelationPass:
    """A head that follows a relation on dev and on test, with its numbers from test."""

    relation: str
    direction: Direction
    rule: int | None  # as of a row
    score: Score

    @property
    def id(self) -> str:
        """As in "obj:dependent"."""
        return f"{self.relation}:{self.direction}"


def relation_rows(dev: SyntaxTally, test: SyntaxTally, min_n: int = MIN_N) -> list[RelationRow]:
    """One row for each relation and direction with enough cases in both splits, ALL among them."""
    return [
        RelationRow(dev.relations[relation], DIRECTIONS[direction], rule, row)
        for relation, direction, rule in _questions(dev, test, min_n)
        for row in [
            verdict(dev.counts(relation, direction, rule), test.counts(relation, direction, rule))
        ]
    ]


def head_passes(dev: SyntaxTally, test: SyntaxTally, min_n: int = MIN_N) -> list[RelationPass]:
    """Every head and single relation it follows, best first within each; a role names one."""
    return [
        RelationPass(dev.relations[relation], DIRECTIONS[direction], rule, score)
        for relation, direction, rule in _questions(dev, test, min_n)
        if dev.relations[relation] != ALL
        for score in passing(
            dev.counts(relation, direction, rule), test.counts(relation, direction, rule)
        )
    ]


def _questions(
    dev: SyntaxTally, test: SyntaxTally, min_n: int
) -> Iterable[tuple[int, int, int | None]]:
    """Relation, direction and dev's best rule, where both splits have min_n cases."""
    if dev.relations != test.relations:
        raise ValueError("both splits must be counted over the same relations")
    enough = np.minimum(dev.opportunities, test.opportunities) >= min_n
    for relation, direction in np.argwhere(enough).tolist():
        yield relation, direction, dev.best_rule(relation, direction)
