"""Answers about the server and its models."""

from typing import Literal

from pydantic import BaseModel, Field


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
    chat_template: bool = Field(
        description="Whether it takes `chat`: its files, once they are here, hold a chat template."
    )
    examples: list[str] = Field(
        description="For a model that was trained on words: texts it can read. It refuses others."
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
