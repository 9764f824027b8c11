"""From counts to claims: the measures, relations and roles that an atlas records.

The same for a model and for its randomly initialised control. This file must not run models.
"""

from collections import defaultdict
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

import numpy as np

from mha_core.atlas.coreference import RULES
from mha_core.atlas.relation_words import claim, label
from mha_core.atlas.roles import (
    MARGIN,
    Evidence,
    Measure,
    Numbers,
    Role,
    accuracy_evidence,
    percent,
    rule_roles,
)
from mha_core.atlas.specialisations import specialisation_rows
from mha_core.atlas.surface import SURFACE
from mha_core.atlas.survey import Counted
from mha_core.atlas.syntax import ALL, RelationPass, RelationRow, head_passes, relation_rows
from mha_core.atlas.verdict import Score
from mha_core.atlas.wilson import wilson
from mha_core.metrics.measure import METRICS

TEST = "the test set"


@dataclass(frozen=True)
class Findings:
    """What the counts of one model come to."""

    measures: dict[str, Measure]
    weighted: dict[str, Numbers]  # means of the value-weighted twins of surface metrics
    relations: list[RelationRow]
    roles: list[Role]
    n_heads: int

    @classmethod
    def of(cls, counted: Counted) -> "Findings":
        """The findings of a survey."""
        n_heads = counted.sink.first.shape[1]
        measures = _surface(counted) | _counted_cases(counted) | _others(counted)
        passes = head_passes(counted.dev.syntax, counted.test.syntax)
        return cls(
            measures=measures,
            weighted={name: counted.dev.surface.row(name).weighted.ravel() for name in SURFACE},
            relations=relation_rows(counted.dev.syntax, counted.test.syntax),
            roles=[*_syntax_roles(passes), *rule_roles(measures, n_heads)],
            n_heads=n_heads,
        )

    @property
    def best_accuracy(self) -> float | None:
        """Of all dependents' heads together, what the best head finds on the test set."""
        found = [row for row in self.relations if row.id == f"{ALL}:dependent"]
        return round(found[0].verdict.accuracy, 4) if found else None

    def relation_records(self) -> list[dict[str, Any]]:
        """A row for each relation and direction, for the file."""
        return [
            {
                "id": row.id,
                "relation": row.relation,
                "direction": row.direction,
                "claim": claim(row.relation, row.direction),
                "offset": row.rule,
                "against": _against(row),
                **_rounded(asdict(row.verdict)),
            }
            for row in self.relations
        ]

    def specialisations(self) -> list[dict[str, Any]]:
        """What people speak of, and what was found."""
        chosen: dict[str, list[Evidence]] = defaultdict(list)
        for row in self.relations:
            chosen[row.relation].append(_evidence(row, row.verdict))
        return specialisation_rows(self.roles, chosen, self.measures, self.n_heads)

    def measure_records(self) -> dict[str, dict[str, Any]]:
        """Every number of every head, for the file."""
        records = {}
        for name, measure in self.measures.items():
            record = {
                "label": measure.label,
                "meaning": measure.meaning,
                "unit": measure.unit,
                "n": measure.n,
                "baseline": _number(measure.baseline),
                "values": _numbers(measure.values),
                "low": None if measure.low is None else _numbers(measure.low),
                "high": None if measure.high is None else _numbers(measure.high),
            }
            if name in self.weighted:
                record["weighted"] = _numbers(self.weighted[name])
            records[name] = record
        return records


def _surface(counted: Counted) -> dict[str, Measure]:
    measures = {}
    for name in SURFACE:
        row, metric = counted.dev.surface.row(name), METRICS[name]
        measures[name] = Measure(
            metric.label, metric.meaning, metric.unit, row.n,
            None if np.isnan(row.baseline) else row.baseline,
            row.values.ravel(), row.low.ravel(), row.high.ravel(),
        )  # fmt: skip
    return measures


