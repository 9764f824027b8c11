"""Schemas of next-token prediction, and the messages of the generation socket."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, Strict

from backend.wire.messages import NumberedRequest, ProgressMessage
from backend.wire.schemas import Provenance, TextRequest, Timing, TokenOut, Whole, show_example

CAUSAL_TEXT = "The capital of France is"
SAFE_INTEGER = 2**53 - 1  # the largest integer that JavaScript represents exactly

Reason = Literal["length", "end", "limit"]
"""Why generation stopped."""


class NextRequest(TextRequest):
    """A text, and how many candidates for the next token to return."""

    model_config = show_example(model="smollm2", text=CAUSAL_TEXT, top=5)

    top: Whole = Field(20, ge=1, le=1000, description="The number of candidates.")


class CandidateOut(BaseModel):
    """A token that may come next."""

    id: int
    text: str = Field(
        description="Display text, with a leading space as ␣: `␣cat` starts a word, `cat` "
        "continues one."
    )
    piece: str = Field(description="The token's string in the vocabulary.")
    probability: float = Field(
        description="Softmax of the model's logits over all tokens, regardless of the temperature."
    )


class NextResponse(Provenance):
    """The candidates for the token after the text."""

    candidates: list[CandidateOut] = Field(description="Most probable first.")
    rest: float = Field(description="The probability of all other tokens together.")
    entropy: float = Field(
        description="Entropy of the next token in nats: 0 if one token is certain, the logarithm "
        "of the number of tokens if all are equally probable."
    )
    timing: Timing


class GenerateRequest(NumberedRequest):
    """One request for generation; each message sent back repeats its `request` number."""

    n: Whole = Field(20, ge=1, le=200, description="The largest number of tokens to add.")
    temperature: Annotated[float, Strict()] = Field(
        0,
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="0 takes the most probable token each time; higher makes rare tokens likelier.",
    )
    top_k: Whole | None = Field(
        None, ge=1, description="Sample from the `top_k` most probable tokens; null: from all."
    )
    seed: Whole = Field(
        0,
        ge=0,
        le=SAFE_INTEGER,
        description="The same seed samples the same tokens, also if a text is generated in parts.",
    )


class GenerateStart(Provenance):
    """Generation starts: the text as tokenized; the first token follows."""

    type: Literal["start"] = "start"
    request: int
    n_layers: int
    n_heads: int
    max_tokens: int = Field(description="The limit on the length of the text.")


class GenerateToken(TokenOut):
    """One generated token; the next message is its frame.

    The frame (kind 3, rows) holds one row of attention for every head of the model, taken while
    this token was predicted. The token at `index` was predicted at position `index - 1`, so the row
    is that of `index - 1`, and its keys are the tokens 0 to `index - 1`. `word` is the word index
    in the text so far; later tokens may change it.
    """

    type: Literal["token"] = "token"
    request: int
    step: int = Field(description="Counted from 0.")
    probability: float = Field(description="The model's probability of this token.")
    candidates: list[CandidateOut] = Field(description="The ten most probable.")


class GenerateDone(BaseModel):
    """Generation has ended."""

    type: Literal["done"] = "done"
    request: int
    reason: Reason = Field(
        description="`length`: all requested tokens were generated. `end`: the model generated its "
        "end token, the last one sent. `limit`: the text reached the limit of tokens."
    )
    continuation: list[int] = Field(
        description="All token ids after the text, including those in the request. Send them as "
        "the `continuation` of any request to get this text again."
    )
    timing: Timing


GenerateEvent = ProgressMessage | GenerateStart | GenerateToken | GenerateDone | bytes
"""What generation sends; bytes are a frame."""
