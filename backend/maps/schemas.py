"""Schemas of one map, of one row of every map, and of one pair of tokens."""

from typing import Literal

from pydantic import Field, model_validator

from backend.wire.schemas import (
    EXAMPLE_TEXT,
    Index,
    MapsAbout,
    Provenance,
    Range,
    Request,
    StackChoice,
    TextRequest,
    Timing,
    ValuesChoice,
    show_example,
)
from mha_core.stacks import StackName

Combine = Literal["head", "mean", "max", "rollout"]


class Cell(Request):
    """A head, or all heads of a layer."""

    layer: Index
    head: Index | None = Field(None, description="Null: every head of the layer.")


class MapRequest(TextRequest):
    """A text and one map of it: of one head, or made of several."""

    model_config = show_example(
        text=EXAMPLE_TEXT,
        combine="mean",
        cells=[{"layer": 3, "head": None}, {"layer": 4, "head": 5}],
    )

    stack: StackChoice = None
    combine: Combine = Field(
        description="`head`: the map of the one cell. `mean`, `max`: of all cells, weight by "
        "weight. `rollout`: attention multiplied through the layers (Abnar and Zuidema, 2020)."
    )
    cells: tuple[Cell, ...] | None = Field(
        None,
        min_length=1,
        fail_fast=True,
        description="The heads to combine; all by default. A head listed twice counts once.",
    )
    up_to: Index | None = Field(
        None, description="For `rollout`: the last layer; by default the last layer of the model."
    )
    values: ValuesChoice = "raw"

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
    """Metadata of one map."""

    combine: Combine
    cells: list[Cell] = Field(
        description="The combined heads, in model order; `head` is null for a whole layer."
    )
    note: str | None = Field(description="How to read the map, if that needs an explanation.")


class MapResponse(MapAbout):
    """One map: `pattern[query][key]`, where index 0 is `queries[0]` and `keys[0]`."""

    pattern: list[list[float]]


class RowsRequest(TextRequest):
    """A text, and the token whose row of every head is wanted."""

    model_config = show_example(text=EXAMPLE_TEXT, query=10)

    stack: StackChoice = None
    query: Index = Field(description="Index of the query token.")
    values: ValuesChoice = "raw"


class RowsAbout(MapsAbout):
    """Metadata of the rows; `queries` is the range of the one query."""

    query: int
    n_layers: int
    n_heads: int = Field(description="Heads of each layer.")
    note: str | None = Field(description="How to read the rows, if that needs an explanation.")


class RowsResponse(RowsAbout):
    """What one token sees in every head: `rows[layer][head][key]`, where key 0 is `keys[0]`."""

    rows: list[list[list[float]]]


class QueryKeyRequest(TextRequest):
    """A text, and a pair of tokens in one head."""

    model_config = show_example(text=EXAMPLE_TEXT, layer=4, head=5, query=10, key=2)

    stack: StackChoice = None
    layer: Index
    head: Index
    query: Index = Field(description="Index of the query token.")
    key: Index = Field(description="Index of the key token.")


class QueryKeyResponse(Provenance):
    """Every step from a query and a key to the weight between them."""

    stack: StackName
    layer: int
    head: int
    key_head: int = Field(
        description="The key/value head that the head reads: less than `head` if heads share keys."
    )
    query: int
    key: int
    q: list[float] = Field(description="The query vector, as the layer computed with it.")
    k: list[float] = Field(description="The key vector.")
    product: list[float] = Field(description="q * k elementwise; `dot` is the sum.")
    dot: float
    scale: float
    scaled: float = Field(description="dot * scale.")
    added: float | None = Field(description="The position bias; null if there is none.")
    score: float | None = Field(description="scaled + added; null if the key is masked.")
    weight: float = Field(description="Softmax over `scores`, at this key.")
    scores: list[float | None] = Field(
        description="The score of every key; null if the key is masked."
    )
    weights: list[float] = Field(description="The query's row of the head's map.")
    keys: Range
    note: str | None = Field(description="How to read the numbers, if that needs an explanation.")
    timing: Timing
