"""Next tokens and generation: the candidates of the next token, the messages of the socket."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, Strict

from backend.wire.messages import NumberedRequest, ProgressMessage
from backend.wire.schemas import Provenance, TextRequest, Timing, TokenOut, Whole

CAUSAL_TEXT = "The capital of France is"
SAFE_INTEGER = 2**53 - 1  # the largest whole number a page can say exactly

Reason = Literal["length", "end", "limit"]
"""Why a text goes on no further."""


class NextRequest(TextRequest):
    """A text whose next token is asked for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"model": "smollm2", "text": CAUSAL_TEXT, "top": 5}]}
    )

    top: Whole = Field(20, ge=1, le=1000, description="How many candidates to name.")


class CandidateOut(BaseModel):
    """A token that may come next."""

    id: int
    text: str = Field(
        description="What to show, a space before the word as ␣: `␣cat` starts a word, `cat` goes "
        "on with one."
    )
    piece: str = Field(description="The vocabulary's own string for it.")
    probability: float = Field(
        description="The model's own, whatever the temperature: softmax of its logits over all "
        "tokens there are."
    )


class NextResponse(Provenance):
    """What the model expects after the text."""

    candidates: list[CandidateOut] = Field(description="The most probable first.")
    rest: float = Field(description="The probability of all other tokens together.")
    entropy: float = Field(
        description="How open the choice is, in nats: 0 for one sure token, the logarithm of the "
        "number of tokens where all are alike."
    )
    timing: Timing


class GenerateRequest(NumberedRequest):
    """One question to generation; `request` comes back in each answer to it."""

    n: Whole = Field(20, ge=1, le=200, description="How many tokens to add at most.")
    temperature: Annotated[float, Strict()] = Field(
        0,
        ge=0,
        le=10,
        allow_inf_nan=False,
        description="0 takes the most probable token each time; more makes rare ones likelier.",
    )
    top_k: Whole | None = Field(
        None, ge=1, description="Draw from so many most probable tokens; null: from all."
    )
    seed: Whole = Field(
        0,
        ge=0,
        le=SAFE_INTEGER,
        description="The same seed draws the same tokens, also when a text is generated in parts.",
    )


class GenerateStart(Provenance):
    """The text, as it was sent; the first token follows."""

    type: Literal["start"] = "start"
    request: int
    n_layers: int
    n_heads: int
    max_tokens: int = Field(description="How long the text may become.")


class GenerateToken(TokenOut):
    """A token was chosen; the next message is its frame.

    The frame (kind 3, rows) holds one row of attention for every head of the model: what each
    head looked at while this token was predicted. The token stands at `index`; it was predicted
    at the position before, `index - 1`, so the row is that position's, and its keys are the
    tokens 0 to `index - 1`. `word` is as the text reads so far: what follows may shift it.
    """

    type: Literal["token"] = "token"
    request: int
    step: int = Field(description="Counted from 0.")
    probability: float = Field(description="Of this token, the model's own.")
    candidates: list[CandidateOut] = Field(description="The ten most probable.")


class GenerateDone(BaseModel):
    """The text goes on no further."""

    type: Literal["done"] = "done"
    request: int
    reason: Reason = Field(
        description="`length`: all tokens asked for are there. `end`: the model chose its end "
        "token, which is the last one sent. `limit`: the text is as long as it may be."
    )
    continuation: list[int] = Field(
        description="The ids after the text, those asked with included: as `continuation` of any "
        "request they give this text again."
    )
    timing: Timing


GenerateEvent = ProgressMessage | GenerateStart | GenerateToken | GenerateDone | bytes
"""What generation has to say; bytes are a frame."""
