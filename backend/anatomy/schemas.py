"""Schemas of a layer step by step: what is asked and changed, matrices, numbers, traces."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, Strict, model_validator

from backend.anatomy.parts import (
    ChangesOut,
    ComputationOut,
    NumbersOut,
    PredictionOut,
    Short,
    Sizes,
)
from backend.wire.schemas import (
    EXAMPLE_TEXT,
    EachOnce,
    Index,
    Provenance,
    Request,
    TextRequest,
    Timing,
    TokenOut,
    Whole,
    show_example,
)
from mha_core.anatomy.kinds import Axis, Combine, EditedMatrix, LeafKind, Scope
from mha_core.anatomy.steps import StepId

MOST_EDITS = 4096
"""Edits of one kind: as many as a mask of 64 tokens has cells."""

LARGEST = 1000.0
"""Largest number that may be added or multiplied with: far beyond what a model computes with."""

Chosen = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]


class WeightEdit(Request):
    """A number added to one weight of a head."""

    matrix: EditedMatrix
    head: Index = Field(description="Heads that share keys and values share `w_k` and `w_v`.")
    row: Index = Field(description="What is read: of `w_o` a dimension of the head.")
    column: Index = Field(description="What is written: of `w_o` a dimension of the model.")
    add: Chosen


class InputEdit(Request):
    """A number added to one dimension of a token where W_Q, W_K and W_V read it (`normed`)."""

    token: Index
    dimension: Index
    add: Chosen


class Edits(Request):
    """What is changed in one layer; all later layers follow from it."""

    layer: Index | None = Field(
        None, description="The layer that is changed; by default the one that is asked for."
    )
    heads_off: Annotated[tuple[Index, ...], EachOnce] = Field(
        (), max_length=MOST_EDITS, description="Heads whose z is set to zero."
    )
    scale: Chosen | None = Field(
        None, description="The factor of the scores, in place of 1 / sqrt(d_head)."
    )
    mask: Annotated[tuple[tuple[Index, Index], ...], EachOnce] = Field(
        (),
        max_length=MOST_EDITS,
        description="Pairs of query and key: hidden if visible, visible if hidden.",
    )
    causal: Annotated[bool, Strict()] | None = Field(
        None,
        description="True: no query sees a later key. False: every query sees them. Null: as in "
        "the model. Applied before `mask`.",
    )
    weights: tuple[WeightEdit, ...] = Field((), max_length=MOST_EDITS)
    inputs: tuple[InputEdit, ...] = Field((), max_length=MOST_EDITS)


class LayerRequest(TextRequest):
    """A text of at most 64 tokens, a layer, and what is changed in it."""

    layer: Index
    head: Index = 0
    token: Index = Field(0, description="The token that is looked at, from 0.")
    edits: Edits = Edits()


class AnatomyRequest(LayerRequest):
    """A layer and the matrices to return: those of a step, or those named."""

    model_config = show_example(text=EXAMPLE_TEXT, layer=3, head=1, token=10, step="scores")

    step: StepId | None = Field(
        None, description="One of the steps in `GET /api/v1/learn/anatomy`."
    )
    matrices: Annotated[tuple[str, ...] | None, EachOnce] = Field(
        None, min_length=1, description="Names of matrices, in place of a step."
    )

    @model_validator(mode="after")
    def _is_one_of_both(self) -> "AnatomyRequest":
        if (self.step is None) == (self.matrices is None):
            raise ValueError("Send either `step` or `matrices`")
        return self


class TraceRequest(LayerRequest):
    """A number of a matrix of the layer, to be traced to the numbers it is made of."""

    model_config = show_example(
        text=EXAMPLE_TEXT, layer=3, head=1, matrix="scores_raw", row=10, column=2
    )

    matrix: str = Field(description="The name of a matrix.")
    row: Index
    column: Index
    n_terms: Whole = Field(12, ge=1, le=1000, description="How many terms to list.")


class MatrixKind(BaseModel):
    """A matrix: what it is, and what each of its numbers is."""

    name: str
    symbol: str
    axes: list[Axis] = Field(
        description="What rows and columns count; with three axes, first what the maps count."
    )
    scope: Scope = Field(
        description="`model`: it does not depend on the layer; `layer`; `head`: of one head."
    )
    meaning: str
    formula: str = Field(description="The number in row i and column c.")


class MatrixOut(MatrixKind):
    """A matrix of this model on this text; its formula is that of the model."""

    shape: list[int]


class AbsentMatrix(BaseModel):
    """A matrix that was asked for and that this model does not have."""

    name: str
    why: str


class StepOut(BaseModel):
    """One of the twelve steps."""

    id: StepId
    title: str
    formula: str
    matrices: list[str]
    numbers: list[str] = Field(description="Fields of `numbers` that belong to the step.")


class AnatomyCatalogue(BaseModel):
    """What can be asked."""

    steps: list[StepOut]
    matrices: list[MatrixKind] = Field(
        description="In the order of computation, with the formulas of GPT-2."
    )
    families: list[str] = Field(description="The families of models that can be shown.")
    max_tokens: int


class AnatomyAbout(Provenance):
    """One layer of a model on a text: everything but the values of its matrices."""

    step: StepId | None
    layer: int
    head: int
    key_head: int = Field(
        description="The key/value head that the head reads: less than `head` if heads share keys."
    )
    token: int
    sizes: Sizes
    computation: ComputationOut
    matrices: list[MatrixOut]
    absent: list[AbsentMatrix]
    numbers: NumbersOut
    prediction: PredictionOut
    changes: ChangesOut | None = Field(description="Null without edits.")
    difference: Short = Field(
        description="The largest relative difference of q, k, v and pattern to the model's own "
        "run, without edits."
    )
    timing: Timing


class AnatomyResponse(AnatomyAbout):
    """The same with the values by name of the matrix: `values[name][row][column]`."""

    values: dict[str, list[Any]] = Field(
        description="Null where a number is not defined, and for minus infinity in `masked`."
    )


class FactorOut(BaseModel):
    """A number of another matrix; `matrix` null: a constant."""

    matrix: str | None
    symbol: str = Field(description="Of the matrix or of the constant.")
    layer: int | None = Field(description="Null: the matrix does not depend on a layer.")
    head: int | None = Field(description="Null: the matrix is not of one head.")
    row: int | None
    column: int | None
    value: Short
    power: Literal[1, -1] = Field(description="-1: the term is divided by it.")


class TermOut(BaseModel):
    """What one product of factors contributes; of a softmax, the share of one exponential."""

    value: Short
    factors: list[FactorOut]


class RestOut(BaseModel):
    """The terms that are not listed."""

    n_terms: int
    sum: Short


class LeafOut(BaseModel):
    """Where a number comes from that is not computed."""

    kind: LeafKind
    note: str
    token: TokenOut | None = Field(description="The token of the text that it belongs to.")


class TraceResponse(Provenance):
    """One number and what it is made of."""

    matrix: MatrixKind
    layer: int | None = Field(description="Null: the matrix does not depend on a layer.")
    head: int | None = Field(description="Null: the matrix is not of one head.")
    row: int
    column: int
    value: Short | None = Field(description="Null: minus infinity, or not defined.")
    formula: str = Field(description="With the real indices.")
    combine: Combine = Field(
        description="`sum`: terms are added. `root`: the square root of their sum. `softmax`: the "
        "share of the term at `column` in all. `function`: `function` of the only term. `leaf`: no "
        "terms, see `leaf`."
    )
    function: str | None
    sum: Short | None = Field(
        description="What all terms combine to: `value` again, up to rounding."
    )
    terms: list[TermOut] = Field(description="The largest by size, largest first.")
    rest: RestOut
    leaf: LeafOut | None
    timing: Timing
