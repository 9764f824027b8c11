"""The endpoint that exports an analysis as one HTML file."""

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
    response_class=Response,  # so that OpenAPI describes its errors as JSON
    responses=describe_errors() | FILE,
)
async def snapshot(request: SnapshotRequest, engine: EngineOfApp) -> HTMLResponse:
    """Tokens, maps, metrics, roles and notes in one file that any browser opens from disk.

    The file works without HeadScope and makes no network requests. It stores the square root of
    each weight in steps of 1/255, and pools texts of more than 128 tokens as in the page's grid.
    The maps listed in `maps` are also stored to within 0.00002.
    """
    id, html = await engine.run(take_snapshot, request)
    named = f'attachment; filename="headscope-{id}.html"'
    return HTMLResponse(html, headers={"Content-Disposition": named})
