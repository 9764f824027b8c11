"""The models in memory: loaded once however many ask, the least recently used put away.

Called from worker threads. This file must not know HTTP, texts or analyses.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from backend.settings import Settings
from mha_core.errors import Cancelled
from mha_core.models.catalogue import CatalogueEntry, all_models, entry_for, find, hub_entry
from mha_core.models.loading import Availability, LoadedModel, availability, load
from mha_core.progress import Progress, silent

SECONDS_BETWEEN_NEWS = 0.2


@dataclass(frozen=True)
class ShelfMark:
    """What is known of a model without loading it."""

    entry: CatalogueEntry
    availability: Availability
    loaded: LoadedModel | None


@dataclass
class Loading:
    """A model on its way: who holds the lock loads it, the others wait and hear the news."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    news: tuple[str, int, int] = ("Waiting for the model", 0, 0)


class Shelf:
    """Loaded models, shared by all threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._extra = tuple(entry_for(spec) for spec in settings.extra_models)
        self._models: OrderedDict[str, LoadedModel] = OrderedDict()
        self._lock = threading.Lock()
        self._loading: dict[str, Loading] = {}
        self._closed = threading.Event()

    def get(self, model_id: str, progress: Progress | None = None) -> LoadedModel:
        """The model, loaded now if need be; raises UnknownModel, ModelUnavailable, ModelFailed."""
        tell = progress or silent
        entry = self.entry(model_id)
        if (model := self.peek(entry.id)) is not None:
            return model  # who holds the lock below has no news for whoever finds it here
        with self._lock:
            loading = self._loading.setdefault(entry.id, Loading())
        # One lock a model: a slow download holds up only those who want that same model.
        while not loading.lock.acquire(timeout=SECONDS_BETWEEN_NEWS):
            tell(*loading.news)
        try:
            return self.peek(entry.id) or self._load(entry, loading, tell)
        finally:
            loading.lock.release()

    def _load(self, entry: CatalogueEntry, loading: Loading, tell: Progress) -> LoadedModel:
        def pass_on(*news: Any) -> None:  # noqa: ANN401 (what a Progress takes)
            loading.news = news
            if self._closed.is_set():
                raise Cancelled("The server is shutting down.")
            # Whoever asked may have gone; the model is wanted all the same, often by the next
            # question of the same person, who only typed on.
            with suppress(Cancelled):
                tell(*news)

        model = load(
            entry,
            models_dir=self._settings.models_dir,
            device=self._settings.device,
            dtype=self._settings.dtype,
            hub=self._settings.hub,
            progress=pass_on,
            make_room=lambda: self._keep_only(self._settings.max_models - 1),
        )
        with self._lock:
            self._models[entry.id] = model
        self._keep_only(self._settings.max_models)  # another may have been loaded meanwhile
        return model

    def _keep_only(self, n_models: int) -> None:
        with self._lock:
            while len(self._models) > n_models:
                self._models.popitem(last=False)

    def close(self) -> None:
        """Stop what is being fetched or loaded."""
        self._closed.set()

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
        models_dir, hub = self._settings.models_dir, self._settings.hub
        for entry in all_models(self._extra):
            known = availability(entry, models_dir=models_dir, hub=hub)
            yield ShelfMark(entry, known, loaded.get(entry.id))

    def entry(self, model_id: str) -> CatalogueEntry:
        """The model of that name that a caller may use; raises UnknownModel."""
        known = {entry.id for entry in all_models(self._extra)}
        # Not `entry_for`: a directory of that name here is not a caller's business.
        if self._settings.any_model and model_id not in known:
            return hub_entry(model_id) or find(model_id, self._extra)
        return find(model_id, self._extra)

    find_entry, loaded_model = entry, peek
