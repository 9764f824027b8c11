"""The record of an atlas: what a corpus run found out about every head of a model.

Fields are in the order of the file. Lists of numbers have one place a head, layer by layer.
"""

from itertools import product
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer

from mha_core.atlas.relation_words import Direction
from mha_core.rounding import round_number

FORMAT = 1
DIGITS = 4

# Rounded where they are written, so that claims are built from the exact numbers. Long lists are
# plain numbers, which the build rounds: a call for each would slow down writing.
Rounded = Annotated[float, PlainSerializer(lambda value: round(value, DIGITS), return_type=float)]
RoundedOrNull = Annotated[
    float | None,
    PlainSerializer(lambda value: round_number(value, DIGITS), return_type=float | None),
]
"""Null where undefined."""


class Part(BaseModel):
    """A part of the record; fields of a later version are kept when it is read and written."""

    model_config = ConfigDict(frozen=True, extra="allow")


class AtlasModel(Part):
    id: str
    name: str
    revision: str = Field(description="The weights that were measured.")
    family: str
    kind: str
    n_layers: int
    n_heads: int
    dtype: str


class AtlasBuild(Part):
    date: str
    command: str = Field(description="What to type for the same atlas.")
    seconds: float
    seed: int
    versions: dict[str, str]


class CorpusSplit(Part):
    """How much of one split of the treebank the model could read."""

    sentences: int
    used: int
    dropped: dict[str, int] = Field(description="Sentences left out, by reason.")
    words: int
    words_without_token: int


class TreebankSource(Part):
    source: str = Field(description="Name, version and licence.")
    version: dict[str, str] = Field(description="Start of the SHA-256 of each split.")
    dev: CorpusSplit
    test: CorpusSplit


class GapSource(Part):
    source: str
    version: str
    used: int
    skipped: dict[str, int] = Field(description="Items left out, by reason.")


class SyntheticTexts(Part):
    """Repeated sequences of random tokens, for causal models."""

    tokens: int
    said: int = Field(description="How often the sequence occurs in a text.")
    texts: int
    seeds: list[int]
    bos: bool


class AtlasData(Part):
    treebank: TreebankSource
    gap: GapSource | None
    synthetic: SyntheticTexts | None


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


class RoleGroup(Part):
    """Roles of one kind."""

    id: str
    label: str
    letter: str
    meaning: str


class RoleHead(Part):
    """A head with a role, and the evidence for it."""

    layer: int
    head: int
    n: int
    value: Rounded
    low: RoundedOrNull
    high: RoundedOrNull
    baseline: RoundedOrNull
    lift: RoundedOrNull
    split: str = Field(description="The data it was measured on.")
    evidence: str = Field(description="One sentence for people.")


class AtlasRole(Part):
    """A claim that holds, and its heads, best first."""

    id: str
    group: str
    label: str
    claim: str
    heads: tuple[RoleHead, ...]


class Specialisation(Part):
    """A question people ask of heads, the rows that measure it, and the best head."""

    name: str
    question: str
    rows: list[str] = Field(description="Ids of the roles that answer it.")
    measured: list[str] = Field(description="Relations and measures that could answer it.")
    best: RoleHead | None
    holds: bool


class DevAccuracy(Part):
    """What the head was chosen by."""

    accuracy: Rounded
    n: int
    baseline: Rounded


class RunnerUp(Part):
    """The head that came second on dev."""

    layer: int
    head: int
    accuracy: Rounded


class RelationRow(Part):
    """A grammatical relation and the head that follows it best: chosen on dev, scored on test."""

    id: str
    relation: str
    direction: Direction = Field(description="Which of the two words looks.")
    claim: str
    offset: int | None = Field(
        description="The fixed distance that does best on dev; null where uniform attention does."
    )
    against: str = Field(description="What the baseline is of, in words.")
    layer: int
    head: int
    accuracy: Rounded
    n: int
    low: Rounded = Field(description="Lower end of the 95 % Wilson interval.")
    high: Rounded
    baseline: Rounded = Field(description="What that rule alone gets on test.")
    lift: Rounded
    dev: DevAccuracy
    runner_up: RunnerUp | None
    holds: bool = Field(description="Whether the lower end beats the baseline by ten points.")


class AtlasControl(Part):
    """The same measured on the model with random weights."""

    what: str
    seed: int
    best_accuracy: RoundedOrNull
    roles: list[AtlasRole]
    relations: list[RelationRow]


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


class AtlasSummary(Part):
    """Roles and scores of every head of a model; a head without a role is unassigned."""

    format: Literal[1]
    model: AtlasModel = Field(description="Which model and weights were measured.")
    made: AtlasBuild = Field(description="When, by which command, seed and versions.")
    data: AtlasData = Field(description="The corpora, with what was used and what dropped.")
    groups: list[RoleGroup]
    roles: list[AtlasRole]
    specialisations: list[Specialisation]
    relations: list[RelationRow]
    control: AtlasControl = Field(description="The same on random weights: no role may hold.")
    best_accuracy: RoundedOrNull = Field(
        description="Of the best head at linking words to their head in the sentence's tree."
    )
    measures: dict[str, AtlasMeasure]
    examples: dict[str, list[AtlasExample]] = Field(
        description="Strongest links in a text, by `layer.head`."
    )
    examples_source: str
    similar: dict[str, list[tuple[int, int, Rounded]]] = Field(
        description="The heads most alike, by `layer.head`: layer, head, distance."
    )
    layout: list[tuple[Rounded, Rounded]] = Field(
        description="Place of each head on a map by similarity."
    )
    stress: Rounded
    check: AtlasCheck = Field(
        description="A slice of the corpus with each head's hits, to measure again by."
    )


class Atlas(AtlasSummary):
    """The whole record, as it stands in the file."""

    distances: list[list[float]]

    @property
    def heads(self) -> list[tuple[int, int]]:
        """Layer and head of each place in the lists of numbers."""
        return list(product(range(self.model.n_layers), range(self.model.n_heads)))
