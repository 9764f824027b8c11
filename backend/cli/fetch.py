"""Fetching weights on the command line, with a progress bar."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.progress import Progress, ProgressColumn

from backend.settings import Settings
from mha_core.errors import UnknownRun
from mha_core.learn.runs import find_model as find_trained
from mha_core.models.catalogue import CatalogueEntry, all_models, entry_for
from mha_core.models.sources import Source, obtain


def find_model(spec: str, settings: Settings) -> tuple[CatalogueEntry, Settings]:
    """The model meant on the command line, and settings that include it.

    A model of the settings or of a training run, else a directory or a hub id, which the command
    line may always name.
    """
    known = {entry.id: entry for entry in all_models(map(entry_for, settings.extra_models))}
    if spec in known:
        return known[spec], settings
    with suppress(UnknownRun):
        return find_trained(spec, settings.runs_dir), settings
    extra = (*settings.extra_models, spec)
    return entry_for(spec), settings.model_copy(update={"extra_models": extra})


def get_model(entry: CatalogueEntry, settings: Settings, *, verify: bool = False) -> Source:
    """The model's files, fetched if they are not here, or if they fail to `verify`."""
    with show_progress() as report:
        return obtain(
            entry, settings.models_dir, allow_hub=settings.hub, progress=report, verify=verify
        )


@contextmanager
def show_progress(*columns: ProgressColumn) -> Iterator[Callable[[str, int, int], None]]:
    """A callback that moves a bar; without a call there is no bar."""
    bar = Progress(*columns)
    task = bar.add_task("", total=None)

    def report(message: str, done: int, total: int) -> None:
        bar.start()
        bar.update(task, description=message, completed=done, total=total or None)

    try:
        yield report
    finally:
        if bar.live.is_started:
            bar.stop()
