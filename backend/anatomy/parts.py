"""The parts of an answer about a layer: sizes, numbers, the prediction, what edits changed."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

Short = Annotated[float, AfterValidator(lambda value: float(f"{value:.7g}"))]
"""A number with the digits of a float32."""


class Sizes(BaseModel):
    """The sizes of the model."""

    n_layers: int
    n_heads: int
    n_kv_heads: int
    d_model: int
    d_head: int
    d_mlp: int | None = Field(description="Null: the blocks have no MLP.")


class ComputationOut(BaseModel):
    """What distinguishes the model's computation from that of others."""

    norm: Literal["LayerNorm", "RMSNorm"]
    norm_first: bool = Field(
        description="Whether attention and MLP read normed input; else what they add to is normed."
    )
    embedding_norm: bool
    final_norm: bool
    positions: Literal["added", "rotary"]
    segments: bool
    shifted_keys: bool = Field(description="Whether this layer reads the keys of other tokens.")
    causal: bool = Field(description="Whether this layer hides later keys, without edits.")
    activation: str | None = Field(description="Of the MLP.")
    gated: bool
    predicts: bool = Field(description="Whether there is an output layer over the vocabulary.")


class MapNumbers(BaseModel):
    """Each row of one map."""

    entropy: list[Short] = Field(description="Nats, by query.")
    strongest: list[int | None] = Field(description="Key, by query; null: the row is zeros.")


class NumbersOut(BaseModel):
    """Single numbers of the layer, with the edits."""

    scale: Short
    variance_raw: Short = Field(
        description="Variance of the chosen head's scores over visible cells, before scaling."
    )
    variance_scaled: Short = Field(description="The same after scaling.")
    n_parameters_separate: int = Field(
        description="Weights and biases of the attention, with matrices for each head."
    )
    n_parameters_fused: int = Field(description="The same with one matrix for all heads.")
    fused_difference: Short = Field(
        description="The largest difference of any q, k, v or output between the two."
    )
    parts_difference: Short = Field(
        description="The largest difference between `attention_out` and the sum of its parts."
    )
    empty_queries: list[int] = Field(
        description="Queries that see no key: their rows of `pattern` are zeros."
    )
    heads: list[MapNumbers]
    mean: MapNumbers = Field(description="Of `mean_pattern`.")
    one_head: MapNumbers = Field(description="Of `one_head_pattern`.")


class Candidate(BaseModel):
    """A token that may come next."""

    id: int
    text: str = Field(description="Display text, with a leading space as ␣.")
    piece: str
    logit: Short
    probability: Short


class PredictionOut(BaseModel):
    """What follows the chosen token: the ten most probable tokens."""

    candidates: list[Candidate] = Field(description="Empty for a model that predicts nothing.")
    why_none: str | None


class ChangesOut(BaseModel):
    """How far the edits moved what is shown."""

    scores: list[Short] = Field(description="By head: the largest change of `scores_raw`.")
    pattern: list[Short] = Field(description="By head: the largest change of `pattern`.")
    attention_out: list[Short] = Field(description="By token: the length of the change.")
    block_out: list[Short] = Field(description="By token: the length of the change.")
    final: list[Short] = Field(description="By token: the same of the last hidden state.")
    norms_before: list[Short] = Field(description="By token: the length of `attention_out`.")
    norms_after: list[Short]
    prediction_before: PredictionOut
