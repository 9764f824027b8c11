"""What the page shows before anything is typed: examples, filters, limits, a word of care.

The server describes, the page draws: a new example touches no JavaScript.
"""

from dataclasses import asdict

from backend import __version__
from backend.page.caveats import CAVEATS
from backend.settings import Settings
from backend.snapshot import recording as snapshot
from backend.snapshot.kept_maps import MOST_CELLS
from backend.wire.schemas import (
    Example,
    LimitOfAttention,
    Limits,
    ModelInfo,
    PageConfig,
    SegmentFilter,
)
from mha_core.runs.overview import SIDE

EXAMPLES = [
    Example(
        title="Pronoun",
        text="The animal didn't cross the street because it was too tired.",
        hint="Which heads tie “it” to “animal”?",
        against="The animal didn't cross the street because it was too wide.",
    ),
    Example(
        title="Agreement",
        text="The keys to the old wooden cabinet are on the table.",
        hint="Does “are” look back at “keys”, past “cabinet”?",
        against="The keys to the old wooden cabinets are on the table.",
    ),
    Example(
        title="Repetition",
        text="The cat sat on the mat and the dog sat on the rug. The cat sat on the mat",
        hint="Heads that find the earlier copy, and the word that came after it.",
        against="The cat sat on the mat and the dog sat on the rug. The dog sat on the mat",
    ),
    Example(
        title="Sentence pair",
        text="The cat sat on the mat.",
        text_pair="A kitten was resting on a rug.",
        hint="Which heads cross from one sentence to the other?",
    ),
]

FILTERS = [SegmentFilter(**it) for it in snapshot.FILTERS]

LIMITS_OF_ATTENTION = [LimitOfAttention(**asdict(caveat)) for caveat in CAVEATS]
"""What to keep in mind before a map of attention."""


def page_config(settings: Settings, models: list[ModelInfo]) -> PageConfig:
    """All of it, with the limits of these settings and a model to start with that is here."""
    here = [model.id for model in models if model.available and model.reason is None]
    default = settings.default_model
    return PageConfig(
        version=__version__,
        default_model=here[0] if here and default not in here else default,
        examples=EXAMPLES,
        filters=FILTERS,
        limits=Limits(
            max_tokens=settings.max_tokens,
            max_characters=settings.max_characters,
            max_json_cells=settings.max_json_cells,
            overview_side=SIDE,
            max_snapshot_cells=MOST_CELLS,
        ),
        limits_of_attention=LIMITS_OF_ATTENTION,
    )
