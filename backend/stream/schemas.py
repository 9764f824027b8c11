"""The JSON messages of the stream, in both directions; maps are sent as binary frames."""

from typing import Literal

from pydantic import BaseModel, Field

from backend.heads.schemas import LayerMetrics, OpportunityOut
from backend.wire.messages import NumberedRequest, ProgressMessage
from backend.wire.schemas import Provenance, StackOut, Timing, Values


class StreamRequest(NumberedRequest):
    """One request on the stream; each message sent back repeats its `request` number."""

    values: Values = Field(
        "raw",
        description="What the overview maps show: raw or value-weighted attention. `weighted` also "
        "adds the metrics of the value-weighted maps to those of the raw ones.",
    )


class RunDescription(Provenance):
    """Metadata of a run that is known before its first layer, for the stream and for snapshots."""

    rows: int = Field(description="Rows of each overview map of the first stack.")
    cols: int
    n_layers: int = Field(description="Layers of the first stack.")
    n_heads: int
    causal: bool = Field(description="Whether the first stack is causal.")
    stacks: list[StackOut] = Field(
        description="One stack; for an encoder-decoder three: `encoder`, `decoder`, `cross`."
    )
    value_weights: bool = Field(
        description="Whether maps and metrics can be value-weighted; false for a model family "
        "whose output projection HeadScope does not know."
    )
    opportunities: dict[str, OpportunityOut] = Field(
        description="Cases, baseline and ceiling of each metric on this text, the same for every "
        "head; for an encoder-decoder, in its encoder."
    )
    decoder_opportunities: dict[str, OpportunityOut] | None = Field(
        description="The same for the decoder's text in an encoder-decoder; null for others."
    )


class StreamStart(RunDescription):
    """The run starts; an overview frame follows for each layer of each stack, as it is computed.

    A metrics message follows for each layer, in order too; short texts have several layers
    measured together. Cross attention links two texts, for which no metric is defined: its frames
    (stack 2 in the header) have no metrics message.
    """

    type: Literal["start"] = "start"
    request: int
    values: Values


class StreamMetrics(LayerMetrics):
    """The metrics of a layer."""

    type: Literal["metrics"] = "metrics"
    request: int


class StreamDone(BaseModel):
    """All layers of all stacks have been sent."""

    type: Literal["done"] = "done"
    request: int
    id: str
    timing: Timing


StreamEvent = ProgressMessage | StreamStart | StreamMetrics | StreamDone | bytes
"""What a streamed run sends; bytes are a frame."""
