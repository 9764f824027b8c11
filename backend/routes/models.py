"""What there is: the server's health, the models, what the page is built from."""

from fastapi import APIRouter

from backend.page_config import page_config
from backend.response_examples import HEALTH, MODELS, shown
from backend.routes.dependencies import EngineOfApp, SettingsOfApp
from backend.schemas import Health, ModelInfo, PageConfig

router = APIRouter(tags=["models"])


@router.get("/health", summary="Is the server alive?", responses=shown(HEALTH))
async def health(engine: EngineOfApp) -> Health:
    """Answers at once, also while models run."""
    return engine.health()


@router.get("/models", summary="Which models are there?", responses=shown(MODELS))
async def models(engine: EngineOfApp) -> list[ModelInfo]:
    """Every model of the catalogue and the settings; `reason` says why one is not available."""
    return await engine.models()


@router.get("/config", summary="What is the page built from?")
async def config(engine: EngineOfApp, settings: SettingsOfApp) -> PageConfig:
    """Examples, filters, limits, and the model to start with: one whose weights are here."""
    return page_config(settings, await engine.models())
