"""Atlases, read from their files for each answer, so that one built meanwhile is found."""

from backend.atlas.schemas import AtlasResponse, SimilarityResponse
from backend.engine.interface import light
from backend.engine.session import Session
from backend.wire.errors import NoAtlas
from mha_core.atlas.record import Atlas
from mha_core.atlas.storage import read_atlas
from mha_core.errors import ModelUnavailable
from mha_core.models.sources import find_here

DISTANCE_MEANING = (
    "Jensen-Shannon divergence between the attention of two heads, mean over the rows of a sample "
    "of sentences: 0 for heads that look alike, ln 2 for heads that never look at the same token."
)


def find_atlas(session: Session, model_id: str) -> Atlas | None:
    """The atlas of a model, if there is one; raises UnknownModel."""
    return read_atlas(session.models.find_entry(model_id).id, session.settings.models_dir)


def get_atlas(session: Session, model_id: str) -> Atlas:
    """The atlas of a model; raises NoAtlas, which says how to build one."""
    found = find_atlas(session, model_id)
    if found is None:
        raise NoAtlas.of(model_id)
    return found


@light
def describe_atlas(session: Session, model_id: str) -> AtlasResponse:
    """The record without the distances, and whether it is of the weights that are here."""
    atlas, here = get_atlas(session, model_id), _find_revision(session, model_id)
    return AtlasResponse(
        **{name: part for name, part in atlas if name != "distances"},
        revision_matches=None if here is None else here == atlas.model.revision,
    )


@light
def describe_similarity(session: Session, model_id: str) -> SimilarityResponse:
    """How alike the heads look, and where each stands on a map."""
    atlas = get_atlas(session, model_id)
    return SimilarityResponse(
        heads=atlas.heads,
        distances=atlas.distances,
        layout=atlas.layout,
        stress=atlas.stress,
        unit="nats",
        meaning=DISTANCE_MEANING,
    )


def _find_revision(session: Session, model_id: str) -> str | None:
    """Which weights a run would use; None where they are not here."""
    loaded = session.models.loaded_model(model_id)
    if loaded is not None:
        return loaded.revision
    try:
        here = find_here(session.models.find_entry(model_id), session.settings.models_dir)
    except ModelUnavailable:
        return None
    return None if here is None else here.revision
