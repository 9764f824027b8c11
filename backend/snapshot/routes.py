"""An analysis to take away."""

from fastapi import APIRouter, Response
from starlette.responses import HTMLResponse

from backend.engine.dependencies import EngineOfApp
from backend.snapshot.jobs import take_snapshot
from backend.snapshot.schemas import SnapshotRequest
from backend.wire.examples import Responses, describe_errors

router = APIRouter(tags=["snapshot"])

HTML = {"schema": {"type": "string"}, "example": '<!doctype html>\n<html lang="en">…'}
FILE: Responses = {200: {"content": {"text/html": HTML}}}


@router.post(
    "/snapshot",
    summary="An analysis as one HTML file",
    response_class=Response,  # so that OpenAPI describes its errors as the JSON they are
    responses=describe_errors() | FILE,
)
async def snapshot(request: SnapshotRequest, engine: EngineOfApp) -> HTMLResponse:
    """Tokens, maps, measures, roles and notes in a file that opens in any browser from disk.

    It needs no HeadScope and fetches nothing. Its weights are rounded: the square root of each is
    kept in steps of 1/255; texts of more than 128 tokens are pooled as in the page's grid. Maps
    that are named in `maps` are kept to within 0.00002 beside them.
    """
    id, html = await engine.run(take_snapshot, request)
    named = f'attachment; filename="headscope-{id}.html"'
    return HTMLResponse(html, headers={"Content-Disposition": named})
