"""The server's health, and the models."""

from fastapi import APIRouter

from backend.engine.dependencies import EngineOfApp
from backend.models.jobs import check_health, list_models
from backend.models.schemas import Health, ModelInfo
from backend.wire.examples import show_example

router = APIRouter(tags=["models"])


@router.get("/health", summary="Is the server alive?", responses=show_example("health"))
async def health(engine: EngineOfApp) -> Health:
    """Answers at once, also while models run."""
    return await engine.run(check_health, None)


@router.get("/models", summary="Which models are there?", responses=show_example("models"))
async def models(engine: EngineOfApp) -> list[ModelInfo]:
    """Every model of the catalogue and the settings; `reason` says why one is not available."""
    return await engine.run(list_models, None)
