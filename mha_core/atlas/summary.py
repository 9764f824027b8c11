"""An atlas as one answer: its sections joined, its heads counted, the questions answered."""

from collections import defaultdict
from collections.abc import Iterable

from pydantic import Field

from mha_core.atlas.evidence import (
    AtlasRole,
    Behaviour,
    NotAbove,
    NullResult,
    RelationRow,
    RoleGroup,
)
from mha_core.atlas.part import Part, Rounded, RoundedOrNull
from mha_core.atlas.record import (
    SECTIONS,
    Atlas,
    AtlasCheck,
    AtlasExample,
    AtlasMeasure,
    AtlasModel,
    MassiveActivation,
    Section,
    SectionBuild,
    SectionName,
)
from mha_core.atlas.relation_words import ALL
from mha_core.atlas.roles import GROUPS, IDLE_GROUPS
from mha_core.atlas.sources import SectionData
from mha_core.atlas.specialisations import Specialisation, answer_questions


class SectionInfo(Part):
    """Where a section comes from."""

    made: SectionBuild
    data: SectionData


class SectionNull(NullResult):
    section: SectionName


class RoleCounts(Part):
    """How many heads have a role: all roles, and without those of heads that only rest."""

    heads: int
    with_role: int
    beyond_idle: int = Field(description="Heads with a role other than sink or delimiter.")
    groups: dict[str, int] = Field(description="Heads with a role of each group.")


class AtlasSummary(Part):
    """Roles and scores of every head of a model; a head without a role is unassigned."""

    format: int
    model: AtlasModel = Field(description="Which model and weights were measured.")
    sections: dict[SectionName, SectionInfo] = Field(
        description="What was measured, when, by which command and on which texts."
    )
    missing: list[SectionName] = Field(description="Sections that were not measured.")
    counts: RoleCounts
    groups: list[RoleGroup]
    roles: list[AtlasRole]
    not_above: list[NotAbove]
    behaviours: list[Behaviour]
    specialisations: list[Specialisation]
    relations: list[RelationRow]
    nulls: list[SectionNull] = Field(
        description="The same protocol where there is nothing to find: no role may hold."
    )
    best_accuracy: RoundedOrNull = Field(
        description="Of the best head at linking words to their head in the sentence's tree."
    )
    measures: dict[str, AtlasMeasure]
    massive: list[MassiveActivation] = Field(
        description="The largest number of the residual stream before each layer."
    )
    examples: dict[str, list[AtlasExample]] = Field(
        description="Strongest links in a text, by `layer.head`: those of its roles, else the "
        "strongest ones except those to the first word."
    )
    examples_source: str
    similar: dict[str, list[tuple[int, int, Rounded]]] = Field(
        description="The heads most alike, by `layer.head`: layer, head, distance."
    )
    layout: list[tuple[Rounded, Rounded]] = Field(
        description="Place of each head on a map by similarity."
    )
    stress: RoundedOrNull
    check: AtlasCheck | None = Field(
        description="A slice of the corpus with each head's hits, to measure again by."
    )


def summarize(atlas: Atlas) -> AtlasSummary:
    """The whole atlas in one piece, its parts in the order of the sections."""
    present = {name: atlas.sections[name] for name in SECTIONS if name in atlas.sections}
    sections = list(present.values())
    roles = _sort_roles(role for section in sections for role in section.roles)
    relations = [row for section in sections for row in section.relations]
    measures = {name: it for section in sections for name, it in section.measures.items()}
    similarity = present.get("similarity")
    return AtlasSummary(
        format=atlas.format,
        model=atlas.model,
        sections={name: SectionInfo(made=it.made, data=it.data) for name, it in present.items()},
        missing=[name for name in SECTIONS if name not in present],
        counts=count_roles(roles, len(atlas.heads)),
        groups=list(GROUPS),
        roles=roles,
        not_above=[row for section in sections for row in section.not_above],
        behaviours=[row for section in sections for row in section.behaviours],
        specialisations=answer_questions(roles, relations, measures, atlas.model.n_heads),
        relations=relations,
        nulls=[
            SectionNull(section=name, **dict(null))
            for name, section in present.items()
            for null in section.nulls
        ],
        best_accuracy=next(
            (row.accuracy for row in relations if row.id == f"{ALL}:dependent"), None
        ),
        measures=measures,
        massive=[row for section in sections for row in section.massive],
        examples=_join_examples(sections),
        examples_source=" ".join(it.examples_source for it in sections if it.examples_source),
        similar={} if similarity is None else similarity.similar,
        layout=[] if similarity is None else similarity.layout,
        stress=None if similarity is None else similarity.stress,
        check=next((section.check for section in sections if section.check), None),
    )


def count_roles(roles: Iterable[AtlasRole], n_heads: int) -> RoleCounts:
    """How many heads have a role, a role that does something, and a role of each group."""
    by_group: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for role in roles:
        by_group[role.group] |= {(head.layer, head.head) for head in role.heads}
    active = (heads for group, heads in by_group.items() if group not in IDLE_GROUPS)
    return RoleCounts(
        heads=n_heads,
        with_role=len(set().union(*by_group.values())),
        beyond_idle=len(set().union(*active)),
        groups={group.id: len(by_group[group.id]) for group in GROUPS if by_group[group.id]},
    )


def _sort_roles(roles: Iterable[AtlasRole]) -> list[AtlasRole]:
    """By group, in the order of GROUPS."""
    order = [group.id for group in GROUPS]
    return sorted(roles, key=lambda role: order.index(role.group))


def _join_examples(sections: Iterable[Section]) -> dict[str, list[AtlasExample]]:
    """Examples of each head: of its roles, those of pronouns first; else its strongest links."""
    joined: dict[str, list[AtlasExample]] = defaultdict(list)
    for section in reversed(list(sections)):  # coreference comes after syntax
        for head, examples in section.examples.items():
            joined[head] += examples
    return {
        head: [it for it in examples if it.role] or examples for head, examples in joined.items()
    }
