"""Schemas that several subjects share: texts, tokens, stacks, timing, errors.

Keys are snake_case, and the page reads them under the same names.
"""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, Strict

from mha_core.stacks import StackName
from mha_core.text.tokens import TokenKind

EXAMPLE_TEXT = "The animal didn't cross the street because it was too tired."

# What is asked for is taken as it stands: `true`, `"5"` and 1.0 are no whole numbers.
Whole = Annotated[int, Strict()]
Index = Annotated[Whole, Field(ge=0)]
TokenIds = Annotated[tuple[Index, ...], FailFast()]
Values = Literal["raw", "weighted"]

Chosen = TypeVar("Chosen", tuple[int, ...], tuple[int, ...] | None)


def _refuse_repeated(chosen: Chosen) -> Chosen:
    if chosen is not None and len(set(chosen)) < len(chosen):
        raise ValueError("each may be named once")
    return chosen


EachOnce = AfterValidator(_refuse_repeated)
Range = Annotated[
    tuple[int, int],
    Field(description="First token and one past the last, in the running index of `tokens`."),
]
StackChoice = Annotated[
    StackName | None,
    Field(
        description="Which attention of an encoder-decoder is meant: `encoder`, `decoder` or "
        "`cross`. Other models have one, which need not be named."
    ),
]


class TextRequest(BaseModel):
    """A text for a model, or a pair of texts for one that takes pairs."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={"examples": [{"model": "minilm", "text": EXAMPLE_TEXT}]},
    )

    model: str = Field(description="A model's id, as listed by `GET /api/v1/models`.")
    text: str = Field(description="The text to look at.")
    text_pair: str | None = Field(
        None,
        description="A second text, for encoders that take sentence pairs; for an encoder-decoder, "
        "what its decoder reads after its start token (absent: the start token alone).",
    )
    continuation: TokenIds = Field(
        (),
        description="Token ids that follow the text, for causal models: as generation gave them, "
        "for the same characters typed may be cut into other tokens.",
    )


class TokenOut(BaseModel):
    """One token as the model sees it and as a person reads it."""

    index: int = Field(description="Position, from 0: row and column of every map.")
    id: int = Field(description="The vocabulary's number for it.")
    text: str = Field(
        description="What to show: the typed text, or ⟨bytes⟩ of part of a character."
    )
    piece: str = Field(description="The vocabulary's own string for it.")
    kind: TokenKind
    word: int | None = Field(description="Which word it belongs to; null for special tokens.")
    start: int | None = Field(
        description="First character in its sentence; null for special tokens and for those of a "
        "continuation, which nobody typed."
    )
    end: int | None = Field(description="One past its last character.")
    segment: int = Field(
        description="0 for the first sentence, 1 for the second; 1 as well for all that an "
        "encoder-decoder's decoder reads."
    )


class StackOut(BaseModel):
    """One attention of a model on a text: which tokens look, and which are looked at.

    An encoder-decoder has three: `encoder`, `decoder` and `cross`, by which the decoder's tokens
    look at the source's. Other models have one.
    """

    stack: StackName
    n_layers: int
    n_heads: int
    queries: Range
    keys: Range
    causal: bool = Field(description="Whether queries see no later key.")


class Timing(BaseModel):
    """Where the time went, in milliseconds."""

    load_ms: float = Field(description="Getting the model; next to nothing when it is in memory.")
    tokenize_ms: float
    queue_ms: float = Field(description="Waiting for a free worker.")
    first_frame_ms: float = Field(0, description="From the start of the run to the first map.")
    forward_ms: float = Field(description="The forward pass; 0 when the analysis was kept.")
    total_ms: float


class Provenance(BaseModel):
    """What every result says of itself."""

    id: str = Field(description="Names this analysis: the same question has the same id.")
    model: str
    revision: str = Field(description="Which weights, exactly.")
    device: str
    dtype: str
    tokens: list[TokenOut]
    n_tokens: int
    truncated: Literal[False] = Field(
        False, description="Always false: a text over the limit is refused, never cut."
    )


class MapsAbout(Provenance):
    """What maps say of themselves: rows are the tokens in `queries`, columns those in `keys`."""

    stack: StackName
    values: Values
    queries: Range
    keys: Range
    timing: Timing


class ErrorBody(BaseModel):
    """What went wrong: `code` for programs, `message` for people."""

    code: str
    message: str
    details: dict[str, Any] = {}


class ErrorResponse(BaseModel):
    """The one shape of every error."""

    error: ErrorBody
