"""The endpoint that configures the page."""

from fastapi import APIRouter

from backend.engine.dependencies import EngineOfApp
from backend.page.jobs import configure_page
from backend.page.schemas import PageConfig

router = APIRouter(tags=["models"])


@router.get("/config", summary="The configuration of the page")
async def config(engine: EngineOfApp) -> PageConfig:
    """Examples, filters, limits, and a default model whose weights are installed."""
    return await engine.run(configure_page, None)
