"""The job behind `/config`: what the page builds its menus from."""

from backend import __version__
from backend.engine.interface import light
from backend.engine.session import Session
from backend.models.jobs import list_models
from backend.models.schemas import ModelInfo
from backend.page.schemas import Limits, PageConfig
from backend.page.texts import CORPUS_EXAMPLE, EXAMPLES, FILTERS, LIMITS_OF_ATTENTION
from backend.settings import Settings
from backend.snapshot.schemas import MOST_CELLS
from mha_core.runs.overview import SIDE


@light
def configure_page(session: Session, _: None) -> PageConfig:
    return build_config(session.settings, list_models(session, None))


def build_config(settings: Settings, models: list[ModelInfo]) -> PageConfig:
    """The page's texts, the limits of the settings, and a model to start with that is here."""
    here = [model.id for model in models if model.available and model.reason is None]
    default = settings.default_model
    return PageConfig(
        version=__version__,
        default_model=here[0] if here and default not in here else default,
        examples=EXAMPLES,
        corpus_example=CORPUS_EXAMPLE,
        filters=FILTERS,
        limits=Limits(
            max_tokens=settings.max_tokens,
            max_characters=settings.max_characters,
            max_corpus_characters=settings.max_corpus_characters,
            max_json_cells=settings.max_json_cells,
            overview_side=SIDE,
            max_snapshot_cells=MOST_CELLS,
        ),
        limits_of_attention=LIMITS_OF_ATTENTION,
    )
