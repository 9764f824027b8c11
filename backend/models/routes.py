"""What there is: the server's health, the models."""

from fastapi import APIRouter

from backend.wire.response_examples import HEALTH, MODELS, shown
from backend.wire.dependencies import EngineOfApp
from backend.wire.schemas import Health, ModelInfo

router = APIRouter(tags=["models"])


@router.get("/health", summary="Is the server alive?", responses=shown(HEALTH))
async def health(engine: EngineOfApp) -> Health:
    """Answers at once, also while models run."""
    return engine.health()


@router.get("/models", summary="Which models are there?", responses=shown(MODELS))
async def models(engine: EngineOfApp) -> list[ModelInfo]:
    """Every model of the catalogue and the settings; `reason` says why one is not available."""
    return await engine.models()
