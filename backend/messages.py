"""The stream's messages, both ways, as JSON; maps travel beside them as binary frames.

Keys are snake_case and nobody renames them. This file must not know how answers are made.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.head_schemas import OpportunityOut, SentenceLabel, Value
from backend.schemas import ErrorResponse, Provenance, TextRequest, Timing


class StreamRequest(TextRequest):
    """One question on the stream; `request` comes back in each answer to it."""

    request: int = Field(description="The caller's own growing number for this question.")


class StreamCancel(BaseModel):
    """Stop the running question of this socket."""

    model_config = ConfigDict(extra="forbid")

    cancel: Literal[True]


class StreamProgress(BaseModel):
    """What is being done before the run can start; `total` 0 is unknown."""

    type: Literal["progress"] = "progress"
    request: int
    stage: Literal["loading"] = "loading"
    message: str
    done: int
    total: int


class StreamStart(Provenance):
    """The run starts; an overview frame and its metrics follow for each layer."""

    type: Literal["start"] = "start"
    request: int
    rows: int = Field(description="Rows of each overview map.")
    cols: int
    n_layers: int
    n_heads: int
    causal: bool = Field(description="Whether queries see no later key.")
    opportunities: dict[str, OpportunityOut] = Field(
        description="What this text lets each metric measure, whatever the head."
    )


class StreamMetrics(BaseModel):
    """The metrics of the layer whose frame came just before; the lists have a place a head."""

    type: Literal["metrics"] = "metrics"
    request: int
    layer: int
    raw: dict[str, list[Value]]
    weighted: dict[str, list[Value]] | None
    labels: list[list[SentenceLabel]]


class StreamDone(BaseModel):
    """All layers are sent."""

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
