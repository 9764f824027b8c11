"""Atlases, read from their files for each answer, so that one built meanwhile is found."""

from backend.atlas.plan import find_revision
from backend.atlas.schemas import AtlasResponse, SimilarityResponse
from backend.engine.interface import light
from backend.engine.session import Session
from backend.wire.errors import NoAtlas, NotMeasured
from mha_core.atlas.record import Atlas
from mha_core.atlas.storage import read_atlas
from mha_core.atlas.summary import summarize

DISTANCE_MEANING = (
    "Jensen-Shannon divergence between the attention of two heads, mean over the rows of a sample "
    "of sentences: 0 for heads that attend alike, ln 2 for heads that never attend to the "
    "same token."
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
    """All sections in one, and whether they are of the weights that are here."""
    atlas, here = get_atlas(session, model_id), find_revision(session, model_id)
    return AtlasResponse(
        **dict(summarize(atlas)),
        revision_matches=None if here is None else here == atlas.model.revision,
    )


@light
def describe_similarity(session: Session, model_id: str) -> SimilarityResponse:
    """How alike the heads look, and where each stands on a map; raises NotMeasured."""
    atlas = get_atlas(session, model_id)
    section = atlas.sections.get("similarity")
    if section is None or section.stress is None:
        raise NotMeasured.of(model_id, "similarity")
    return SimilarityResponse(
        heads=atlas.heads,
        distances=section.distances,
        layout=section.layout,
        stress=section.stress,
        unit="nats",
        meaning=DISTANCE_MEANING,
    )
