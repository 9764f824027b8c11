"""Schemas of a comparison: aligned tokens, and pairs of heads."""

from pydantic import BaseModel, ConfigDict, Field

from backend.wire.schemas import (
    EXAMPLE_TEXT,
    Provenance,
    Request,
    Rounded,
    TextRequest,
    Timing,
    Values,
    ValuesChoice,
)


class CompareRequest(Request):
    """Two texts for one model, one text for two models, or both different."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "one": {"model": "minilm", "text": EXAMPLE_TEXT},
                    "other": {"model": "minilm", "text": EXAMPLE_TEXT.replace("tired", "wide")},
                }
            ]
        }
    )

    one: TextRequest
    other: TextRequest
    values: ValuesChoice = "raw"


class UnitOut(BaseModel):
    """Aligned tokens; an empty list on one side means that nothing there is aligned."""

    one: list[int] = Field(description="Indices into the tokens of `one`.")
    other: list[int] = Field(description="Indices into the tokens of `other`.")
    text: str = Field(description="The text of these tokens in `one`; empty if there are none.")
    other_text: str
    same: bool = Field(
        description="Whether both sides have the same text: for one model the same tokens, for two "
        "the same characters, ignoring case."
    )


class ChangedLinkOut(BaseModel):
    """The attention from one aligned unit to another, on both sides."""

    query: list[int] = Field(description="Indices of the attending tokens of `one`.")
    key: list[int] = Field(description="Indices of the attended tokens of `one`.")
    other_query: list[int] = Field(description="The tokens of `other` aligned with `query`.")
    other_key: list[int] = Field(description="The tokens of `other` aligned with `key`.")
    query_text: str
    key_text: str
    other_query_text: str
    other_key_text: str
    one: Rounded = Field(
        description="The weight in `one`: summed over the tokens of `key`, mean over those of "
        "`query`. Not scaled, also for two models."
    )
    other: Rounded = Field(description="The same in `other`.")


class HeadPairOut(BaseModel):
    """A head of `one`, a head of `other`, and how far their maps agree."""

    layer: int
    head: int
    other_layer: int
    other_head: int
    change: Rounded = Field(
        description="The share of attention that moved, 0 to 1: half the sum of absolute "
        "differences over the aligned keys, all other keys counted as one, mean over the aligned "
        "queries."
    )
    similarity: Rounded = Field(
        description="The share of attention that agrees, 0 to 1: the sum of the smaller of both "
        "weights over the aligned keys visible in both models, rows scaled to sum to 1 there, mean "
        "over the aligned queries."
    )
    share_one: Rounded = Field(
        description="The share of the head's attention on those keys. A high similarity in a small "
        "share means little."
    )
    share_other: Rounded
    typical: Rounded | None = Field(
        description="For two models: the head's mean similarity to all heads of `other`, the "
        "baseline for its best match. Null for one model."
    )
    links: list[ChangedLinkOut] = Field(
        description="The links whose weights differ most between the two maps, the largest "
        "difference first: three, or fewer if fewer differ. Only keys visible in both models "
        "count; if a model is causal, the first query is left out: it can only attend to itself."
    )


class CompareResponse(BaseModel):
    """Two runs, token by token and head by head."""

    one: Provenance
    other: Provenance
    values: Values
    same_model: bool
    units: list[UnitOut] = Field(
        description="In reading order; each token of each side is in exactly one unit."
    )
    heads: list[HeadPairOut] = Field(
        description="For one model: each head with itself, most changed first. For two models: "
        "each head of `one` with the most similar head of `other`, the largest `similarity` first; "
        "pairs with a share below one half come after all others."
    )
    timing: Timing = Field(description="Of both runs together.")
