"""Heads on a corpus: the roles and scores of a model, and how alike its heads are."""

from typing import Annotated

import orjson
from fastapi import APIRouter, Path, Response

from backend.atlas.jobs import describe_atlas, describe_similarity
from backend.atlas.schemas import AtlasResponse, SimilarityResponse
from backend.engine.dependencies import EngineOfApp
from backend.wire.examples import describe_errors, show_example
from backend.wire.formats import JSON

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

    Measured once on a corpus by `headscope atlas build`, with the provenance of data and weights;
    a head that no role names is unassigned.
    """
    return Response(orjson.dumps(await engine.run(describe_atlas, id)), media_type=JSON)


@router.get(
    "/models/{id:path}/atlas/similarity",
    summary="Which heads are alike?",
    response_model=SimilarityResponse,
    responses=describe_errors(404, 422) | show_example("similarity"),
)
async def similarity(id: ModelId, engine: EngineOfApp) -> Response:
    """Distances between all heads of a model on a corpus, and a flat map of them."""
    return Response(orjson.dumps(await engine.run(describe_similarity, id)), media_type=JSON)
