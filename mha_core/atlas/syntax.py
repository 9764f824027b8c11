"""Do heads follow grammatical relations? Each arc of a tree, asked of heads and of simple rules.

The question is asked twice: does the dependent choose its head, does the head choose its dependent
(Clark 2019). A head that always looks one word back also finds many heads of words, and the next
long word finds most verbs of subjects: so a role is won from the best of `word_rules`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mha_core.atlas.arcs import Arcs
from mha_core.atlas.claims import Outcome, Task
from mha_core.atlas.contest import Answers, Booleans, Contest
from mha_core.atlas.evidence import AtlasRole, NotAbove, RelationRow
from mha_core.atlas.relation_words import (
    ALL,
    DIRECTIONS,
    Direction,
    describe_relation,
    label_relation,
)
from mha_core.atlas.roles import percent
from mha_core.atlas.word_choices import WordSplit
from mha_core.atlas.word_rules import NOTHING, RULES

SPLITS = ("the dev set", "the test set")
USUAL = [at for at, rule in enumerate(RULES) if rule.is_usual]


@dataclass(frozen=True, eq=False)
class Syntax:
    """Both splits of a treebank with their questions."""

    dev: WordSplit
    test: WordSplit
    arcs: tuple[Arcs, Arcs]  # of dev and of test
    n_heads: int  # of a layer

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """A contest for each relation and direction with enough cases."""
        return self._judge(sorted({str(name) for name in np.unique(self.arcs[0].relation)}))

    def relations(self) -> list[RelationRow]:
        """The best head for each relation and direction, and first for ALL."""
        return [outcome.row() for outcome in (*self._judge([ALL]), *self.outcomes)]

    def roles(self, behaviours: Mapping[int, int] | None = None) -> list[AtlasRole]:
        """The heads that follow a relation better than the best rule.

        `behaviours` gives the rule some heads follow, by head: the evidence then says what the
        relation adds to it.
        """
        roles = (
            outcome.role(self._what_is_added(outcome, behaviours or {}))
            for outcome in self.outcomes
        )
        return [role for role in roles if role is not None]

    def not_above(self) -> list[NotAbove]:
        """Relations that heads follow better than the usual baseline, not than the best rule."""
        return [row for outcome in self.outcomes for row in outcome.not_above()]

    def _what_is_added(self, outcome: Outcome, behaviours: Mapping[int, int]) -> dict[int, str]:
        """For each head that wins: how often it is right where its behaviour is wrong."""
        notes, test = {}, outcome.contest.test
        for head in outcome.contest.winners:
            if head in behaviours:
                wrong = ~test.rules[:, behaviours[head]]
                if wrong.any():
                    right = percent(float(test.heads[wrong, head].mean()))
                    notes[head] = (
                        f" Where its usual choice ({RULES[behaviours[head]].words}) is wrong, it "
                        f"is right in {right} of {int(wrong.sum()):,}."
                    )
        return notes

    def _judge(self, relations: Sequence[str]) -> list[Outcome]:
        tasks = [self._task(name, direction) for name in relations for direction in DIRECTIONS]
        found = (Outcome(task, self._contest(task)) for task in tasks)
        return [outcome for outcome in found if outcome.is_asked]

    def _asked(self, task: Task, arcs: Arcs) -> Booleans:
        asked: Booleans = arcs.direction == DIRECTIONS.index(task.direction)
        return asked if task.relation == ALL else asked & (arcs.relation == task.relation)

    def _contest(self, task: Task) -> Contest:
        dev, test = (
            answer(split, arcs, self._asked(task, arcs))
            for split, arcs in zip((self.dev, self.test), self.arcs, strict=True)
        )
        return Contest(dev, test)

    def _task(self, relation: str, direction: Direction) -> Task:
        return Task(
            id=f"{relation}:{direction}",
            relation=relation,
            direction=direction,
            group="syntax",
            label=label_relation(relation, direction),
            claim=describe_relation(relation, direction),
            splits=SPLITS,
            rules=[rule.words for rule in RULES],
            usual=USUAL,
            n_heads=self.n_heads,
        )


def answer(split: WordSplit, arcs: Arcs, asked: Booleans) -> Answers:
    """Whether heads and rules choose the right word, for the questions that are asked."""
    text, key = arcs.text[asked], arcs.key[asked][:, None]
    row = split.start[text] + arcs.query[asked]
    rules = split.rules[row]
    return Answers(split.heads[row] == key, rules == key, text, rules == NOTHING)
