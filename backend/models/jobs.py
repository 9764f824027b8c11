"""Jobs about the server: its health, and the list of models."""

from dataclasses import asdict

from backend import __version__
from backend.engine.interface import light
from backend.engine.model_cache import ListedModel
from backend.engine.session import Session
from backend.models.schemas import Health, ModelInfo
from backend.settings import Settings
from backend.wire.errors import NoAtlas
from mha_core.atlas.storage import find_atlas
from mha_core.models.device import resolve_device


@light
def check_health(session: Session, _: None) -> Health:
    return Health(
        version=__version__,
        device=str(resolve_device(session.settings.device)),
        dtype=session.settings.dtype,
        loaded=session.models.loaded_ids(),
    )


@light
def list_models(session: Session, _: None) -> list[ModelInfo]:
    """Every model of the catalogue and the settings, usable or not."""
    return [describe_model(listed, session.settings) for listed in session.models.list_models()]


def describe_model(listed: ListedModel, settings: Settings) -> ModelInfo:
    """A model of the list, under the limits of the settings."""
    entry, known = listed.entry, listed.availability
    architecture = listed.loaded.architecture if listed.loaded else known.architecture
    numbers = dict.fromkeys(
        ("family", "kind", "n_layers", "n_heads", "n_kv_heads", "d_model", "d_head", "max_tokens")
    )
    if architecture is not None:
        limit = min(architecture.max_tokens, settings.max_tokens)
        numbers = asdict(architecture) | {"max_tokens": limit}
    has_atlas = find_atlas(entry.id, settings.models_dir) is not None
    no_atlas = NoAtlas.of(entry.id, trained_on_words=bool(known.examples))
    return ModelInfo(
        **numbers,
        id=entry.id,
        name=entry.name,
        about=entry.about,
        pairs=architecture is not None and architecture.takes_pairs,
        chat_template=(
            listed.loaded.has_chat_template if listed.loaded else known.has_chat_template
        ),
        examples=[*known.examples],
        licence=entry.licence,
        source=listed.loaded.source if listed.loaded else known.source,
        state="ready" if listed.loaded else known.state,
        available=known.available or listed.loaded is not None,
        loaded=listed.loaded is not None,
        reason=None if listed.loaded else known.reason,
        no_atlas=None if has_atlas else no_atlas.message,
    )
