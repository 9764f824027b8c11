"""Charts of all heads of a model, as Plotly draws them."""

import orjson
from fastapi import APIRouter, Response

from backend.atlas.schemas import FigureRequest, FigureResponse
from backend.engine.dependencies import EngineOfApp
from backend.figures.jobs import draw_figure
from backend.wire.examples import describe_responses
from backend.wire.formats import JSON

router = APIRouter(tags=["figures"])


@router.post(
    "/figures",
    summary="A chart of a model's heads",
    response_model=FigureResponse,
    responses=describe_responses("figures"),
)
async def figures(request: FigureRequest, engine: EngineOfApp) -> Response:
    """A scatter by any two metrics, the map by similarity, or a profile over the layers.

    The answer is Plotly's own JSON, for `Plotly.newPlot` or `plotly.io.from_json`; each point
    carries its head as `customdata`.
    """
    return Response(orjson.dumps(await engine.run(draw_figure, request)), media_type=JSON)
