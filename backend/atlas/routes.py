"""Heads on a corpus: the roles and scores of a model, and how alike its heads are."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from backend.atlas.building import describe_build, start_build, stop_build
from backend.atlas.jobs import describe_atlas, describe_similarity
from backend.atlas.schemas import (
    AtlasResponse,
    BuildRequest,
    BuildResponse,
    SimilarityResponse,
)
from backend.engine.dependencies import EngineOfApp
from backend.wire.examples import describe_errors, show_example
from backend.wire.responses import respond_json

router = APIRouter(tags=["atlas"])

ModelId = Annotated[str, Path(description="A model's id, as listed by `GET /api/v1/models`.")]


# An id may hold a slash, as those of the hub do: hence `path`.
@router.get(
    "/models/{id:path}/atlas",
    summary="What do a model's heads do?",
    response_model=AtlasResponse,
    responses=describe_errors(404, 422) | show_example("atlas"),
)
async def atlas(id: ModelId, engine: EngineOfApp) -> Response:
    """Roles of heads, each with the value, cases, interval and baseline behind it.

    Measured once on a corpus, section by section, with the provenance of data and weights; what
    was not measured is in `missing`. A head that no role names has no proven role.
    """
    return respond_json(await engine.run(describe_atlas, id))


@router.get(
    "/models/{id:path}/atlas/similarity",
    summary="Which heads are alike?",
    response_model=SimilarityResponse,
    responses=describe_errors(404, 422) | show_example("similarity"),
)
async def similarity(id: ModelId, engine: EngineOfApp) -> Response:
    """Distances between all heads of a model on a corpus, and a flat map of them."""
    return respond_json(await engine.run(describe_similarity, id))


@router.get(
    "/models/{id:path}/atlas/build",
    summary="What can be measured of a model's heads?",
    responses=describe_errors(404, 422) | show_example("atlas_build"),
)
async def build(id: ModelId, engine: EngineOfApp) -> BuildResponse:
    """Every section of an atlas, what it needs, when it was measured, and how far a build is."""
    return await engine.run(describe_build, id)


@router.post(
    "/models/{id:path}/atlas/build",
    summary="Measure a model's heads",
    status_code=202,
    responses=describe_errors(404, 409, 422) | show_example("atlas_build", status=202),
)
async def start(id: ModelId, request: BuildRequest, engine: EngineOfApp) -> BuildResponse:
    """Starts in the background and answers at once: `GET` says how far it is.

    One model at a time. Each section is in the atlas as soon as it is done; other requests are
    answered between two batches. A build that was stopped continues where it was.
    """
    return await engine.run(start_build, (id, request))


@router.delete(
    "/models/{id:path}/atlas/build",
    summary="Stop measuring a model's heads",
    status_code=202,
    responses=describe_errors(404, 422) | show_example("atlas_build", status=202),
)
async def stop(id: ModelId, engine: EngineOfApp) -> BuildResponse:
    """The build stops at its next batch; what is done is kept, and the next start continues."""
    return await engine.run(stop_build, id)
