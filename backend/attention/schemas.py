"""Requests and answers about the tokens and attention maps of a text."""

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
    """Which maps of which text are wanted."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"model": "minilm", "text": EXAMPLE_TEXT, "layers": [3], "heads": [0, 5]}]
        }
    )

    stack: StackChoice = None
    layers: Annotated[tuple[Index, ...] | None, EachOnce] = Field(
        None, min_length=1, fail_fast=True, description="Layers wanted, from 0; all when absent."
    )
    heads: Annotated[tuple[Index, ...] | None, EachOnce] = Field(
        None,
        min_length=1,
        fail_fast=True,
        description="Heads wanted of each of those layers; all when absent.",
    )
    values: Values = Field(
        "raw",
        description="`weighted`: attention by the length of the vectors it lets through "
        "(Kobayashi and others, 2020), each row summing to 1.",
    )


class TokenizeResponse(BaseModel):
    """The tokens of a text."""

    tokens: list[TokenOut]
    n_tokens: int


class HeadPattern(BaseModel):
    """The map of one head: `pattern[query][key]`, each row summing to 1."""

    layer: int
    head: int
    pattern: list[list[float]]


class AttentionResponse(MapsAbout):
    """The maps of a text."""

    attention: list[HeadPattern]
