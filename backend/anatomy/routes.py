"""Endpoints for one layer step by step, and for the trace of any number in it."""

from functools import partial

from fastapi import APIRouter, Response

from backend.anatomy.describe import describe_catalogue
from backend.anatomy.jobs import compute_anatomy, trace_number
from backend.anatomy.schemas import (
    AnatomyCatalogue,
    AnatomyRequest,
    AnatomyResponse,
    TraceRequest,
    TraceResponse,
)
from backend.engine.dependencies import EngineOfApp, SettingsOfApp
from backend.wire.examples import describe_responses, show_example
from backend.wire.formats import AS_JSON, AS_NPZ, AS_SAFETENSORS, JSON, choose_format
from backend.wire.responses import Accept, max_cells, respond

router = APIRouter(tags=["learn"])

FORMATS = (AS_JSON, AS_NPZ, AS_SAFETENSORS)


@router.get(
    "/learn/anatomy",
    summary="The steps of the computation, and the matrices that show them",
    responses=show_example("anatomy_steps"),
)
async def anatomy_steps() -> AnatomyCatalogue:
    """Twelve steps from the tokens to the prediction, and every matrix with its formula."""
    return describe_catalogue()


@router.post(
    "/learn/anatomy",
    summary="One layer of a model on a text, step by step, with edits",
    response_model=AnatomyResponse,
    responses=describe_responses("anatomy", FORMATS),
)
async def anatomy(
    request: AnatomyRequest, engine: EngineOfApp, settings: SettingsOfApp, accept: Accept = JSON
) -> Response:
    """The matrices of one step, or those named, computed by HeadScope's own attention module.

    `edits` change one layer (heads off, the scale, the mask, weights, the input), and all later
    layers follow; `changes` says how far that moved things. JSON by default, with `values` by name.
    `Accept: application/x-npz` or `application/vnd.safetensors` returns each matrix as an array of
    its name, and everything else as `meta`, which is JSON.
    """
    chosen = choose_format(accept, FORMATS)
    job = partial(compute_anatomy, max_cells=max_cells(chosen, settings))
    answer = await engine.run(job, request)
    return await respond(chosen, answer, f"{answer.about.id}-anatomy-{request.layer}")


@router.post(
    "/learn/anatomy/trace",
    summary="The numbers that one number was computed from",
    responses=describe_responses("anatomy_trace"),
)
async def anatomy_trace(request: TraceRequest, engine: EngineOfApp) -> TraceResponse:
    """The terms that make one number, each a product of numbers of other matrices.

    Ask again for a factor's `matrix`, `layer`, `head`, `row` and `column`, with the same edits and
    their `layer`, and so on: every number leads to the tokens of the text and to weights.
    """
    return await engine.run(trace_number, request)
