"""What is told of a model's heads from a corpus, and charts of heads, as JSON.

Keys are snake_case and nobody renames them; lists of numbers have one place a head, layer by
layer. This file must not know how anything was measured.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from backend.wire.schemas import EXAMPLE_TEXT, TokenIds


class AtlasMeasure(BaseModel):
    """One number a head from a corpus, with the interval where it has one."""

    label: str
    meaning: str
    unit: str
    n: int
    baseline: float | None
    values: list[float | None]
    low: list[float | None] | None
    high: list[float | None] | None
    weighted: list[float | None] | None = Field(
        None, description="The same, value-weighted, where that can be."
    )


class RelationRow(BaseModel):
    """A grammatical relation and the head that follows it best: chosen on dev, told on test."""

    model_config = ConfigDict(extra="allow")

    id: str
    relation: str
    direction: Literal["dependent", "head"] = Field(description="Which of the two words looks.")
    claim: str
    layer: int
    head: int
    accuracy: float
    n: int
    low: float = Field(description="Lower end of the 95 % Wilson interval.")
    high: float
    offset: int | None = Field(
        description="The fixed distance that does best on dev; null where uniform attention does."
    )
    against: str = Field(description="What the baseline is of, in words.")
    baseline: float = Field(description="What that rule alone gets on test.")
    lift: float
    holds: bool = Field(description="Whether the lower end beats the baseline by ten points.")


class RoleGroup(BaseModel):
    """Roles of one kind."""

    id: str
    label: str
    letter: str
    meaning: str


class RoleHead(BaseModel):
    """A head with a role, and the evidence for it."""

    model_config = ConfigDict(extra="allow")

    layer: int
    head: int
    value: float
    n: int
    low: float | None
    high: float | None
    baseline: float | None
    lift: float
    split: str = Field(description="On which data it was told.")
    evidence: str = Field(description="One sentence for people.")


class AtlasRole(BaseModel):
    """A claim that holds, and its heads, best first."""

    id: str
    group: str
    label: str
    claim: str
    heads: list[RoleHead]


class Specialisation(BaseModel):
    """A question people ask of heads, the rows that measure it, and the best head."""

    model_config = ConfigDict(extra="allow")

    name: str
    question: str
    rows: list[str]
    best: dict[str, Any] | None
    holds: bool


class AtlasResponse(BaseModel):
    """Roles and scores of every head of a model; a head without a role is unassigned."""

    format: int
    model: dict[str, Any] = Field(description="Which model and weights were measured.")
    made: dict[str, Any] = Field(description="When, by which command, seed and versions.")
    data: dict[str, Any] = Field(description="The corpora, with what was used and what dropped.")
    measures: dict[str, AtlasMeasure]
    relations: list[RelationRow]
    groups: list[RoleGroup]
    roles: list[AtlasRole]
    specialisations: list[Specialisation]
    best_accuracy: float | None = Field(
        description="Of the best head at linking words to their head in the sentence's tree."
    )
    control: dict[str, Any] = Field(description="The same on random weights: no role may hold.")
    examples: dict[str, list[dict[str, Any]]] = Field(
        description="Strongest links in a text, by `layer.head`."
    )
    examples_source: str
    similar: dict[str, list[list[float]]] = Field(
        description="The heads most alike, by `layer.head`: layer, head, distance."
    )
    layout: list[list[float]] = Field(description="Place of each head on a map by similarity.")
    stress: float
    check: dict[str, Any] = Field(
        description="A slice of the corpus with each head's hits, to measure again by."
    )
    revision_matches: bool | None = Field(
        description="Whether the weights that are here were measured; null where none are here."
    )


class SimilarityResponse(BaseModel):
    """How alike a model's heads look on a corpus."""

    heads: list[tuple[int, int]] = Field(description="Layer and head of each row.")
    distances: list[list[float]]
    layout: list[list[float]] = Field(description="The distances flattened to x and y.")
    stress: float = Field(description="How much the flat map distorts the distances, from 0.")
    unit: str
    meaning: str


class FigureRequest(BaseModel):
    """A chart of all heads of a model."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    **{"kind": "scatter", "model": "minilm", "text": EXAMPLE_TEXT},
                    **{"x": "distance", "y": "entropy", "color": "layer"},
                }
            ]
        },
    )

    kind: Literal["scatter", "map", "layers"] = Field(
        description="Heads by two metrics; heads by similarity, from the atlas; a profile over the "
        "layers."
    )
    model: str
    text: str | None = Field(None, description="The text measured, where `source` is `sentence`.")
    text_pair: str | None = None
    continuation: TokenIds = ()
    source: Literal["sentence", "corpus"] = Field(
        "sentence", description="Values on this text, or from the model's atlas."
    )
    weighted: Annotated[bool, Strict()] = Field(
        False, description="Value-weighted values, where there are any."
    )
    x: str = Field("distance", description="Of a scatter: a metric, or `layer`.")
    y: str = Field(
        "entropy",
        description="Of a scatter: a metric, or `layer`; of a profile: a metric, or `role` for how "
        "many heads of a layer hold a role of each group.",
    )
    color: str = Field(
        "layer", description="Of a scatter or map: a metric, `layer`, or `role` for the groups."
    )


class FigureResponse(BaseModel):
    """A figure as Plotly reads it; each point carries `customdata` [layer, head]."""

    data: list[dict[str, Any]]
    layout: dict[str, Any]