def _counted_cases(counted: Counted) -> dict[str, Measure]:
    """What is a share of cases: reported on one half, confirmed on the other."""
    dev, test = counted.dev.rarity, counted.test.rarity
    low, high = test.interval
    measures = {
        "rare_word": Measure(
            "Rarest word",
            "Share of sentences whose most attended word is the rarest one.",
            "share of sentences",
            int(test.n),
            test.baseline,
            test.share.ravel(),
            low.ravel(),
            high.ravel(),
            (dev.interval[0] > dev.baseline + MARGIN).ravel(),
            dev.share.ravel(),
        )
    }
    if counted.gap is not None and counted.gap.enough:
        chosen, reported = counted.gap.counts(0), counted.gap.counts(1)
        low, high = wilson(reported.hits, reported.n)
        measures["gap"] = Measure(
            "Pronoun to name",
            "Share of pronouns that attend more to the name they stand for than to another one.",
            "share of pronouns",
            reported.n,
            reported.baseline,
            (reported.hits / reported.n).ravel(),
            low.ravel(),
            high.ravel(),
            chosen.proven().ravel(),
            (chosen.hits / chosen.n).ravel(),
            RULES[counted.gap.rule],
        )
    return measures


def _others(counted: Counted) -> dict[str, Measure]:
    resting, varied, said = counted.sink, counted.variability, counted.synthetic
    measures = {
        "sink64": Measure(
            "First token at 64 tokens",
            "Attention to the first token in windows of 64 tokens.",
            "share",
            int(resting.windows),
            float(resting.first_baseline),
            resting.first.ravel(),
            resting.first_low.ravel(),
            resting.first_high.ravel(),
        ),
        "variability": Measure(
            "Variability",
            "How much the map depends on the text; near 0, the head looks at places, not words.",
            "share",
            int(varied.n),
            None,
            varied.values.ravel(),
        ),
    }
    if said is None:
        return measures
    for at, name in enumerate(("previous", "duplicate", "induction")):
        measures[f"synthetic_{name}"] = Measure(
            f"{METRICS[name].label}, random tokens",
            f"{METRICS[name].meaning} On random tokens said twice, so that nothing else helps.",
            "share",
            int(said.rows[at]),
            float(said.baseline[at]),
            getattr(said, name).mean(0).ravel(),
        )
    measures["copying"] = Measure(
        "Copying sign",
        "Whether the head makes the token it attends to likelier (1) or less likely (-1).",
        "sign",
        int(said.rows[1]),
        0.0,
        said.copying.ravel(),
    )
    return measures


def _syntax_roles(passes: list[RelationPass]) -> list[Role]:
    roles = []
    for role_id, group in groupby(passes, key=lambda passed: passed.id):
        heads = tuple(group)
        relation, direction = heads[0].relation, heads[0].direction
        roles.append(
            Role(
                role_id,
                "syntax",
                label(relation, direction),
                claim(relation, direction),
                tuple(_evidence(passed, passed.score) for passed in heads),
            )
        )
    return roles


def _evidence(row: RelationRow | RelationPass, score: Score) -> Evidence:
    sentence = accuracy_evidence(
        claim(row.relation, row.direction),
        score.accuracy,
        score.n,
        (score.low, score.high),
        TEST,
        f"{_against(row)} {percent(score.baseline)}",
    )
    return Evidence(
        score.layer, score.head, score.accuracy, score.n, score.low, score.high, score.baseline,
        TEST, sentence, score.dev.accuracy - score.dev.baseline,
    )  # fmt: skip


def _against(row: RelationRow | RelationPass) -> str:
    """What the baseline is of."""
    return "uniform attention" if row.rule is None else f"best fixed offset ({row.rule:+d})"


def _rounded(value: Any) -> Any:  # noqa: ANN401 (any JSON)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return _number(value) if isinstance(value, float) else value


def _number(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else round(float(value), 4)


def _numbers(values: Numbers) -> list[float | None]:
    return [_number(value) for value in values.tolist()]
