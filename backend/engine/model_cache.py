"""The models in memory: each loaded once however many ask, the least recently used evicted."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cachetools import Cache, LRUCache

from backend.settings import Settings
from mha_core.errors import Cancelled, UnknownRun
from mha_core.learn.runs import find_model as find_trained
from mha_core.learn.runs import run_models
from mha_core.models.catalogue import CatalogueEntry, all_models, entry_for, find, hub_entry
from mha_core.models.loading import Availability, LoadedModel, availability, load
from mha_core.progress import Progress, silent

SECONDS_BETWEEN_REPORTS = 0.2


@dataclass(frozen=True)
class ListedModel:
    """What is known of a model without loading it."""

    entry: CatalogueEntry
    availability: Availability
    loaded: LoadedModel | None


@dataclass
class _Loading:
    """A model that is being loaded: who holds the lock loads it, others wait and see progress."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    progress: tuple[str, int, int] = ("Waiting for the model", 0, 0)


class ModelCache:
    """Loaded models, shared by all threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._extra = tuple(entry_for(spec) for spec in settings.extra_models)
        self._models: LRUCache[str, LoadedModel] = LRUCache(settings.max_models)
        self._lock = threading.Lock()
        self._loading: dict[str, _Loading] = {}
        self._closed = threading.Event()

    def get(
        self,
        model_id: str,
        report: Progress = silent,
        check: Callable[[], None] = lambda: None,
    ) -> LoadedModel:
        """The model, loaded now if need be; raises UnknownModel, ModelUnavailable, ModelFailed.

        `check` gives up waiting for a load that another caller started, by raising.
        """
        entry = self.find_entry(model_id)
        if (model := self.loaded_model(entry.id)) is not None:
            return model
        with self._lock:
            loading = self._loading.setdefault(entry.id, _Loading())
        # One lock a model: a slow download holds up only those who want that same model.
        while not loading.lock.acquire(timeout=SECONDS_BETWEEN_REPORTS):
            check()
            report(*loading.progress)
        try:
            return self.loaded_model(entry.id) or self._load(entry, loading, report)
        finally:
            loading.lock.release()

    def _load(self, entry: CatalogueEntry, loading: _Loading, report: Progress) -> LoadedModel:
        def pass_on(*progress: Any) -> None:  # noqa: ANN401 (what a Progress takes)
            loading.progress = progress
            if self._closed.is_set():
                raise Cancelled("The server is shutting down.")
            # Whoever asked may have gone; the model is wanted all the same, often by the next
            # question of the same person, who only typed on.
            with suppress(Cancelled):
                report(*progress)

        model = load(
            entry,
            models_dir=self._settings.models_dir,
            device=self._settings.device,
            dtype=self._settings.dtype,
            hub=self._settings.hub,
            progress=pass_on,
            make_room=self._make_room,
        )
        with self._lock:
            self._models[entry.id] = model  # evicts another where too many were loaded meanwhile
        return model

    def _make_room(self) -> None:
        """Evict models until one more fits, before its weights come into memory."""
        with self._lock:
            while len(self._models) >= self._models.maxsize:
                self._models.popitem()

    def close(self) -> None:
        """Stop what is being fetched or loaded."""
        self._closed.set()

    def loaded_model(self, model_id: str) -> LoadedModel | None:
        """The model if it is in memory."""
        with self._lock:
            return self._models.get(model_id)

    def loaded_ids(self) -> list[str]:
        with self._lock:
            return list(self._models)

    def list_models(self) -> Iterator[ListedModel]:
        """Every model of the catalogue, settings and runs; looks at disks and perhaps the hub."""
        models_dir, hub = self._settings.models_dir, self._settings.hub
        trained = run_models(self._settings.runs_dir)
        for entry in (*all_models(self._extra), *trained):
            known = availability(entry, models_dir=models_dir, hub=hub)
            with self._lock:
                here = entry.id in self._models
                # Past the LRU's own method: to be listed is no use.
                loaded = Cache.__getitem__(self._models, entry.id) if here else None
            yield ListedModel(entry, known, loaded)

    def find_entry(self, model_id: str) -> CatalogueEntry:
        """The model of that name that a caller may use; raises UnknownModel."""
        known = {entry.id for entry in all_models(self._extra)}
        # Not `entry_for`: a directory of that name here is not a caller's business.
        if model_id in known:
            return find(model_id, self._extra)
        try:
            return find_trained(model_id, self._settings.runs_dir)
        except UnknownRun:
            hub = hub_entry(model_id) if self._settings.any_model else None
            return hub or find(model_id, (*self._extra, *run_models(self._settings.runs_dir)))
