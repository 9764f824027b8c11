"""Answers about a model's heads on a corpus: the record of its atlas, and their similarity."""

from pydantic import BaseModel, Field

from mha_core.atlas.record import AtlasSummary


class AtlasResponse(AtlasSummary):
    """Roles and scores of every head of a model; a head without a role is unassigned."""

    revision_matches: bool | None = Field(
        description="Whether the weights that are here were measured; null where none are here."
    )


class SimilarityResponse(BaseModel):
    """How alike a model's heads look on a corpus."""

    heads: list[tuple[int, int]] = Field(description="Layer and head of each row.")
    distances: list[list[float]]
    layout: list[tuple[float, float]] = Field(description="The distances flattened to x and y.")
    stress: float = Field(description="How much the flat map distorts the distances, from 0.")
    unit: str
    meaning: str
