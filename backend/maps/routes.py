"""One map of a text by expression, and the steps behind one weight of it."""

from fastapi import APIRouter, Response

from backend.heads.examples import MAP, QUERY_KEY
from backend.maps.formats import MAP_FORMATS
from backend.maps.schemas import MapRequest, MapResponse, QueryKeyRequest, QueryKeyResponse
from backend.wire import csv_table, frames
from backend.wire.dependencies import EngineOfApp, SettingsOfApp
from backend.wire.formats import JSON, NPZ, SAFETENSORS, choose
from backend.wire.response_examples import refused, shown
from backend.wire.responses import Accept, described, max_cells, written

router = APIRouter(tags=["maps"])


@router.post(
    "/maps",
    summary="One map: a head's, or the mean, maximum or rollout of many",
    response_model=MapResponse,
    responses=described(MAP, frames.MEDIA_TYPE, NPZ, SAFETENSORS, csv_table.MEDIA_TYPE),
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
    chosen = choose(accept, MAP_FORMATS)
    result = await engine.map(request, max_cells(chosen, settings))
    return await written(chosen, result, f"{result.about.id}-{result.about.combine}")


@router.post(
    "/query-key",
    summary="Why does a head look from this token at that one?",
    responses=refused(404, 413, 422, 503) | shown(QUERY_KEY),
)
async def query_key(
    request: QueryKeyRequest, engine: EngineOfApp, settings: SettingsOfApp
) -> QueryKeyResponse:
    """The query's and the key's vector, and every step from them to the weight.

    dot = sum of q * k; scaled = dot * scale; score = scaled + added (a position bias, where the
    model has one); weight = softmax of the scores of all keys. A key that the query may not see has
    no score and the weight 0. `note` says what is already in q and k.
    """
    return await engine.query_key(request, settings.max_json_cells)
