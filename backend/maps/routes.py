"""Endpoints for one map of a text, one row of every map, and the steps behind one weight."""

from functools import partial

from fastapi import APIRouter, Response

from backend.engine.dependencies import EngineOfApp, SettingsOfApp
from backend.maps.jobs import compute_map, explain_weight
from backend.maps.rows import compute_rows
from backend.maps.schemas import (
    MapRequest,
    MapResponse,
    QueryKeyRequest,
    QueryKeyResponse,
    RowsRequest,
    RowsResponse,
)
from backend.wire.examples import describe_responses
from backend.wire.formats import (
    AS_CSV,
    AS_FRAME,
    AS_JSON,
    AS_NPZ,
    AS_ROWS_FRAME,
    AS_SAFETENSORS,
    JSON,
    choose_format,
)
from backend.wire.responses import Accept, max_cells, respond

router = APIRouter(tags=["maps"])

FORMATS = (AS_JSON, AS_FRAME, AS_NPZ, AS_SAFETENSORS, AS_CSV)
ROWS_FORMATS = (AS_JSON, AS_ROWS_FRAME, AS_NPZ, AS_SAFETENSORS, AS_CSV)


@router.post(
    "/maps",
    summary="One map: of one head, or the mean, maximum or rollout of many",
    response_model=MapResponse,
    responses=describe_responses("maps", FORMATS),
)
async def maps(
    request: MapRequest, engine: EngineOfApp, settings: SettingsOfApp, accept: Accept = JSON
) -> Response:
    """The map of one head, or one map made of any heads and layers, in exact float32.

    `combine` is `head`, `mean`, `max` or `rollout` (attention multiplied through the layers, a
    heuristic). `values: weighted` makes the map value-weighted. JSON by default.
    `Accept: application/x-npz` or `application/vnd.safetensors` returns arrays: `pattern`
    [queries, keys], `queries`, `keys` and the tokens. `text/csv` returns one line per weight.
    `application/vnd.headscope.frame` returns one binary frame, with layer and head 0 for a map made
    of several heads.
    """
    chosen = choose_format(accept, FORMATS)
    job = partial(compute_map, max_cells=max_cells(chosen, settings))
    answer = await engine.run(job, request)
    return await respond(chosen, answer, f"{answer.about.id}-{request.combine}")


@router.post(
    "/rows",
    summary="What one token sees in every head",
    response_model=RowsResponse,
    responses=describe_responses("rows", ROWS_FORMATS),
)
async def rows(
    request: RowsRequest, engine: EngineOfApp, settings: SettingsOfApp, accept: Accept = JSON
) -> Response:
    """The row of one query token in every head of a stack, in exact float32.

    `rows[layer][head][key]`; a key that the query may not see has weight 0. Another token of the
    same text is answered from the cached analysis, without a new run. JSON by default.
    `Accept: application/x-npz` or `application/vnd.safetensors` returns arrays: `rows`
    [layers, heads, keys], `query`, `keys` and the tokens. `text/csv` returns one line per weight.
    `application/vnd.headscope.frame` returns one binary frame of kind 3.
    """
    chosen = choose_format(accept, ROWS_FORMATS)
    job = partial(compute_rows, max_cells=max_cells(chosen, settings))
    answer = await engine.run(job, request)
    return await respond(chosen, answer, f"{answer.about.id}-row-{request.query}")


@router.post(
    "/query-key",
    summary="The steps from a query and a key to the weight",
    responses=describe_responses("query_key"),
)
async def query_key(
    request: QueryKeyRequest, engine: EngineOfApp, settings: SettingsOfApp
) -> QueryKeyResponse:
    """The query vector, the key vector, and every step from them to the attention weight.

    dot = sum of q * k; scaled = dot * scale; score = scaled + added (a position bias, if the model
    has one); weight = softmax of the scores of all keys. A masked key has no score and weight 0.
    `note` says what q and k already include.
    """
    return await engine.run(partial(explain_weight, max_cells=settings.max_json_cells), request)
