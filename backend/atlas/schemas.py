"""Answers about a model's heads on a corpus: the record of its atlas, similarity, and its build."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, Strict

from backend.engine.builds import BuildState
from mha_core.atlas.record import SectionName
from mha_core.atlas.summary import AtlasSummary


class AtlasResponse(AtlasSummary):
    """Roles and scores of every head of a model; a head that no role names has none proven."""

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


class BuildRequest(BaseModel):
    """Which sections of a model's atlas to measure."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={"examples": [{"sections": ["surface", "sink"]}]},
    )

    sections: Annotated[tuple[SectionName, ...], Field(min_length=1)] | None = Field(
        None, description="By default all that can be measured here."
    )
    again: Annotated[bool, Strict()] = Field(
        False, description="Measure also what is measured already."
    )


class SectionPlan(BaseModel):
    """A section of an atlas, and whether it can be measured on this server."""

    section: SectionName
    label: str
    measures: str = Field(description="What it measures, for people.")
    needs: str | None = Field(description="What it needs that is not here; null: it can be built.")
    measured: str | None = Field(
        description="The date; null where the weights that are here were not measured."
    )


class BuildResponse(BaseModel):
    """What can be measured of a model's heads, and how far the build is."""

    model: str
    sections: list[SectionPlan]
    build: BuildState
