"""What the page is built from."""

from fastapi import APIRouter

from backend.engine.dependencies import EngineOfApp
from backend.page.jobs import configure_page
from backend.page.schemas import PageConfig

router = APIRouter(tags=["models"])


@router.get("/config", summary="What is the page built from?")
async def config(engine: EngineOfApp) -> PageConfig:
    """Examples, filters, limits, and the model to start with: one whose weights are here."""
    return await engine.run(configure_page, None)
