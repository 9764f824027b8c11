"""The models in memory: loaded once however many ask, the least recently used put away.

Called from worker threads. This file must not know HTTP, texts or analyses.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from backend.settings import Settings
from mha_core.catalogue import CatalogueEntry, all_models, entry_for, find
from mha_core.loading import Availability, LoadedModel, Progress, availability, load

HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True)
class ShelfMark:
    """What is known of a model without loading it."""

    entry: CatalogueEntry
    availability: Availability
    loaded: LoadedModel | None


class Shelf:
    """Loaded models, shared by all threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._extra = tuple(entry_for(spec) for spec in settings.extra_models)
        self._models: OrderedDict[str, LoadedModel] = OrderedDict()
        self._lock = threading.Lock()
        self._loading: dict[str, threading.Lock] = {}

    def get(self, model_id: str, progress: Progress | None = None) -> LoadedModel:
        """The model, loaded now if need be; raises UnknownModel, ModelUnavailable, ModelFailed."""
        entry = self._entry(model_id)
        with self._lock:
            loading = self._loading.setdefault(entry.id, threading.Lock())
        # One lock a model: a slow download holds up only those who want that same model.
        with loading:
            if (model := self.peek(entry.id)) is not None:
                return model
            model = load(
                entry,
                models_dir=self._settings.models_dir,
                device=self._settings.device,
                dtype=self._settings.dtype,
                hub=self._settings.hub,
                progress=progress,
            )
            with self._lock:
                self._models[entry.id] = model
                while len(self._models) > self._settings.max_models:
                    self._models.popitem(last=False)
            return model

    def peek(self, model_id: str) -> LoadedModel | None:
        """The model if it is in memory."""
        with self._lock:
            model = self._models.get(model_id)
            if model is not None:
                self._models.move_to_end(model_id)
            return model

    def loaded(self) -> list[str]:
        """Ids of the models in memory."""
        with self._lock:
            return list(self._models)

    def marks(self) -> Iterator[ShelfMark]:
        """Every model of the catalogue and the settings; looks at disks and perhaps the hub."""
        with self._lock:
            loaded = dict(self._models)
        for entry in all_models(self._extra):
            yield self.mark(entry, loaded.get(entry.id))

    def mark(self, entry: CatalogueEntry, loaded: LoadedModel | None) -> ShelfMark:
        """What is known of one model."""
        known = availability(entry, models_dir=self._settings.models_dir, hub=self._settings.hub)
        return ShelfMark(entry, known, loaded)

    def _entry(self, model_id: str) -> CatalogueEntry:
        known = {entry.id for entry in all_models(self._extra)}
        if self._settings.any_model and model_id not in known and HUB_ID.fullmatch(model_id):
            entry = entry_for(model_id)
            # A directory of that name here is the server's own business, not a caller's.
            if entry.directory is None:
                return entry
        return find(model_id, self._extra)
