"""Fetching weights on the command line, with a progress bar."""

from collections.abc import Callable

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from backend.settings import Settings
from mha_core.models.catalogue import CatalogueEntry, all_models, entry_for
from mha_core.models.checksums import damaged_files
from mha_core.models.sources import Source, find_here, obtain


def named(spec: str, settings: Settings) -> tuple[CatalogueEntry, Settings]:
    """The model meant on the command line, and settings that include it.

    A model of the settings, else a directory or a hub id, which the command line may always name.
    """
    known = {entry.id: entry for entry in all_models(map(entry_for, settings.extra_models))}
    if spec in known:
        return known[spec], settings
    extra = (*settings.extra_models, spec)
    return entry_for(spec), settings.model_copy(update={"extra_models": extra})


def get_model(entry: CatalogueEntry, settings: Settings, *, verify: bool = False) -> Source:
    """The model's files, fetched if they are not here, or if they fail to `verify`."""
    here = find_here(entry, settings.models_dir)
    if here is not None and not (verify and here.path.is_dir() and damaged_files(here.path)):
        return here
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns) as bar:
        progress = shown_on(bar)
        return obtain(
            entry, settings.models_dir, allow_hub=settings.hub, progress=progress, verify=verify
        )


def shown_on(bar: Progress) -> Callable[[str, int, int], None]:
    """A `Progress` of our own that moves a bar."""
    task = bar.add_task("", total=None)

    def report(message: str, done: int, total: int) -> None:
        bar.update(task, description=message, completed=done, total=total or None)

    return report
