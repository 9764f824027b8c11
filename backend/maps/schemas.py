"""Requests and answers about one map, and about one pair of tokens in it."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from backend.wire.schemas import (
    EXAMPLE_TEXT,
    Index,
    MapsAbout,
    Provenance,
    Range,
    StackChoice,
    TextRequest,
    Timing,
    Values,
)
from mha_core.stacks import StackName

Combine = Literal["head", "mean", "max", "rollout"]


class Cell(BaseModel):
    """A head, or all heads of a layer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    layer: Index
    head: Index | None = Field(None, description="Null: every head of the layer.")


class MapRequest(TextRequest):
    """Which one map of a text is wanted: a head's, or one made of many."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model": "minilm",
                    "text": EXAMPLE_TEXT,
                    "combine": "mean",
                    "cells": [{"layer": 3, "head": None}, {"layer": 4, "head": 5}],
                }
            ]
        }
    )

    stack: StackChoice = None
    combine: Combine = Field(
        description="`head`: the map of the one cell named. `mean`, `max`: of all cells, weight by "
        "weight. `rollout`: attention followed through the layers (Abnar and Zuidema, 2020)."
    )
    cells: tuple[Cell, ...] | None = Field(
        None,
        min_length=1,
        fail_fast=True,
        description="The heads that take part; all when absent. A head named twice counts once.",
    )
    up_to: Index | None = Field(
        None, description="For `rollout`: the last layer followed; the model's last when absent."
    )
    values: Values = Field(
        "raw",
        description="`weighted`: attention by the length of the vectors it lets through "
        "(Kobayashi and others, 2020); not for `rollout`.",
    )

    @model_validator(mode="after")
    def _fits_together(self) -> "MapRequest":
        if self.combine == "rollout":
            self._rollout_fits()
        elif self.up_to is not None:
            raise ValueError("`up_to` is for `rollout`: leave it out")
        if self.combine == "head" and (
            self.cells is None or len(self.cells) != 1 or self.cells[0].head is None
        ):
            raise ValueError("`head` needs exactly one cell in `cells`, with its layer and head")
        return self

    def _rollout_fits(self) -> None:
        if self.cells is not None:
            raise ValueError("`rollout` takes every head of layers 0 to `up_to`: leave out `cells`")
        if self.values != "raw":
            raise ValueError("`rollout` is defined for raw attention: set `values` to `raw`")
        if self.stack == "cross":
            raise ValueError(
                "`rollout` follows attention within one text: choose the stack `encoder` or "
                "`decoder`"
            )


class MapAbout(MapsAbout):
    """What one map says of itself."""

    combine: Combine
    cells: list[Cell] = Field(
        description="The heads that took part, in model order; `head` is null for all of a layer."
    )
    note: str | None = Field(description="What a reader of the map should know.")


class MapResponse(MapAbout):
    """One map: `pattern[query][key]`, counted from the first of `queries` and of `keys`."""

    pattern: list[list[float]]


class QueryKeyRequest(TextRequest):
    """Which pair of tokens is meant, in which head."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "model": "minilm",
                    "text": EXAMPLE_TEXT,
                    "layer": 4,
                    "head": 5,
                    "query": 10,
                    "key": 2,
                }
            ]
        }
    )

    stack: StackChoice = None
    layer: Index
    head: Index
    query: Index = Field(description="The token that looks, by its running index.")
    key: Index = Field(description="The token looked at, by its running index.")


class QueryKeyResponse(Provenance):
    """Every step from a query and a key to the weight between them."""

    stack: StackName
    layer: int
    head: int
    key_head: int = Field(
        description="Whose keys the head reads: less than `head` where heads share keys."
    )
    query: int
    key: int
    q: list[float] = Field(description="The query's vector, as the layer computed with it.")
    k: list[float] = Field(description="The key's vector.")
    product: list[float] = Field(description="q * k, number by number: `dot` is their sum.")
    dot: float
    scale: float
    scaled: float = Field(description="dot * scale.")
    added: float | None = Field(description="What a position bias adds; null where none does.")
    score: float | None = Field(
        description="scaled + added; null where the query may not look at the key."
    )
    weight: float = Field(description="What softmax over `scores` makes of it.")
    scores: list[float | None] = Field(
        description="Of every key the stack has; null where the query may not look."
    )
    weights: list[float] = Field(description="The query's row of the head's map.")
    keys: Range
    note: str | None = Field(description="What a reader of the numbers should know.")
    timing: Timing
