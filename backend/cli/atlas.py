"""Building an atlas on the command line, with a progress bar."""

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from backend.cli.fetch import find_model, get_model, show_progress
from backend.settings import Settings
from mha_core.atlas.build import build
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import Atlas
from mha_core.atlas.storage import built_path, write_atlas
from mha_core.models.loading import load


def build_atlas(
    model: str, corpora: Corpora, settings: Settings, *, seed: int, out: Path | None
) -> None:
    """Measure every head of a model on the corpora and write its atlas."""
    entry, settings = find_model(model, settings)
    get_model(entry, settings)
    path = out or built_path(entry.id, settings.models_dir)
    # Before the work, which may take long: the directory may not be writable.
    path.parent.mkdir(parents=True, exist_ok=True)
    loaded = load(entry, **settings.model_dump(include={"models_dir", "device", "dtype", "hub"}))
    partial = path.with_name(f"{path.stem}.partial-results")
    description = TextColumn("{task.description}")
    columns = (description, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with show_progress(*columns) as report:
        atlas = build(loaded, corpora, partial_results=partial, seed=seed, progress=report)
    write_atlas(atlas, path)
    _print_roles(atlas, path)


def _print_roles(atlas: Atlas, path: Path) -> None:
    console = Console()
    for role in atlas.roles:
        best, *others = role.heads
        more = f" (and {len(others)} more)" if others else ""
        line = f"[bold]L{best.layer} H{best.head}[/] {escape(best.evidence)}{more}"
        console.print(line, highlight=False)
    with_role = {(head.layer, head.head) for role in atlas.roles for head in role.heads}
    console.print(
        f"{path}: {len(with_role)} of {len(atlas.heads)} heads have a role; the randomly "
        f"initialised control has {len(atlas.control.roles)} roles. {atlas.made.seconds:.0f} s.",
        highlight=False,
        soft_wrap=True,
    )
