"""From contests to claims: what a head that beats the best simple rule is said to do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mha_core.atlas.contest import MARGIN, Answers, Booleans, Contest, Lead
from mha_core.atlas.evidence import (
    AtlasRole,
    LeadRecord,
    NotAbove,
    RelationRow,
    RoleHead,
    RunnerUp,
)
from mha_core.atlas.measure import Measure
from mha_core.atlas.relation_words import Direction
from mha_core.atlas.roles import build_evidence, interval, percent
from mha_core.atlas.tally import Integers
from mha_core.atlas.wilson import wilson_interval


@dataclass(frozen=True)
class Task:
    """What heads and rules are asked to find, with the words to report it in."""

    id: str  # "obj:dependent"
    relation: str
    direction: Direction
    group: str
    label: str
    claim: str  # "objects → their verb"
    splits: tuple[str, str]  # names of the data that chooses and of the data that reports
    rules: Sequence[str]  # in words
    usual: Sequence[int]  # rules that make the usual baseline
    n_heads: int  # of a layer


@dataclass(frozen=True, eq=False)
class Outcome:
    """A task and its contest: the claims that follow."""

    task: Task
    contest: Contest
    pooled: Answers | None = None  # both splits together, where they are two halves of one file

    @property
    def rule(self) -> str:
        """The best simple rule, in words."""
        first, second = self.contest.rule, self.contest.second
        words = self.task.rules
        return words[first] if second is None else f"{words[first]}, else {words[second]}"

    @property
    def is_asked(self) -> bool:
        """Whether both splits have enough cases for a claim."""
        return self.contest.has_cases

    def role(self, notes: dict[int, str] | None = None) -> AtlasRole | None:
        """The role of the heads that win, best first; None where none does.

        `notes` end the evidence of a head.
        """
        if not (self.is_asked and self.contest.winners):
            return None
        heads = [self.evidence(head, (notes or {}).get(head, "")) for head in self.contest.winners]
        words = {name: getattr(self.task, name) for name in ("id", "group", "label", "claim")}
        return AtlasRole(**words, heads=tuple(heads))

    def row(self) -> RelationRow:
        """The head that is best on dev, whether it wins or not."""
        best, *others = self.contest.ranking[:2]
        test = self.contest.test
        (low,), (high,) = self._wilson(np.array([best]))
        second = [(*self._place(head), float(test.accuracy[head])) for head in others]
        runner_up = [RunnerUp(layer=at, head=head, accuracy=acc) for at, head, acc in second]
        baseline = self.contest.rule_accuracy(test)
        layer, head = self._place(best)
        return RelationRow(
            id=self.task.id, relation=self.task.relation, direction=self.task.direction,
            claim=self.task.claim, rule=self.rule, layer=layer, head=head,
            accuracy=float(test.accuracy[best]), n=len(test), low=low, high=high,
            baseline=baseline, lift=float(test.accuracy[best]) - baseline,
            leads=self._leads(best), runner_up=next(iter(runner_up), None),
            holds=best in self.contest.winners,
        )  # fmt: skip

    def evidence(self, head: int, note: str = "") -> RoleHead:
        """Why a head has the role."""
        test = self.contest.test
        (low,), (high,) = self._wilson(np.array([head]))
        leads = self._leads(head)
        return build_evidence(
            self._place(head), value=float(test.accuracy[head]), n=len(test), low=low, high=high,
            baseline=leads[1].rule_accuracy, split=self.task.splits[1], rank=leads[0].difference,
            evidence=self._sentence(leads, (low, high)) + note,
        )  # fmt: skip

    def measure(self, label: str, meaning: str, unit: str) -> Measure:
        """The accuracy of every head on the data that reports."""
        test, shape = self.contest.test, (-1, self.task.n_heads)
        low, high = wilson_interval(test.heads.sum(0), len(test))
        accuracy = test.heads.sum(0) / (len(test) or np.nan)
        baseline = self.contest.rule_accuracy(test) if self.is_asked else None
        arrays = (it.reshape(shape) for it in (accuracy, low, high))
        return Measure(label, meaning, unit, len(test), baseline, *arrays)

    def not_above(self) -> list[NotAbove]:
        """Heads that beat the usual baseline, on both splits, but not the best simple rule."""
        if not self.is_asked:
            return []
        above = np.logical_and.reduce([self._beats_usual(split) for split in self._splits])
        lost = [head for head in self.contest.ranking if above[head]]
        return [self._fallen(head) for head in lost if head not in self.contest.winners]

    def _fallen(self, head: int) -> NotAbove:
        words = {name: getattr(self.task, name) for name in ("id", "group", "label", "claim")}
        leads = self._leads(head)
        (low,), (high,) = self._wilson(np.array([head]))
        layer, number = self._place(head)
        ahead = all(lead.low > 0 for lead in leads)
        verdict = "Not far enough above" if ahead else "Not above"
        sentence = f"{verdict} the best simple rule. {self._sentence(leads, (low, high))}"
        return NotAbove(
            **words, layer=layer, head=number, rule=self.rule, leads=leads,
            evidence=sentence,
        )  # fmt: skip

    @property
    def _splits(self) -> tuple[Answers, Answers]:
        return self.contest.dev, self.contest.test

    def _beats_usual(self, split: Answers) -> Booleans:
        """Whether the lower end of each head's accuracy [P] is above that baseline by MARGIN."""
        usual = max(self.task.usual, key=lambda rule: self.contest.dev.rule_accuracy[rule])
        low, _ = wilson_interval(split.heads.sum(0), len(split))
        above: Booleans = low > split.rule_accuracy[usual] + MARGIN
        return above

    def _wilson(self, heads: Integers) -> tuple[list[float], list[float]]:
        test = self.contest.test
        low, high = wilson_interval(test.heads[:, heads].sum(0), len(test))
        return low.tolist(), high.tolist()

    def _leads(self, head: int) -> tuple[LeadRecord, ...]:
        """The head against the rule on dev, on test and, where there is such a thing, on both."""
        data = list(zip(self.task.splits, self._splits, strict=True))
        if self.pooled is not None:
            data.append(("both together", self.pooled))
        return tuple(_record(name, self.contest.lead(head, answers)) for name, answers in data)

    def _sentence(self, leads: Sequence[LeadRecord], ends: tuple[float, float]) -> str:
        dev, report, *others = leads
        elsewhere = "".join(f"; on {lead.split} {describe_points(lead)}" for lead in (dev, *others))
        return (
            f"{self.task.claim}: {percent(report.accuracy)} of {report.n:,} on {report.split}"
            f"{interval(*ends)}; the best simple rule, {self.rule}, {percent(report.rule_accuracy)}"
            f". Head minus rule {describe_points(report)}{elsewhere}."
        )

    def _place(self, head: int) -> tuple[int, int]:
        return divmod(head, self.task.n_heads)


def _record(split: str, lead: Lead) -> LeadRecord:
    return LeadRecord(
        split=split, n=lead.n, accuracy=lead.accuracy, rule_accuracy=lead.rule_accuracy,
        difference=lead.difference, low=lead.low, high=lead.high,
    )  # fmt: skip


def describe_points(lead: LeadRecord) -> str:
    """`15.1 points (11.4 to 18.9)`; a lead just below the margin must not read like the margin."""
    number, low, high = (100 * it for it in (lead.difference, lead.low, lead.high))
    digits = 2 if number < 100 * MARGIN <= round(number, 1) else 1
    return f"{number:.{digits}f} points ({low:.1f} to {high:.1f})"
