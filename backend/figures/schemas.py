"""Charts of heads: what may be asked for, and the answer."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from backend.wire.schemas import EXAMPLE_TEXT, ChatChoice, TokenIds


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
    chat: ChatChoice = False
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
