"""What the page is built from."""

from fastapi import APIRouter

from backend.page.config import page_config
from backend.wire.dependencies import EngineOfApp, SettingsOfApp
from backend.wire.schemas import PageConfig

router = APIRouter(tags=["models"])


@router.get("/config", summary="What is the page built from?")
async def config(engine: EngineOfApp, settings: SettingsOfApp) -> PageConfig:
    """Examples, filters, limits, and the model to start with: one whose weights are here."""
    return page_config(settings, await engine.models())
