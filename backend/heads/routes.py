"""Heads on a text: the catalogue of metrics, every head's values, who makes a link."""

from fastapi import APIRouter

from backend.engine.dependencies import EngineOfApp
from backend.heads.describe import describe_metrics
from backend.heads.jobs import measure_heads, rank_heads
from backend.heads.schemas import EdgesRequest, EdgesResponse, HeadsResponse, MetricsResponse
from backend.wire.examples import describe_responses, show_example
from backend.wire.schemas import TextRequest

router = APIRouter(tags=["heads"])


@router.get("/metrics", summary="What is measured of a head?", responses=show_example("metrics"))
async def metrics() -> MetricsResponse:
    """Every metric with its unit, range, meaning and formula, and when a head is called by it."""
    return describe_metrics()


@router.post(
    "/heads",
    summary="Every metric of every head on a text",
    responses=describe_responses("heads"),
)
async def heads(request: TextRequest, engine: EngineOfApp) -> HeadsResponse:
    """Values by weight and value-weighted, with the opportunities the text gives.

    `labels` are what a head may be called on this text alone, with the number of cases; a role
    takes a corpus: see the model's atlas.
    """
    return await engine.run(measure_heads, request)


@router.post(
    "/edges",
    summary="Which heads link these tokens to those?",
    responses=describe_responses("edges"),
)
async def edges(request: EdgesRequest, engine: EngineOfApp) -> EdgesResponse:
    """All heads, strongest first, by their attention from the queries to the keys.

    Beside each weight stands what the same head gives to the same distances elsewhere in the
    text, and what uniform attention would give: a head that only ever looks two tokens back makes
    every such link.
    """
    return await engine.run(rank_heads, request)
