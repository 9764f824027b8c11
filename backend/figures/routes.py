"""Charts of all heads of a model, as Plotly draws them."""

import orjson
from fastapi import APIRouter, Response

from backend.figures.schemas import FigureRequest, FigureResponse
from backend.heads.examples import FIGURE
from backend.wire.dependencies import EngineOfApp
from backend.wire.formats import JSON
from backend.wire.response_examples import refused, shown

router = APIRouter(tags=["figures"])


@router.post(
    "/figures",
    summary="A chart of a model's heads",
    response_model=FigureResponse,
    responses=refused(404, 413, 422, 503) | shown(FIGURE),
)
async def figures(request: FigureRequest, engine: EngineOfApp) -> Response:
    """A scatter by any two metrics, the map by similarity, or a profile over the layers.

    The answer is Plotly's own JSON, for `Plotly.newPlot` or `plotly.io.from_json`; each point
    carries its head as `customdata`.
    """
    return Response(orjson.dumps(await engine.figure(request)), media_type=JSON)
