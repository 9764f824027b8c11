"""Endpoints for heads on a text: the metrics, their values, heads ranked by a link."""

from fastapi import APIRouter

from backend.engine.dependencies import EngineOfApp
from backend.heads.describe import describe_metrics
from backend.heads.jobs import measure_heads, rank_heads
from backend.heads.schemas import (
    EdgesRequest,
    EdgesResponse,
    HeadsRequest,
    HeadsResponse,
    MetricsResponse,
)
from backend.wire.examples import describe_responses, show_example

router = APIRouter(tags=["heads"])


@router.get("/metrics", summary="The catalogue of metrics", responses=show_example("metrics"))
async def metrics() -> MetricsResponse:
    """Every metric with its unit, range, meaning and formula, and the rule for its label."""
    return describe_metrics()


@router.post(
    "/heads",
    summary="Every metric of every head on a text",
    responses=describe_responses("heads"),
)
async def heads(request: HeadsRequest, engine: EngineOfApp) -> HeadsResponse:
    """Every metric with the number of cases in the text; value-weighted too on request.

    `labels` name what a head does on this text alone, with the number of cases. A role needs a
    corpus: see the model's atlas.
    """
    return await engine.run(measure_heads, request)


@router.post(
    "/edges",
    summary="Rank all heads by the link between tokens",
    responses=describe_responses("edges"),
)
async def edges(request: EdgesRequest, engine: EngineOfApp) -> EdgesResponse:
    """All heads, sorted by their attention from the queries to the keys, strongest first.

    Each weight comes with two baselines: the head's attention at the same distances elsewhere in
    the text, and the weight of uniform attention. A head that always looks two tokens back makes
    every link of length two.
    """
    return await engine.run(rank_heads, request)
