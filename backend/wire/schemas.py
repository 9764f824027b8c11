"""Shared schemas: texts, tokens, stacks, timing, errors.

Keys are snake_case, and the page uses the same names.
"""

from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, Strict

from mha_core.stacks import StackName
from mha_core.text.tokens import TokenKind

EXAMPLE_TEXT = "The animal didn't cross the street because it was too tired."

# Strict integers: `true`, `"5"` and 1.0 are refused.
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
    Field(description="Half-open range of token indices: first, and one past the last."),
]
StackChoice = Annotated[
    StackName | None,
    Field(
        description="For encoder-decoders: `encoder`, `decoder` or `cross`. Other models have one "
        "stack, and need not name it."
    ),
]
ValuesChoice = Annotated[
    Values,
    Field(
        description="`weighted`: value-weighted attention, each weight times the length of the "
        "vector it lets through (Kobayashi and others, 2020), rows scaled to sum to 1."
    ),
]

ChatChoice = Annotated[
    bool,
    Strict(),
    Field(
        description="Wrap the text as one message of a user, with the model's own chat template, "
        "up to where the reply begins; for models whose `chat_template` in `GET /api/v1/models` is "
        "true."
    ),
]

DIGITS = 6
"""Decimals of a value in an answer: float32 has no more of a share."""

Rounded = Annotated[float, AfterValidator(lambda value: round(value, DIGITS))]


def show_example(**fields: Any) -> ConfigDict:  # noqa: ANN401 (any JSON)
    """The configuration of a request with an example for OpenAPI, of MiniLM unless it says so."""
    return ConfigDict(json_schema_extra={"examples": [{"model": "minilm", **fields}]})


class Request(BaseModel):
    """A request never changes, and an unknown field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TextRequest(Request):
    """A text for a model, or a pair of texts for a model that accepts pairs."""

    model_config = show_example(text=EXAMPLE_TEXT)

    model: str = Field(description="The id of a model in `GET /api/v1/models`.")
    text: str = Field(description="The text to analyse.")
    text_pair: str | None = Field(
        None,
        description="A second text, for encoders that accept sentence pairs; for encoder-decoders, "
        "the decoder's text after its start token (by default the start token alone).",
    )
    continuation: TokenIds = Field(
        (),
        description="Ids of tokens after the text, for causal models. Send the ids that generation "
        "returned: the same characters, typed, may be tokenized differently.",
    )
    chat: ChatChoice = False


class TokenOut(BaseModel):
    """One token: its id in the vocabulary and its display text."""

    index: int = Field(description="Position, from 0: its row and column in every map.")
    id: int = Field(description="Id in the vocabulary.")
    text: str = Field(
        description="Display text: the typed characters, or ⟨bytes⟩ for part of a character."
    )
    piece: str = Field(description="The token's string in the vocabulary.")
    kind: TokenKind
    word: int | None = Field(description="Index of its word; null for special tokens.")
    start: int | None = Field(
        description="Offset of its first character in its sentence; null for special tokens, for "
        "what a chat template added and for tokens of a continuation."
    )
    end: int | None = Field(description="Offset one past its last character.")
    segment: int = Field(
        description="0 for the first sentence, 1 for the second and for the decoder's text in an "
        "encoder-decoder."
    )
    unknown: bool = Field(
        description="Whether the vocabulary lacks the characters in `text`: the model sees only "
        "`piece`, such as [UNK]."
    )


class StackOut(BaseModel):
    """One attention stack of a model on a text, with the tokens that are its queries and keys.

    An encoder-decoder has three: `encoder`, `decoder` and `cross`, from the decoder's tokens to the
    source's. Other models have one.
    """

    stack: StackName
    n_layers: int
    n_heads: int
    queries: Range
    keys: Range
    causal: bool = Field(description="Whether queries see no later keys.")


class Timing(BaseModel):
    """Where the time went, in milliseconds."""

    load_ms: float = Field(description="Loading the model; near 0 if it is in memory.")
    tokenize_ms: float
    queue_ms: float = Field(description="Waiting for a slot.")
    first_frame_ms: float = Field(0, description="From the start of the run to the first map.")
    forward_ms: float = Field(description="The forward pass; 0 if the analysis was cached.")
    total_ms: float


class Provenance(BaseModel):
    """Metadata of every result: the model, its weights, where it ran, the tokens."""

    id: str = Field(
        description="Id of the analysis: a hash of model, weights, number format and text."
    )
    model: str
    revision: str = Field(description="Revision of the weights.")
    device: str
    dtype: str
    tokens: list[TokenOut]
    n_tokens: int
    truncated: Literal[False] = Field(
        False, description="Always false: a text over the limit is refused, never cut."
    )


class MapsAbout(Provenance):
    """Metadata of maps: rows are the tokens in `queries`, columns those in `keys`."""

    stack: StackName
    values: Values
    queries: Range
    keys: Range
    timing: Timing


class ErrorBody(BaseModel):
    """An error: `code` for programs, `message` for people."""

    code: str
    message: str
    details: dict[str, Any] = {}


class ErrorResponse(BaseModel):
    """The shape of every error."""

    error: ErrorBody
