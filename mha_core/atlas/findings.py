"""From counts to claims: the measures, relations and roles that an atlas records.

The same for a model and for its control.
"""

from collections import defaultdict
from dataclasses import asdict, dataclass
from itertools import groupby

from mha_core.atlas.coreference import RULES
from mha_core.atlas.measure import Measure
from mha_core.atlas.record import AtlasMeasure, RelationRow, Specialisation
from mha_core.atlas.relation_words import describe_relation, label_relation
from mha_core.atlas.roles import Evidence, Role, build_evidence, find_roles, interval, percent
from mha_core.atlas.selection import Counts
from mha_core.atlas.specialisations import answer_questions
from mha_core.atlas.surface import SURFACE
from mha_core.atlas.survey import Counted
from mha_core.atlas.syntax import ALL, RelationScore, choose_heads, find_followers
from mha_core.metrics.catalogue import METRICS


@dataclass(frozen=True)
class Findings:
    """What follows from the counts of one model."""

    measures: dict[str, Measure]
    relations: list[RelationScore]
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
        found = (row.score.accuracy for row in self.relations if row.id == f"{ALL}:dependent")
        return next(found, None)

    def relation_records(self) -> list[RelationRow]:
        return [
            RelationRow(
                id=row.id,
                relation=row.relation,
                direction=row.direction,
                claim=describe_relation(row.relation, row.direction),
                offset=row.offset,
                against=_describe_baseline(row),
                **asdict(row.score),
            )
            for row in self.relations
        ]

    def specialisations(self) -> list[Specialisation]:
        chosen: dict[str, list[Evidence]] = defaultdict(list)
        for row in self.relations:
            chosen[row.relation].append(_describe(row))
        return answer_questions(self.roles, chosen, self.measures)

    def measure_records(self) -> dict[str, AtlasMeasure]:
        return {name: measure.record() for name, measure in self.measures.items()}


def _measure_cases(counted: Counted) -> dict[str, Measure]:
    """Shares of cases that heads get right."""
    measures = {
        "rare_word": _report_share(
            "Rarest word",
            "Share of sentences whose most attended word is the rarest one.",
            "share of sentences",
            counted.dev.rarity.counts(),
            counted.test.rarity.counts(),
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
    label: str,
    meaning: str,
    unit: str,
    select: Counts,
    report: Counts,
    against: str = "uniform attention",
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


def _find_syntax_roles(followers: list[RelationScore]) -> list[Role]:
    return [
        Role(
            id=f"{relation}:{direction}",
            group="syntax",
            label=label_relation(relation, direction),
            claim=describe_relation(relation, direction),
            heads=tuple(map(_describe, heads)),
        )
        for (relation, direction), heads in groupby(
            followers, key=lambda follower: (follower.relation, follower.direction)
        )
    ]


def _describe(row: RelationScore) -> Evidence:
    score, split = row.score, "the test set"
    sentence = (
        f"{describe_relation(row.relation, row.direction)}: {percent(score.accuracy)} of "
        f"{score.n:,} on {split}{interval(score.low, score.high)}, "
        f"{_describe_baseline(row)} {percent(score.baseline)}."
    )
    return build_evidence(
        (score.layer, score.head), value=score.accuracy, n=score.n, low=score.low, high=score.high,
        baseline=score.baseline, split=split, evidence=sentence,
        rank=score.dev.accuracy - score.dev.baseline,
    )  # fmt: skip


def _describe_baseline(row: RelationScore) -> str:
    return "uniform attention" if row.offset is None else f"best fixed offset ({row.offset:+d})"
