"""The specialisations people speak of, and the measured rows that decide on each.

Each has its row whether it holds or not: where no head passes, the best one is named with its
numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mha_core.atlas.measure import Measure
from mha_core.atlas.record import Specialisation
from mha_core.atlas.relation_words import DIRECTIONS
from mha_core.atlas.roles import RULES, Evidence, Role, apply_rule, build_evidence, percent


@dataclass(frozen=True)
class Question:
    """A question about heads, and what answers it: relations, or measures."""

    name: str
    text: str
    relations: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()


QUESTIONS = (
    Question("pronoun resolution, coreference", "Which heads link a pronoun to its name?",
             measures=("gap",)),
    Question("subject-verb", "Which heads link a subject and its verb?", ("nsubj", "nsubj:pass")),
    Question("verb-object", "Which heads link a verb and its object?", ("obj",)),
    Question("noun-adjective", "Which heads link a noun and its adjective?", ("amod",)),
    Question("prepositional", "Which heads link prepositions, their nouns and verbs?",
             ("case", "obl", "nmod")),
    Question("relative clause", "Which heads link a noun and its relative clause?", ("acl:relcl",)),
    Question("cause", "Which heads link a clause (because, when, ...) to the main verb?",
             ("advcl", "mark")),
    Question("local context", "Which heads look at neighbouring tokens?",
             measures=("previous", "next", "synthetic_previous", "locality")),
    Question("delimiter", "Which heads look at special tokens or punctuation?",
             measures=("special", "punctuation")),
    Question("semantic similarity", "Which heads look at words of similar meaning?",
             measures=("similarity",)),
    Question("copy", "Which heads find an earlier copy, or what followed it?",
             measures=("duplicate", "induction", "synthetic_duplicate", "synthetic_induction")),
)  # fmt: skip


def answer_questions(
    roles: Sequence[Role],
    relations: Mapping[str, Sequence[Evidence]],
    measures: Mapping[str, Measure],
) -> list[Specialisation]:
    """For each question the roles that answer it and the best head, passing or not.

    `relations` holds for each relation the head chosen for each direction.
    """
    rows = []
    for question in QUESTIONS:
        measured = [*question.relations, *question.measures]
        answering = [role for role in roles if _subject(role.id) in measured]
        candidates = [head for role in answering for head in role.heads]
        if not candidates:
            candidates = [head for name in question.relations for head in relations[name]]
            best = (_find_best(name, measures) for name in question.measures)
            candidates += [head for head in best if head is not None]
        rows.append(
            Specialisation(
                name=question.name,
                question=question.text,
                rows=[role.id for role in answering],
                measured=measured,
                best=max(candidates, key=lambda head: head.rank, default=None),
                holds=bool(answering),
            )
        )
    return rows


def _subject(role_id: str) -> str:
    """The relation of `nsubj:pass:dependent`, the measure of `previous`."""
    relation, _, direction = role_id.rpartition(":")
    return relation if direction in DIRECTIONS else role_id


def _find_best(name: str, measures: Mapping[str, Measure]) -> Evidence | None:
    measure = measures.get(name)
    if measure is None or measure.n == 0 or np.isnan(measure.values).all():
        return None
    place = divmod(int(np.nanargmax(measure.order)), measure.values.shape[1])
    for rule in RULES:
        if rule.measure == name:
            return apply_rule(rule, measures, place)
    value = float(measure.values[place])
    shown = f"{value:.2f}" if "correlation" in measure.unit else percent(value)
    sentence = (
        f"{measure.label}: {shown}, n = {measure.n:,} on the dev set; no threshold makes this a "
        f"role."
    )
    return build_evidence(
        place, value=value, n=measure.n, low=None, high=None, baseline=measure.baseline,
        split="the dev set", evidence=sentence, rank=measure.rank(place),
    )  # fmt: skip
