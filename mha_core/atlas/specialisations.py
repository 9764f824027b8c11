"""The specialisations people speak of, and the measured rows that decide on each.

Each has its row whether it holds or not: where no head passes, the best one is named with its
numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from mha_core.atlas.evidence import AtlasRole, RelationRow, RoleHead
from mha_core.atlas.part import Part
from mha_core.atlas.record import AtlasMeasure
from mha_core.atlas.relation_words import DIRECTIONS
from mha_core.atlas.roles import build_evidence, interval, percent


class Specialisation(Part):
    """A question people ask of heads, the rows that measure it, and the best head."""

    name: str
    question: str
    rows: list[str] = Field(description="Ids of the roles that answer it.")
    measured: list[str] = Field(description="Relations and measures that could answer it.")
    best: RoleHead | None
    holds: bool


@dataclass(frozen=True)
class Question:
    """A question about heads, and what answers it: relations, or measures."""

    name: str
    text: str
    relations: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()


QUESTIONS = (
    Question("pronoun resolution, coreference", "Which heads link a pronoun to its name?",
             ("gap",)),
    Question("subject-verb", "Which heads link a subject and its verb?", ("nsubj", "nsubj:pass")),
    Question("verb-object", "Which heads link a verb and its object?", ("obj",)),
    Question("noun-adjective", "Which heads link a noun and its adjective?", ("amod",)),
    Question("prepositional", "Which heads link prepositions, their nouns and verbs?",
             ("case", "obl", "nmod")),
    Question("relative clause", "Which heads link a noun and its relative clause?", ("acl:relcl",)),
    Question("cause", "Which heads link a clause (because, when, ...) to the main verb?",
             ("advcl", "mark")),
    Question("local context", "Which heads attend to neighbouring tokens?",
             measures=("previous", "next", "synthetic_previous", "locality")),
    Question("delimiter", "Which heads attend to special tokens or punctuation?",
             measures=("special", "punctuation")),
    Question("semantic similarity", "Which heads attend to words of similar meaning?",
             measures=("similarity",)),
    Question("copy", "Which heads find an earlier copy, or what followed it?",
             measures=("duplicate", "induction", "synthetic_duplicate", "synthetic_induction")),
)  # fmt: skip


def answer_questions(
    roles: Sequence[AtlasRole],
    relations: Sequence[RelationRow],
    measures: Mapping[str, AtlasMeasure],
    n_heads: int,
) -> list[Specialisation]:
    """For each question the roles that answer it and the best head, passing or not."""
    rows = []
    for question in QUESTIONS:
        measured = [*question.relations, *question.measures]
        answering = [role for role in roles if _subject(role.id) in measured]
        candidates = [head for role in answering for head in role.heads]
        if not candidates:
            candidates = [_losing(row) for row in relations if row.relation in question.relations]
            best = (_find_best(measures.get(name), n_heads) for name in question.measures)
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


def _losing(row: RelationRow) -> RoleHead:
    """The best head at a relation that no head follows better than the best rule."""
    dev, test, *_ = row.leads
    sentence = (
        f"{row.claim}: {percent(row.accuracy)} of {row.n:,} on {test.split}"
        f"{interval(row.low, row.high)}, not above the best simple rule, {row.rule}, "
        f"{percent(row.baseline)}."
    )
    return build_evidence(
        (row.layer, row.head), value=row.accuracy, n=row.n, low=row.low, high=row.high,
        baseline=row.baseline, split=test.split, evidence=sentence, rank=dev.difference,
    )  # fmt: skip


def _find_best(measure: AtlasMeasure | None, n_heads: int) -> RoleHead | None:
    """The head with the largest value of a measure, though it makes no role."""
    values = [] if measure is None else measure.values
    known = [(value, at) for at, value in enumerate(values) if value is not None]
    if measure is None or not known:
        return None
    value, at = max(known)
    shown = f"{value:.2f}" if "correlation" in measure.unit else percent(value)
    return build_evidence(
        divmod(at, n_heads), value=value, n=measure.n, low=None, high=None,
        baseline=measure.baseline, split="the corpus", rank=value - (measure.baseline or 0.0),
        evidence=f"{measure.label}: {shown}, n = {measure.n:,}: not enough for a role.",
    )  # fmt: skip
