"""The record of an atlas: what corpus runs found out about every head of a model, by section.

Fields are in the order of the file. Lists of numbers have one place a head, layer by layer.
"""

from itertools import product
from typing import Literal, get_args

from pydantic import Field

from mha_core.atlas.evidence import AtlasRole, Behaviour, NotAbove, NullResult, RelationRow
from mha_core.atlas.part import Part, Rounded, RoundedOrNull
from mha_core.atlas.sources import SectionData

FORMAT = 2

SectionName = Literal["surface", "sink", "copy", "names", "syntax", "coreference", "similarity"]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)


class AtlasModel(Part):
    id: str
    name: str
    revision: str = Field(description="The weights that were measured.")
    family: str
    kind: str
    n_layers: int
    n_heads: int
    dtype: str


class SectionBuild(Part):
    """When and how a section was made."""

    date: str
    command: str = Field(description="What to type for the same section.")
    seconds: float
    seed: int
    versions: dict[str, str]


class AtlasMeasure(Part):
    """One number a head from a corpus, with the interval where it has one."""

    label: str
    meaning: str
    unit: str
    n: int
    baseline: RoundedOrNull
    values: list[float | None]
    low: list[float | None] | None
    high: list[float | None] | None
    weighted: list[float | None] | None = Field(
        None,
        description="The same, value-weighted, where that can be.",
        exclude_if=lambda values: values is None,
    )


class MassiveActivation(Part):
    """The largest number of the residual stream before a layer, or after the last one."""

    layer: int
    position: int = Field(description="Its most frequent position; 0 is the first token.")
    position_share: Rounded = Field(description="Share of windows in which it is there.")
    dimension: int
    magnitude: Rounded
    median: Rounded = Field(description="Median magnitude of all numbers there.")


class AtlasExample(Part):
    """A link in a text: the word at `query` attends to the word at `key`."""

    role: str | None
    words: tuple[str, ...]
    query: int
    key: int
    weight: Rounded
    source: str


class AtlasCheck(Part):
    """Hits of every head on the first sentences of the test split, to measure again by."""

    sentences: int
    relation: str
    n: int
    hits: list[int]


class Findings(Part):
    """What a section found, and on which texts; most sections have only some of these."""

    data: SectionData
    measures: dict[str, AtlasMeasure] = Field(default_factory=dict)
    roles: list[AtlasRole] = Field(default_factory=list)
    not_above: list[NotAbove] = Field(default_factory=list)
    relations: list[RelationRow] = Field(default_factory=list)
    behaviours: list[Behaviour] = Field(default_factory=list)
    nulls: list[NullResult] = Field(default_factory=list)
    examples: dict[str, list[AtlasExample]] = Field(default_factory=dict)
    examples_source: str | None = None
    check: AtlasCheck | None = None
    massive: list[MassiveActivation] = Field(default_factory=list)
    similar: dict[str, list[tuple[int, int, Rounded]]] = Field(default_factory=dict)
    layout: list[tuple[Rounded, Rounded]] = Field(default_factory=list)
    stress: Rounded | None = None
    distances: list[list[float]] = Field(default_factory=list)


class Section(Findings):
    """One part of an atlas, built and replaced on its own."""

    made: SectionBuild


class Atlas(Part):
    """The record as it stands in the file: sections of a model, each complete in itself."""

    format: Literal[2]
    model: AtlasModel
    sections: dict[SectionName, Section]

    @property
    def heads(self) -> list[tuple[int, int]]:
        """Layer and head of each place in the lists of numbers."""
        return list(product(range(self.model.n_layers), range(self.model.n_heads)))
