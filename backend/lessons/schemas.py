"""Schemas of the head calculator, of exercises, and the messages of the loop's socket."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, WithJsonSchema

from backend.wire.messages import Numbered
from backend.wire.schemas import Request, Whole
from mha_core.anatomy.calculator import HeadShape, ShapeCounts, ShapeProblem

MAX_WIDTH = 65_536
MAX_LAYERS = 1_000
MAX_TOKENS = 10_000_000
MOST_ROUNDS = 200
LONGEST_ANSWER = 100


class CalculatorRequest(Request):
    """Sizes of attention."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"d_model": 768, "n_heads": 12, "n_tokens": 512}]}
    )

    d_model: Whole = Field(ge=1, le=MAX_WIDTH, description="Numbers in the vector of a token.")
    n_heads: Whole = Field(ge=1, le=MAX_WIDTH)
    n_kv_heads: Whole | None = Field(
        None,
        ge=1,
        le=MAX_WIDTH,
        description="Key/value heads, which query heads share; null: as many as there are heads.",
    )
    n_layers: Whole = Field(1, ge=1, le=MAX_LAYERS)
    n_tokens: Whole = Field(ge=1, le=MAX_TOKENS)
    bytes_per_number: Whole = Field(
        2, ge=1, le=8, description="In the K/V cache: 2 for float16 and bfloat16, 4 for float32."
    )
    bias: Annotated[bool, Strict()] = Field(True, description="Whether the matrices have biases.")


class CalculatorResponse(BaseModel):
    """What the sizes cost and what they can express."""

    shape: HeadShape
    divides: bool = Field(description="Whether heads of equal width are possible.")
    problems: list[ShapeProblem] = Field(description="What does not divide, and what would.")
    counts: ShapeCounts | None = Field(description="Null where the sizes do not divide.")
    expresses: list[str] = Field(
        description="What attention of these sizes can and cannot express, in sentences."
    )


class PresetOut(BaseModel):
    """The sizes of a known model."""

    id: str
    name: str
    d_model: int
    n_heads: int
    n_kv_heads: int
    n_layers: int
    max_tokens: int | None = Field(description="Longest text; null where no limit is published.")
    bias: bool
    source: str
    note: str = Field(description="What to know of these sizes; may be empty.")
    model: str | None = Field(description="Its id in `GET /api/v1/models`, if it is there.")


class CalculatorLimits(BaseModel):
    """The largest sizes that the calculator takes."""

    d_model: int = MAX_WIDTH
    n_heads: int = MAX_WIDTH
    n_layers: int = MAX_LAYERS
    n_tokens: int = MAX_TOKENS


class PresetsResponse(BaseModel):
    """Sizes to start from, and limits."""

    presets: list[PresetOut]
    limits: CalculatorLimits = CalculatorLimits()


class ChoiceOut(BaseModel):
    """One of the answers to choose from."""

    id: str
    text: str


class ExerciseOut(BaseModel):
    """A question to a reader who knows matrix products."""

    id: str
    step: int = Field(description="The step of the walk through attention it is about, 1 to 12.")
    question: str
    kind: Literal["number", "choice"]
    choices: list[ChoiceOut] = Field(description="Empty where the answer is a number.")


def _write(answer: Any) -> Any:  # noqa: ANN401 (any JSON)
    """A number as text, so that both are read in the same way."""
    if isinstance(answer, bool) or not isinstance(answer, int | float | str):
        raise ValueError("Input should be a number or a text")
    return str(answer)


class AnswerRequest(Request):
    """An answer to an exercise."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"answer": 64}]})

    answer: Annotated[
        str,
        BeforeValidator(_write),
        WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]}),
    ] = Field(
        max_length=LONGEST_ANSWER,
        description="A number, also as text such as `1/2`; or the id or the text of a choice.",
    )


class AnswerResponse(BaseModel):
    """Whether the answer is right, and the right one."""

    right: bool
    answer: int | float | str = Field(
        description="The right number, or the id of the right choice."
    )
    why: str
    hint: str | None = Field(
        description="What went wrong, where the mistake is a known one; null for a right answer."
    )


class LoopsRequest(Numbered):
    """Sizes of attention to compute in three ways, again and again."""

    d_model: Whole = Field(ge=1, le=MAX_WIDTH)
    n_heads: Whole = Field(ge=1, le=MAX_WIDTH)
    n_tokens: Whole = Field(ge=1, le=MAX_TOKENS)
    batch: Whole = Field(1, ge=1, le=MAX_TOKENS, description="Texts computed at once.")
    causal: Annotated[bool, Strict()] = False
    rounds: Whole = Field(20, ge=1, le=MOST_ROUNDS, description="How often each way is timed.")


class Differences(BaseModel):
    """The largest absolute difference to the result of the loop, in float32."""

    fused: float
    kernel: float


class LoopsStart(BaseModel):
    """The three ways have run once, to warm up, and computed the same; the rounds follow."""

    type: Literal["start"] = "start"
    request: int
    d_model: int
    n_heads: int
    d_head: int
    n_tokens: int
    batch: int
    causal: bool
    rounds: int
    flops: int = Field(description="Operations of each way, as the calculator counts them.")
    differences: Differences
    largest: float = Field(description="The largest absolute number in the loop's result.")
    device: str
    threads: int = Field(description="Cores that torch uses.")


class LoopsTimes(BaseModel):
    """Milliseconds of each way."""

    loop_ms: float
    fused_ms: float
    kernel_ms: float


class LoopsRound(LoopsTimes):
    """One round: each way once, beginning with another one than the round before."""

    type: Literal["round"] = "round"
    request: int
    round: int = Field(description="Counted from 0.")
    threads: int = Field(description="Fewer than at the start while other models run.")


class LoopsRatios(BaseModel):
    """How many times as long one way takes as another: medians over the rounds."""

    loop_to_fused: float
    loop_to_kernel: float
    fused_to_kernel: float


class LoopsDone(BaseModel):
    """All rounds are done."""

    type: Literal["done"] = "done"
    request: int
    medians: LoopsTimes
    ratios: LoopsRatios


LoopsEvent = LoopsStart | LoopsRound | LoopsDone
"""What the comparison of three ways sends."""
