"""The specialisations people speak of, and the measured rows that decide on each.

Each has its row whether it holds or not: where no head passes, the best one is named with its
numbers. This file must not know models or corpora.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mha_core.atlas.roles import RULES, Evidence, Measure, Role, percent, rule_evidence


@dataclass(frozen=True)
class Specialisation:
    """A question about heads, and what answers it: relations, or measures."""

    name: str
    question: str
    relations: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()


SPECIALISATIONS = (
    Specialisation("pronoun resolution, coreference", "Which heads link a pronoun to its name?",
                   measures=("gap",)),
    Specialisation("subject-verb", "Which heads link a subject and its verb?",
                   ("nsubj", "nsubj:pass")),
    Specialisation("verb-object", "Which heads link a verb and its object?", ("obj",)),
    Specialisation("noun-adjective", "Which heads link a noun and its adjective?", ("amod",)),
    Specialisation("prepositional", "Which heads link prepositions, their nouns and verbs?",
                   ("case", "obl", "nmod")),
    Specialisation("relative clause", "Which heads link a noun and its relative clause?",
                   ("acl:relcl",)),
    Specialisation("cause", "Which heads link a clause (because, when, ...) to the main verb?",
                   ("advcl", "mark")),
    Specialisation("local context", "Which heads look at neighbouring tokens?",
                   measures=("previous", "next", "synthetic_previous", "locality")),
    Specialisation("delimiter", "Which heads look at special tokens or punctuation?",
                   measures=("special", "punctuation")),
    Specialisation("semantic similarity", "Which heads look at words of similar meaning?",
                   measures=("similarity",)),
    Specialisation("copy", "Which heads find an earlier copy, or what followed it?",
                   measures=("duplicate", "induction",
                             "synthetic_duplicate", "synthetic_induction")),
)  # fmt: skip


def specialisation_rows(
    roles: Sequence[Role],
    relations: Mapping[str, Sequence[Evidence]],
    measures: Mapping[str, Measure],
    n_heads: int,
) -> list[dict[str, Any]]:
    """For the file: of each, the roles that answer it and the best head, passing or not.

    `relations` holds for each relation the head chosen for each direction.
    """
    rows = []
    for special in SPECIALISATIONS:
        wanted = {*special.relations, *special.measures}
        answering = [role for role in roles if _subject(role.id) in wanted]
        candidates = [(row.rank, row) for name in special.relations for row in relations[name]]
        candidates += [
            (found.rank, found)
            for name in special.measures
            if (found := _best_of_measure(name, measures, n_heads)) is not None
        ]
        passing = [(head.rank, head) for role in answering for head in role.heads]
        best = max(passing or candidates, key=lambda pair: pair[0], default=None)
        rows.append(
            {
                "name": special.name,
                "question": special.question,
                "rows": [role.id for role in answering],
                "measured": [*special.relations, *special.measures],
                "best": None if best is None else best[1].record(),
                "holds": bool(answering),
            }
        )
    return rows


def _subject(role_id: str) -> str:
    """The relation of `nsubj:pass:dependent`, the measure of `previous`."""
    head, _, direction = role_id.rpartition(":")
    return head if direction in ("dependent", "head") else role_id


def _best_of_measure(name: str, measures: Mapping[str, Measure], n_heads: int) -> Evidence | None:
    measure = measures.get(name)
    if measure is None or measure.n == 0 or np.isnan(measure.values).all():
        return None
    order = measure.values if measure.ranking is None else measure.ranking
    place = int(np.nanargmax(order))
    for rule in RULES:
        if rule.measure == name:
            return rule_evidence(rule, measures, place, n_heads)
    value = float(measure.values[place])
    shown = f"{value:.2f}" if "correlation" in measure.unit else percent(value)
    return Evidence(
        place // n_heads, place % n_heads, value, measure.n, None, None, measure.baseline,
        "the dev set",
        f"{measure.label}: {shown}, n = {measure.n:,} on the dev set; no threshold makes this a "
        f"role.",
        value - (measure.baseline or 0.0),
    )  # fmt: skip
