"""Do heads follow grammatical relations? Counted over a treebank by Clark's protocol (2019).

A head's prediction for a word is the other word it attends to most. Each arc of a tree is asked
twice: does the dependent look at its head, does the head look at its dependent. The baseline is
the best of rules that need no reading, because a head that always looks one word back also finds
many heads: each fixed offset, and uniform attention, which finds the word of most pieces.
Relations keep their subtypes ("acl:relcl" is not "acl"); punctuation and roots are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mha_core.atlas.record import RelationRow
from mha_core.atlas.relation_words import DIRECTIONS
from mha_core.atlas.selection import Counts, Task, choose_head, find_passing
from mha_core.atlas.tally import Integers, Numbers, Tally
from mha_core.atlas.treebank import Sentence
from mha_core.atlas.word_maps import WordText

ALL = "all"
"""Stands for every relation together; always the first of a tally."""

OFFSETS = tuple(offset for offset in range(-10, 11) if offset)
"""Places of the word looked at, counted from the word that looks."""

MIN_N = 100
"""Cases a relation needs in either split: fewer prove nothing."""

_LEFT_OUT = {"punct", "root"}


def list_relations(sentences: Iterable[Sentence]) -> tuple[str, ...]:
    """The relations that occur, ALL first: the rows of a tally."""
    return (ALL, *sorted({name for s in sentences for name in s.relations} - _LEFT_OUT))


@dataclass(frozen=True)
class Arcs:
    """The questions a batch asks of every head, one for each arc and direction.

    A causal model is asked only where the answer comes before the word that looks. Arcs of words
    without a token of their own ask nothing.
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
            with_token = set(text.word)
            tree = zip(text.sentence.heads, text.sentence.relations, strict=True)
            for word, (head, name) in enumerate(tree):
                if head < 0 or name in _LEFT_OUT or not {word, head} <= with_token:
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

    def asked_by(self, role: str) -> Tensor:
        """[N] bool: the questions of a role such as "obj:dependent"."""
        relation, _, direction = role.rpartition(":")
        asked = self.relation == self.relations.index(relation)
        return asked & (self.direction == (direction == "head"))


def _with_all(counts: NDArray[Any]) -> NDArray[Any]:
    """The counts [R, ...] with row 0 the sum of all."""
    counts[0] = counts.sum(0)
    return counts


@dataclass(frozen=True, eq=False)
class SyntaxTally(Tally):
    """Right answers of every head, and of the rules that need no reading."""

    relations: NDArray[np.str_]  # [R]
    hits: Integers  # [R, 2, L, H]
    opportunities: Integers  # [R, 2]
    offset_hits: Integers  # [R, 2, OFFSETS]
    uniform_hits: Numbers  # [R, 2]: of uniform attention; a tie counts as its share

    @classmethod
    def empty(cls, relations: tuple[str, ...], n_layers: int, n_heads: int) -> "SyntaxTally":
        shape = (len(relations), 2)
        return cls(
            np.array(relations),
            np.zeros((*shape, n_layers, n_heads), np.int64),
            np.zeros(shape, np.int64),
            np.zeros((*shape, len(OFFSETS)), np.int64),
            np.zeros(shape),
        )

    def count_questions(self, arcs: Arcs) -> None:
        """Count a batch's questions, and what each fixed offset answers; once a batch."""
        offset = (arcs.key - arcs.query).cpu().numpy()
        right = offset[:, None] == np.array(OFFSETS)  # [N, OFFSETS]
        asked = np.zeros((2 * len(self.relations), 1 + len(OFFSETS)), np.int64)
        np.add.at(asked, arcs.group.cpu().numpy(), np.column_stack([np.ones_like(offset), right]))
        counts = _with_all(asked.reshape(-1, 2, 1 + len(OFFSETS)))
        self.opportunities[...] += counts[..., 0]
        self.offset_hits[...] += counts[..., 1:]

    def count_uniform(self, arcs: Arcs, maps: Tensor) -> None:
        """Count what uniform attention answers, from its word maps [B, 1, W, W]."""
        rows = maps[arcs.row, 0, arcs.query]  # [N, W]
        best = (rows > rows.amax(-1, keepdim=True) * (1 - 1e-5)) & (rows > 0)
        right = best.gather(1, arcs.key[:, None])[:, 0] / best.sum(-1).clamp(min=1)  # [N]
        sums = np.zeros(2 * len(self.relations))
        np.add.at(sums, arcs.group.cpu().numpy(), right.double().cpu().numpy())
        self.uniform_hits[...] += _with_all(sums.reshape(-1, 2))

    def count_answers(self, arcs: Arcs, layer: int, maps: Tensor) -> None:
        """Count what the heads of one layer answer, from word maps [B, H, W, W].

        A row of zeros answers nothing.
        """
        most, best = maps.max(-1)  # [B, H, W]
        answers = best.masked_fill_(most <= 0, -1)
        right = answers[arcs.row, :, arcs.query] == arcs.key[:, None]  # [N, H]
        sums = torch.zeros(2 * len(self.relations), maps.shape[1], device=maps.device)
        sums.index_add_(0, arcs.group, right.float())
        counts = sums.view(-1, 2, maps.shape[1]).cpu().numpy().astype(np.int64)
        self.hits[:, :, layer] += _with_all(counts)

    def best_offset(self, relation: int, direction: int) -> int | None:
        """The fixed offset that finds most, the first in a tie; None: uniform attention does."""
        hits = self.offset_hits[relation, direction]
        if self.uniform_hits[relation, direction] > hits.max():
            return None
        return OFFSETS[int(hits.argmax())]

    def counts(self, relation: int, direction: int, offset: int | None) -> Counts:
        """What heads get right of one question, and the baseline: an offset, None for uniform."""
        at = relation, direction
        found = self.uniform_hits[at]
        if offset is not None:
            found = self.offset_hits[(*at, OFFSETS.index(offset))]
        return Counts(self.hits[at], int(self.opportunities[at]), float(found))


def choose_heads(dev: SyntaxTally, test: SyntaxTally, min_n: int = MIN_N) -> list[RelationRow]:
    """The best head for each relation and direction with enough cases in both splits."""
    return [choose_head(task) for task in _list_tasks(dev, test, min_n)]


def find_followers(dev: SyntaxTally, test: SyntaxTally) -> list[RelationRow]:
    """Every head and single relation it follows, best first within each; a role names one."""
    tasks = [task for task in _list_tasks(dev, test, MIN_N) if task.relation != ALL]
    return [row for task in tasks for row in find_passing(task)]


def _list_tasks(dev: SyntaxTally, test: SyntaxTally, min_n: int) -> Iterator[Task]:
    if not np.array_equal(dev.relations, test.relations):
        raise ValueError("both splits must be counted over the same relations")
    enough = np.minimum(dev.opportunities, test.opportunities) >= min_n
    for relation, direction in np.argwhere(enough).tolist():
        offset = dev.best_offset(relation, direction)
        splits = [split.counts(relation, direction, offset) for split in (dev, test)]
        yield Task(str(dev.relations[relation]), DIRECTIONS[direction], offset, *splits)
