"""Atlases: what a corpus showed of a model's heads, read from their files for each answer.

Read anew each time, so that one built meanwhile is found. This file must not know HTTP or run
models.
"""

from typing import Any

from backend.engine.interface import light
from backend.engine.session import Session
from backend.wire.errors import NoAtlas
from mha_core.atlas.record import Atlas, read_atlas
from mha_core.errors import ModelUnavailable
from mha_core.models.sources import find_here

Json = dict[str, Any]

DISTANCE_UNIT = "nats"
DISTANCE_MEANING = (
    "Jensen-Shannon divergence between the attention of two heads, mean over the rows of a sample "
    "of sentences: 0 for heads that look alike, ln 2 for heads that never look at the same token."
)


def find_atlas(session: Session, model_id: str) -> Atlas | None:
    """The atlas of a model, if there is one; raises UnknownModel."""
    return read_atlas(session.models.find_entry(model_id).id, session.settings.models_dir)


def get_atlas(session: Session, model_id: str) -> Atlas:
    found = find_atlas(session, model_id)
    if found is None:
        raise NoAtlas.of(model_id)
    return found


@light
def describe_atlas(session: Session, model_id: str) -> Json:
    atlas = get_atlas(session, model_id)
    record = {name: part for name, part in atlas.document.items() if name != "distances"}
    here = _revision(session, model_id)
    return record | {"revision_matches": None if here is None else here == atlas.revision}


@light
def describe_similarity(session: Session, model_id: str) -> Json:
    atlas = get_atlas(session, model_id)
    return {
        "heads": atlas.heads,
        "distances": atlas.document["distances"],
        "layout": atlas.document["layout"],
        "stress": atlas.document["stress"],
        "unit": DISTANCE_UNIT,
        "meaning": DISTANCE_MEANING,
    }


def _revision(session: Session, model_id: str) -> str | None:
    """Which weights a run would use; None where they are not here."""
    loaded = session.models.loaded_model(model_id)
    if loaded is not None:
        return loaded.revision
    try:
        here = find_here(session.models.find_entry(model_id), session.settings.models_dir)
    except ModelUnavailable:
        return None
    return None if here is None else here.revision
