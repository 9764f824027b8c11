"""Requests and answers about heads: the metrics, their values on a text, the ranking of a link.

Null is "the text gives no case to measure", never 0.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field

from backend.wire.schemas import EXAMPLE_TEXT, EachOnce, Index, Provenance, TextRequest, Timing
from mha_core.stacks import StackName

Value = float | str | None
"""A number; the name of a shape; null where the text gives no opportunity."""


class CalledOut(BaseModel):
    """What a head is called on a text, and when."""

    label: str
    when: str = Field(description="The condition in words.")


class MetricOut(BaseModel):
    """One way to measure a head on a text."""

    name: str = Field(description="Its key wherever values are given.")
    label: str
    unit: str
    range: tuple[float, float | None] = Field(
        description="Least and largest value; null where the length of the text is the only limit."
    )
    meaning: str
    formula: str
    kind: Literal["number", "class"]
    called: CalledOut | None = Field(
        description="The label a head may get by it; null where it is only shown."
    )


class MetricsResponse(BaseModel):
    """The catalogue of metrics, in the order to show them."""

    metrics: list[MetricOut]
    shapes: list[str] = Field(description="The classes of the metric `shape`.")


class OpportunityOut(BaseModel):
    """What a text lets a metric measure; the same for every head."""

    n: int = Field(description="Cases the value is taken over; with 0 it is not exercised.")
    baseline: float | None = Field(
        description="The value of uniform attention over the visible keys."
    )
    ceiling: float | None = Field(description="The largest value this text allows.")


class SentenceLabel(BaseModel):
    """What a head may be called on this text alone; a role takes a corpus."""

    label: str
    metric: str
    value: float
    n: int


class LayerMetrics(BaseModel):
    """Every metric of the heads of one layer; the lists have a place a head."""

    stack: StackName = Field(description="`encoder` or `decoder`: cross attention is not measured.")
    layer: int
    raw: dict[str, list[Value]]
    weighted: dict[str, list[Value]] | None
    labels: list[list[SentenceLabel]]


class HeadMeasures(BaseModel):
    """Every metric of one head on this text."""

    stack: StackName
    layer: int
    head: int
    raw: dict[str, Value] = Field(description="By attention weight.")
    weighted: dict[str, Value] | None = Field(
        description="By the length of the vectors the weights let through (Kobayashi and others, "
        "2020); null for a family whose output projection HeadScope does not know."
    )
    labels: list[SentenceLabel]


class HeadsResponse(Provenance):
    """Every metric of every head on a text.

    Of an encoder-decoder these are the heads of its encoder and its decoder, each on what it reads:
    cross attention links two texts, for which no metric is made.
    """

    opportunities: dict[str, OpportunityOut]
    decoder_opportunities: dict[str, OpportunityOut] | None = Field(
        description="Those of what an encoder-decoder's decoder reads; null for other models."
    )
    heads: list[HeadMeasures] = Field(description="In model order.")
    timing: Timing


Positions = Annotated[tuple[Index, ...], FailFast(), Field(min_length=1), EachOnce]


class EdgesRequest(TextRequest):
    """Which link of a text is meant: from these positions to those."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"model": "minilm", "text": EXAMPLE_TEXT, "queries": [10], "keys": [2]}]
        }
    )

    queries: Positions = Field(description="Positions that look, from 0.")
    keys: Positions = Field(description="Positions looked at, from 0.")


class HeadEdge(BaseModel):
    """How strongly one head makes the link."""

    stack: StackName
    layer: int
    head: int
    weight: float = Field(
        description="Attention from the queries to all of the keys, mean over the queries that see "
        "one of them."
    )
    by_position: float | None = Field(
        description="What the same head gives to the same distances elsewhere in the text; null "
        "where there is no other such pair, and between two texts, which no distance spans."
    )
    weighted: float | None = Field(description="The weight, value-weighted; null as in `/heads`.")


class EdgesResponse(Provenance):
    """All heads that can make the link, ranked by it.

    Of an encoder-decoder these are the heads of the one stack in which both its ends lie.
    """

    queries: list[int]
    keys: list[int]
    uniform: float = Field(description="The weight of uniform attention over the visible keys.")
    elsewhere: int = Field(
        description="Pairs of the same distances in other rows, which `by_position` is a mean of."
    )
    heads: list[HeadEdge] = Field(description="Strongest first.")
    timing: Timing
