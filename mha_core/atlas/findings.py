"""From counts to claims: the measures, relations and roles that an atlas records.

The same for a model and for its control.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby

from mha_core.atlas.coreference import RULES
from mha_core.atlas.measure import Measure
from mha_core.atlas.record import RelationRow, Specialisation
from mha_core.atlas.relation_words import label_relation
from mha_core.atlas.roles import Evidence, Role, build_evidence, find_roles, interval, percent
from mha_core.atlas.selection import Counts
from mha_core.atlas.specialisations import answer_questions
from mha_core.atlas.surface import SURFACE
from mha_core.atlas.survey import Counted
from mha_core.atlas.syntax import ALL, choose_heads, find_followers
from mha_core.metrics.catalogue import METRICS


@dataclass(frozen=True)
class Findings:
    """What follows from the counts of one model."""

    measures: dict[str, Measure]
    relations: list[RelationRow]
    roles: list[Role]

    @classmethod
    def of(cls, counted: Counted) -> "Findings":
        surface = {name: counted.dev.surface.measure(name) for name in SURFACE}
        measures = surface | _measure_cases(counted) | _measure_samples(counted)
        dev, test = counted.dev.syntax, counted.test.syntax
        roles = [*_find_syntax_roles(find_followers(dev, test)), *find_roles(measures)]
        return cls(measures, choose_heads(dev, test), roles)

    @property
    def best_accuracy(self) -> float | None:
        """Of all dependents' heads together, what the best head finds on the test set."""
        found = (row.accuracy for row in self.relations if row.id == f"{ALL}:dependent")
        return next(found, None)

    def specialisations(self) -> list[Specialisation]:
        chosen: dict[str, list[Evidence]] = defaultdict(list)
        for row in self.relations:
            chosen[row.relation].append(_describe(row))
        return answer_questions(self.roles, chosen, self.measures)


def _measure_cases(counted: Counted) -> dict[str, Measure]:
    """Shares of cases that heads get right."""
    measures = {
        "rare_word": _report_share(
            "Rarest word",
            "Share of sentences whose most attended word is the rarest one.",
            "share of sentences",
            counted.dev.rarity.counts(),
            counted.test.rarity.counts(),
            "uniform attention",
        )
    }
    if counted.gap is not None and counted.gap.enough:
        measures["gap"] = _report_share(
            "Pronoun to name",
            "Share of pronouns that attend more to the name they stand for than to another one.",
            "share of pronouns",
            counted.gap.counts(0),
            counted.gap.counts(1),
            RULES[counted.gap.rule],
        )
    return measures


def _report_share(
    label: str, meaning: str, unit: str, select: Counts, report: Counts, against: str
) -> Measure:
    return Measure(
        label, meaning, unit, report.n, report.baseline, report.accuracy, *report.interval,
        confirmed=select.proven, ranking=select.accuracy, against=against,
    )  # fmt: skip


def _measure_samples(counted: Counted) -> dict[str, Measure]:
    """Means over samples of the corpus, and over repeated sequences."""
    sink, variability, synthetic = counted.sink, counted.variability, counted.synthetic
    measures = {
        "sink64": Measure(
            "First token at 64 tokens",
            "Attention to the first token in windows of 64 tokens.",
            "share",
            int(sink.windows),
            float(sink.first_baseline),
            sink.first,
            sink.first_low,
            sink.first_high,
        ),
        "variability": Measure(
            "Variability",
            "How much the map depends on the text; near 0, the head looks at places, not words.",
            "share",
            int(variability.n),
            None,
            variability.values,
        ),
    }
    if synthetic is None:
        return measures
    for at, name in enumerate(("previous", "duplicate", "induction")):
        measures[f"synthetic_{name}"] = Measure(
            f"{METRICS[name].label}, random tokens",
            f"{METRICS[name].meaning} On random tokens said twice, so that nothing else helps.",
            "share",
            int(synthetic.rows[at]),
            float(synthetic.baseline[at]),
            getattr(synthetic, name).mean(0),
        )
    measures["copying"] = Measure(
        "Copying sign",
        "Whether the head makes the token it attends to likelier (1) or less likely (-1).",
        "sign",
        int(synthetic.rows[1]),
        0.0,
        synthetic.copying,
    )
    return measures


def _find_syntax_roles(followers: list[RelationRow]) -> list[Role]:
    roles = []
    for id, rows in groupby(followers, key=lambda row: row.id):
        first, *others = rows
        label = label_relation(first.relation, first.direction)
        heads = tuple(map(_describe, (first, *others)))
        roles.append(Role(id=id, group="syntax", label=label, claim=first.claim, heads=heads))
    return roles


def _describe(row: RelationRow) -> Evidence:
    split = "the test set"
    sentence = (
        f"{row.claim}: {percent(row.accuracy)} of {row.n:,} on {split}"
        f"{interval(row.low, row.high)}, {row.against} {percent(row.baseline)}."
    )
    return build_evidence(
        (row.layer, row.head), value=row.accuracy, n=row.n, low=row.low, high=row.high,
        baseline=row.baseline, split=split, evidence=sentence,
        rank=row.dev.accuracy - row.dev.baseline,
    )  # fmt: skip
