"""Schemas of the tokens and attention maps of a text."""

from typing import Annotated

from pydantic import BaseModel, Field

from backend.wire.schemas import (
    EXAMPLE_TEXT,
    EachOnce,
    Index,
    MapsAbout,
    StackChoice,
    TextRequest,
    TokenOut,
    ValuesChoice,
    show_example,
)


class AttentionRequest(TextRequest):
    """A text, and the layers and heads whose maps to return."""

    model_config = show_example(text=EXAMPLE_TEXT, layers=[3], heads=[0, 5])

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
    values: ValuesChoice = "raw"


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
