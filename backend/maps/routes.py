"""One map of a text, and the steps behind one weight of it."""

from functools import partial

from fastapi import APIRouter, Response

from backend.engine.dependencies import EngineOfApp, SettingsOfApp
from backend.maps.jobs import compute_map, explain_weight
from backend.maps.schemas import (
    MapRequest,
    MapResponse,
    QueryKeyRequest,
    QueryKeyResponse,
)
from backend.wire.examples import describe_responses
from backend.wire.formats import (
    AS_CSV,
    AS_FRAME,
    AS_JSON,
    AS_NPZ,
    AS_SAFETENSORS,
    JSON,
    choose_format,
)
from backend.wire.responses import Accept, max_cells, respond

router = APIRouter(tags=["maps"])

FORMATS = (AS_JSON, AS_FRAME, AS_NPZ, AS_SAFETENSORS, AS_CSV)


@router.post(
    "/maps",
    summary="One map: a head's, or the mean, maximum or rollout of many",
    response_model=MapResponse,
    responses=describe_responses("maps", FORMATS),
)
async def maps(
    request: MapRequest, engine: EngineOfApp, settings: SettingsOfApp, accept: Accept = JSON
) -> Response:
    """The map of one head, or one map of any set of heads and layers, exact in float32.

    `combine` says how: `head`, `mean`, `max`, or `rollout` (attention followed through the layers,
    a heuristic). `values` `weighted` takes each head's attention by the length of the vectors it
    lets through. As JSON; as arrays with `Accept: application/x-npz` or
    `application/vnd.safetensors`: `pattern` [queries, keys], `queries`, `keys` and the tokens; as
    one line a weight with `text/csv`; as one frame with `application/vnd.headscope.frame`, whose
    layer and head are 0 for a map of many.
    """
    chosen = choose_format(accept, FORMATS)
    job = partial(compute_map, max_cells=max_cells(chosen, settings))
    answer = await engine.run(job, request)
    return await respond(chosen, answer, f"{answer.about.id}-{request.combine}")


@router.post(
    "/query-key",
    summary="Why does a head look from this token at that one?",
    responses=describe_responses("query_key"),
)
async def query_key(
    request: QueryKeyRequest, engine: EngineOfApp, settings: SettingsOfApp
) -> QueryKeyResponse:
    """The query's and the key's vector, and every step from them to the weight.

    dot = sum of q * k; scaled = dot * scale; score = scaled + added (a position bias, where the
    model has one); weight = softmax of the scores of all keys. A key that the query may not see has
    no score and the weight 0. `note` says what is already in q and k.
    """
    return await engine.run(partial(explain_weight, max_cells=settings.max_json_cells), request)
