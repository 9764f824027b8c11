"""Atlases: what a corpus showed of a model's heads, read from their files for each answer.

Read anew each time, so that one built meanwhile is found. This file must not know HTTP or run
models.
"""

from typing import Any

from backend.engine.session import Runs
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


class Atlases:
    """The atlases of the models a caller may use."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def find(self, model_id: str) -> Atlas | None:
        """The atlas of a model, if there is one; raises UnknownModel."""
        entry = self._runs.shelf.entry(model_id)
        return read_atlas(entry.id, self._runs.settings.models_dir)

    def get(self, model_id: str) -> Atlas:
        """The atlas of a model; raises NoAtlas with the way to one."""
        found = self.find(model_id)
        if found is None:
            raise NoAtlas.of(model_id)
        return found

    def record(self, model_id: str) -> Json:
        """The whole record but the distances, and whether it is of the weights that are here."""
        atlas = self.get(model_id)
        record = {name: part for name, part in atlas.document.items() if name != "distances"}
        here = self._revision(model_id)
        return record | {"revision_matches": None if here is None else here == atlas.revision}

    def similarity(self, model_id: str) -> Json:
        """How alike the heads look, and where each stands on a map."""
        atlas = self.get(model_id)
        return {
            "heads": atlas.heads,
            "distances": atlas.document["distances"],
            "layout": atlas.document["layout"],
            "stress": atlas.document["stress"],
            "unit": DISTANCE_UNIT,
            "meaning": DISTANCE_MEANING,
        }

    def _revision(self, model_id: str) -> str | None:
        """Which weights a run would use; None where they are not here."""
        loaded = self._runs.shelf.peek(model_id)
        if loaded is not None:
            return loaded.revision
        try:
            here = find_here(self._runs.shelf.entry(model_id), self._runs.settings.models_dir)
        except ModelUnavailable:
            return None
        return None if here is None else here.revision
