"""The stream's messages, both ways, as JSON; maps travel beside them as binary frames."""

from typing import Literal

from pydantic import BaseModel, Field

from backend.heads.schemas import LayerMetrics, OpportunityOut
from backend.wire.messages import NumberedRequest, ProgressMessage
from backend.wire.schemas import Provenance, StackOut, Timing, Values


class StreamRequest(NumberedRequest):
    """One question on the stream; `request` comes back in each answer to it."""

    values: Values = Field(
        "raw",
        description="What the overview maps show: attention weights, or those weighted by the "
        "length of the vectors they let through. The metrics are of both either way.",
    )


class RunDescription(Provenance):
    """What is known of a run before its first layer, for the stream and for snapshots."""

    rows: int = Field(description="Rows of each overview map of the first stack.")
    cols: int
    n_layers: int = Field(description="Of the first stack.")
    n_heads: int
    causal: bool = Field(description="Whether queries of the first stack see no later key.")
    stacks: list[StackOut] = Field(
        description="One, or an encoder-decoder's three: `encoder`, `decoder`, `cross`."
    )
    opportunities: dict[str, OpportunityOut] = Field(
        description="What this text lets each metric measure, whatever the head; of an "
        "encoder-decoder, in its encoder."
    )
    decoder_opportunities: dict[str, OpportunityOut] | None = Field(
        description="The same for what an encoder-decoder's decoder reads; null for other models."
    )


class StreamStart(RunDescription):
    """The run starts; an overview frame follows for each layer of each stack, as they are computed.

    After each frame of attention within one text come its metrics. Cross attention links two texts,
    for which no metric is defined: its frames (stack 2 in their header) have no metrics message.
    """

    type: Literal["start"] = "start"
    request: int
    values: Values


class StreamMetrics(LayerMetrics):
    """The metrics of the layer whose frame came just before."""

    type: Literal["metrics"] = "metrics"
    request: int


class StreamDone(BaseModel):
    """All layers of all stacks are sent."""

    type: Literal["done"] = "done"
    request: int
    id: str
    timing: Timing


StreamEvent = ProgressMessage | StreamStart | StreamMetrics | StreamDone | bytes
"""What a streamed run sends; bytes are a frame."""
