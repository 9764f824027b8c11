"""The request and answer of a comparison: aligned tokens, and heads side by side."""

from pydantic import BaseModel, ConfigDict, Field

from backend.wire.schemas import EXAMPLE_TEXT, Provenance, TextRequest, Timing, Values


class CompareRequest(BaseModel):
    """Two questions: two texts for one model, one text for two models, or both different."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "one": {"model": "minilm", "text": EXAMPLE_TEXT},
                    "other": {
                        "model": "minilm",
                        "text": EXAMPLE_TEXT.replace("tired", "wide"),
                    },
                }
            ]
        },
    )

    one: TextRequest
    other: TextRequest
    values: Values = Field(
        "raw",
        description="`weighted`: attention by the length of the vectors it lets through "
        "(Kobayashi and others, 2020).",
    )


class UnitOut(BaseModel):
    """Tokens that stand opposite each other; with an empty list nothing stands opposite."""

    one: list[int] = Field(description="Indices into the tokens of `one`.")
    other: list[int] = Field(description="Indices into the tokens of `other`.")
    text: str = Field(description="What `one` reads there; empty where it reads nothing.")
    other_text: str
    same: bool = Field(
        description="Whether both read the same: the same tokens in one model, the same "
        "characters in two, capital or small."
    )


class HeadPairOut(BaseModel):
    """A head on one side, a head on the other, and how far their maps agree."""

    layer: int
    head: int
    other_layer: int
    other_head: int
    change: float = Field(
        description="The share of attention that moved, 0 to 1: half the sum of absolute "
        "differences over the aligned keys, what lies outside the alignment counted as one more, "
        "mean over the aligned queries."
    )
    similarity: float = Field(
        description="The share of attention both give alike, 0 to 1: the sum of the smaller of "
        "both weights over the aligned keys that both models let the query see, rows made to sum "
        "to one there, mean over the aligned queries."
    )
    share_one: float = Field(
        description="How much of the head's attention `similarity` speaks of: what it gives to "
        "those keys. A high similarity of a small share says little."
    )
    share_other: float
    typical: float | None = Field(
        description="Two models: the head's mean similarity to all heads of `other`, which its "
        "best match must stand out from. Null for one model."
    )


class CompareResponse(BaseModel):
    """Two runs, token by token and head by head."""

    one: Provenance
    other: Provenance
    values: Values
    same_model: bool
    units: list[UnitOut] = Field(
        description="In reading order; each token of each side is in exactly one."
    )
    heads: list[HeadPairOut] = Field(
        description="One model: each head against itself, most changed first. Two models: each "
        "head of `one` with the head of `other` most similar to it, by "
        "`similarity` times the smaller share, the largest first."
    )
    timing: Timing = Field(description="Of both runs together.")
