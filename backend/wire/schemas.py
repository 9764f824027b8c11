"""What goes over the wire as JSON, declared once: OpenAPI and the page read these names.

Keys are snake_case and nobody renames them. This file must not know how answers are made.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field, Strict, field_validator

from mha_core.stacks import StackName
from mha_core.text.tokens import TokenKind

EXAMPLE_TEXT = "The animal didn't cross the street because it was too tired."

# What is asked for is taken as it stands: `true`, `"5"` and 1.0 are no whole numbers.
Whole = Annotated[int, Strict()]
Index = Annotated[Whole, Field(ge=0)]
TokenIds = Annotated[tuple[Index, ...], FailFast()]
Values = Literal["raw", "weighted"]
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


class AttentionRequest(TextRequest):
    """Which maps of which text are wanted."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"model": "minilm", "text": EXAMPLE_TEXT, "layers": [3], "heads": [0, 5]}]
        }
    )

    stack: StackChoice = None
    layers: tuple[Index, ...] | None = Field(
        None, min_length=1, fail_fast=True, description="Layers wanted, from 0; all when absent."
    )
    heads: tuple[Index, ...] | None = Field(
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

    @field_validator("layers", "heads")
    @classmethod
    def _each_once(cls, chosen: tuple[int, ...] | None) -> tuple[int, ...] | None:
        if chosen is not None and len(set(chosen)) < len(chosen):
            raise ValueError("each may be named once")
        return chosen


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


class TokenizeResponse(BaseModel):
    """The tokens of a text."""

    tokens: list[TokenOut]
    n_tokens: int


class ModelInfo(BaseModel):
    """A model and whether it can be used here; numbers are null while its config is not here."""

    id: str
    name: str
    about: str
    family: str | None
    kind: Literal["encoder", "decoder", "encoder-decoder"] | None
    n_layers: int | None
    n_heads: int | None
    n_kv_heads: int | None
    d_model: int | None
    d_head: int | None
    max_tokens: int | None = Field(description="Longest text, by the model and the settings.")
    pairs: bool = Field(
        description="Whether it takes a second text: the other sentence of a pair, or, for an "
        "encoder-decoder, what its decoder reads."
    )
    licence: str
    source: str = Field(description="Where its weights come from.")
    state: Literal["ready", "not installed", "broken"] = Field(
        default="ready", description="Whether its files are here; `reason` has the details."
    )
    available: bool
    loaded: bool
    reason: str | None = Field(description="Why it is not available, or what happens on first use.")
    no_atlas: str | None = Field(
        description="How to build the atlas it has not; null: `GET /models/{id}/atlas` has one."
    )


class Health(BaseModel):
    """That the server lives, and on what it runs models."""

    status: Literal["ok"] = "ok"
    version: str
    device: str
    dtype: str
    loaded: list[str] = Field(description="Models in memory now.")


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


class HeadPattern(BaseModel):
    """The map of one head: `pattern[query][key]`, each row summing to 1."""

    layer: int
    head: int
    pattern: list[list[float]]


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


class AttentionResponse(Provenance):
    """The maps of a text: rows are its tokens in `queries`, columns those in `keys`."""

    stack: StackName
    values: Values
    queries: Range
    keys: Range
    attention: list[HeadPattern]
    timing: Timing


class HeadResponse(Provenance):
    """The exact map of one head of an earlier analysis, laid out as in `AttentionResponse`."""

    stack: StackName
    values: Values
    queries: Range
    keys: Range
    layer: int
    head: int
    pattern: list[list[float]]
    timing: Timing


class ErrorBody(BaseModel):
    """What went wrong: `code` for programs, `message` for people."""

    code: str
    message: str
    details: dict[str, Any] = {}


class ErrorResponse(BaseModel):
    """The one shape of every error."""

    error: ErrorBody


class Example(BaseModel):
    """A sentence worth trying."""

    title: str
    text: str
    text_pair: str | None = None
    hint: str = Field(description="What to look for.")
    against: str | None = Field(
        None,
        description="The text with one word changed: a minimal pair, to hold against it.",
    )


class SegmentFilter(BaseModel):
    """Which links of a sentence pair to show; null means either sentence."""

    id: str
    label: str
    query_segment: int | None
    key_segment: int | None


class Limits(BaseModel):
    """What the server refuses to exceed."""

    max_tokens: int
    max_characters: int
    max_json_cells: int
    overview_side: int = Field(description="Longest side of an overview map, in cells.")
    max_snapshot_cells: int = Field(description="Most weights of the maps a snapshot keeps.")


class LimitOfAttention(BaseModel):
    """Something a map of attention does not show, and who showed that."""

    text: str
    source: str


class PageConfig(BaseModel):
    """What the page builds its menus from."""

    version: str
    default_model: str
    examples: list[Example]
    filters: list[SegmentFilter]
    limits: Limits
    limits_of_attention: list[LimitOfAttention]
