"""The stream's messages, both ways, as JSON; maps travel beside them as binary frames.

Keys are snake_case and nobody renames them. This file must not know how answers are made.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.heads.schemas import OpportunityOut, SentenceLabel, Value
from backend.wire.schemas import (
    ErrorResponse,
    Provenance,
    StackOut,
    TextRequest,
    Timing,
    Values,
    Whole,
)
from mha_core.stacks import StackName


class StreamRequest(TextRequest):
    """One question on the stream; `request` comes back in each answer to it."""

    request: Whole = Field(description="The caller's own growing number for this question.")
    values: Values = Field(
        "raw",
        description="What the overview maps show: attention weights, or those weighted by the "
        "length of the vectors they let through. The metrics are of both either way.",
    )


class StreamCancel(BaseModel):
    """Stop the running question of this socket."""

    model_config = ConfigDict(extra="forbid")

    cancel: Literal[True]


class StreamProgress(BaseModel):
    """What is being done before the run can start; `total` 0 is unknown."""

    type: Literal["progress"] = "progress"
    request: int
    message: str
    done: int
    total: int


class StreamStart(Provenance):
    """The run starts; an overview frame follows for each layer of each stack, as they are computed.

    After each frame of attention within one text come its metrics. Cross attention links two texts,
    for which no metric is made: its frames (stack 2 in their header) have no metrics message.
    """

    type: Literal["start"] = "start"
    request: int
    rows: int = Field(description="Rows of each overview map of the first stack.")
    cols: int
    n_layers: int = Field(description="Of the first stack.")
    n_heads: int
    causal: bool = Field(description="Whether queries of the first stack see no later key.")
    stacks: list[StackOut] = Field(
        description="One, or an encoder-decoder's three: `encoder`, `decoder`, `cross`."
    )
    values: Values
    opportunities: dict[str, OpportunityOut] = Field(
        description="What this text lets each metric measure, whatever the head; of an "
        "encoder-decoder, in its encoder."
    )
    decoder_opportunities: dict[str, OpportunityOut] | None = Field(
        description="The same for what an encoder-decoder's decoder reads; null for other models."
    )


class StreamMetrics(BaseModel):
    """The metrics of the layer whose frame came just before; the lists have a place a head."""

    type: Literal["metrics"] = "metrics"
    request: int
    stack: StackName = Field(description="`encoder` or `decoder`: cross attention is not measured.")
    layer: int
    raw: dict[str, list[Value]]
    weighted: dict[str, list[Value]] | None
    labels: list[list[SentenceLabel]]


class StreamDone(BaseModel):
    """All layers of all stacks are sent."""

    type: Literal["done"] = "done"
    request: int
    id: str
    timing: Timing


class StreamError(ErrorResponse):
    """This request ends here."""

    type: Literal["error"] = "error"
    request: int | None


StreamEvent = StreamProgress | StreamStart | StreamMetrics | StreamDone | bytes
"""What a run has to say; bytes are a frame."""
