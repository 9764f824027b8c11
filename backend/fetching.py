"""Fetching weights on the command line, with a progress bar. This file must not know servers."""

from collections.abc import Callable, Iterable

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from backend.settings import Settings
from mha_core.catalogue import entry_for
from mha_core.sources import find_here, obtain


def get_models(names: Iterable[str], settings: Settings) -> None:
    """Fetch each model that is not here; raises ModelUnavailable with what was tried."""
    extra = {entry.id: entry for entry in map(entry_for, settings.extra_models)}
    entries = [extra.get(name) or entry_for(name) for name in names]
    for entry in entries:
        if find_here(entry, settings.models_dir) is not None:
            Console().print(f"{entry.name}: here.", highlight=False)
            continue
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns) as bar:
            show = _shown_on(bar)
            source = obtain(entry, settings.models_dir, allow_hub=settings.hub, progress=show)
        Console().print(f"{entry.name}: {source.path}", highlight=False)


def _shown_on(bar: Progress) -> Callable[[str, int, int], None]:
    task = bar.add_task("", total=None)

    def show(message: str, done: int, total: int) -> None:
        bar.update(task, description=message, completed=done, total=total or None)

    return show
