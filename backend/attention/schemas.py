"""Schemas of the tokens and attention maps of a text."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from backend.wire.schemas import (
    EXAMPLE_TEXT,
    EachOnce,
    Index,
    MapsAbout,
    StackChoice,
    TextRequest,
    TokenOut,
    Values,
)


class AttentionRequest(TextRequest):
    """A text, and the layers and heads whose maps to return."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"model": "minilm", "text": EXAMPLE_TEXT, "layers": [3], "heads": [0, 5]}]
        }
    )

    stack: StackChoice = None
    layers: Annotated[tuple[Index, ...] | None, EachOnce] = Field(
        None, min_length=1, fail_fast=True, description="Layers, from 0; all by default."
    )
    heads: Annotated[tuple[Index, ...] | None, EachOnce] = Field(
        None,
        min_length=1,
        fail_fast=True,
        description="Heads of each of those layers, from 0; all by default.",
    )
    values: Values = Field(
        "raw",
        description="`weighted`: value-weighted attention, each weight times the length of the "
        "vector it lets through (Kobayashi and others, 2020), rows scaled to sum to 1.",
    )


class TokenizeResponse(BaseModel):
    """The tokens of a text."""

    tokens: list[TokenOut]
    n_tokens: int


class HeadPattern(BaseModel):
    """The map of one head: `pattern[query][key]`, where each row sums to 1."""

    layer: int
    head: int
    pattern: list[list[float]]


class AttentionResponse(MapsAbout):
    """The maps of a text."""

    attention: list[HeadPattern]
