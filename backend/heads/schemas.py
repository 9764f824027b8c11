"""Schemas of heads on a text: the metrics, their values, heads ranked by a link.

A metric with no case in the text is null, never 0.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, FailFast, Field

from backend.wire.schemas import (
    EXAMPLE_TEXT,
    EachOnce,
    Index,
    Provenance,
    Rounded,
    TextRequest,
    Timing,
    Values,
    show_example,
)
from mha_core.stacks import StackName

Value = float | str | None
"""A number, the name of a shape, or null if the text has no case for the metric."""


class CalledOut(BaseModel):
    """The label a metric gives a head on a text, and the condition for it."""

    label: str
    when: str = Field(
        description="The condition, as text; `lift` is the value minus that of uniform attention."
    )
    replaces: str | None = Field(
        description="The metric whose label it replaces, because it says the same more strictly."
    )


class MetricOut(BaseModel):
    """One metric of a head on a text."""

    name: str = Field(description="The key of its values in responses.")
    label: str
    unit: str
    range: tuple[float, float | None] = Field(
        description="Smallest and largest value; null if only the length of the text limits it."
    )
    meaning: str
    formula: str
    kind: Literal["number", "class"]
    called: CalledOut | None = Field(
        description="The label it can give a head; null if it gives none."
    )


class MetricsResponse(BaseModel):
    """The catalogue of metrics, in display order."""

    metrics: list[MetricOut]
    shapes: list[str] = Field(description="The classes of the metric `shape`.")


class OpportunityOut(BaseModel):
    """Number of cases, baseline and ceiling of a metric on a text; the same for every head."""

    n: int = Field(description="The number of cases in the text; 0 means that it has none.")
    baseline: float | None = Field(
        description="The value of uniform attention over the visible keys."
    )
    ceiling: float | None = Field(description="The largest possible value on this text.")
    least_n: int | None = Field(
        description="The number of cases without which no head gets the metric's label; null if "
        "the metric gives none."
    )
    too_short: bool = Field(
        description="Whether `n` is below `least_n` because the text has too few tokens. False for "
        "metrics of repeated tokens, words in pieces and pairs: long texts may have few cases too."
    )


class SentenceLabel(BaseModel):
    """A label for a head on this text alone; a role needs a corpus."""

    label: str
    metric: str
    value: float
    n: int


class LayerMetrics(BaseModel):
    """Every metric of the heads of one layer; lists have one value per head."""

    stack: StackName = Field(description="`encoder` or `decoder`: cross attention is not measured.")
    layer: int
    raw: dict[str, list[Value]]
    weighted: dict[str, list[Value]] | None = Field(
        description="Metrics of the value-weighted maps; null unless `values` is `weighted`."
    )
    labels: list[list[SentenceLabel]]


class HeadsRequest(TextRequest):
    """A text whose heads are measured."""

    values: Values = Field(
        "raw",
        description="`weighted` adds the metrics of the value-weighted maps to those of the raw "
        "ones, which takes about twice the time.",
    )


class HeadMeasures(BaseModel):
    """Every metric of one head on this text."""

    stack: StackName
    layer: int
    head: int
    raw: dict[str, Value] = Field(description="Metrics of the attention weights.")
    weighted: dict[str, Value] | None = Field(
        description="Metrics of the value-weighted map (Kobayashi and others, 2020); null unless "
        "`values` is `weighted`."
    )
    labels: list[SentenceLabel]


class HeadsResponse(Provenance):
    """Every metric of every head on a text.

    For an encoder-decoder these are the heads of the encoder and of the decoder, each on its own
    text. Cross attention links two texts; no metric is defined for it.
    """

    opportunities: dict[str, OpportunityOut]
    decoder_opportunities: dict[str, OpportunityOut] | None = Field(
        description="The same for the decoder's text in an encoder-decoder; null for others."
    )
    heads: list[HeadMeasures] = Field(description="In model order.")
    timing: Timing


Positions = Annotated[tuple[Index, ...], FailFast(), Field(min_length=1), EachOnce]


class EdgesRequest(TextRequest):
    """A text and a link in it: from the query positions to the key positions."""

    model_config = show_example(text=EXAMPLE_TEXT, queries=[10], keys=[2])

    queries: Positions = Field(description="Query positions, from 0.")
    keys: Positions = Field(description="Key positions, from 0.")


class HeadEdge(BaseModel):
    """How strongly one head makes the link."""

    stack: StackName
    layer: int
    head: int
    weight: Rounded = Field(
        description="Attention from a query to all of the keys, mean over the queries that see a "
        "key."
    )
    by_position: Rounded | None = Field(
        description="The head's attention at the same distances elsewhere in the text, between "
        "words (for a link to a sink or from a special token: between all tokens); null if there "
        "is no such pair, and for cross attention, where distance is not defined."
    )
    by_others: Rounded | None = Field(
        description="The head's attention from the other tokens to the same keys, mean over those "
        "that see one; special tokens do not count, unless a query of the link is one. Null if "
        "there is no such token. A head that attends to the keys from everywhere has as much here."
    )
    weighted: Rounded | None = Field(description="The value-weighted weight; null as in `/heads`.")


class EdgesResponse(Provenance):
    """All heads that can make the link, ranked by it.

    For an encoder-decoder these are the heads of the one stack that contains both ends.
    """

    queries: list[int]
    keys: list[int]
    uniform: Rounded = Field(description="The weight of uniform attention over the visible keys.")
    elsewhere: int = Field(description="The number of pairs that `by_position` averages.")
    others: int = Field(description="The number of tokens that `by_others` averages.")
    heads: list[HeadEdge] = Field(description="Strongest first.")
    timing: Timing
