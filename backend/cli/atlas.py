"""Building an atlas on the command line, with a progress bar. This file must not know HTTP."""

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from backend.cli.fetch import get_model, named, shown_on
from backend.settings import Settings
from mha_core.atlas.build import build
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import Atlas, built_path, write_atlas
from mha_core.models.loading import load


def build_atlas(
    model: str, corpora: Corpora, settings: Settings, *, seed: int, out: Path | None
) -> None:
    """Measure every head of a model on the corpora and keep what was found."""
    entry, settings = named(model, settings)
    get_model(entry, settings)
    path = out or built_path(entry.id, settings.models_dir)
    # Told before the work, which may take long: a place that cannot be written.
    path.parent.mkdir(parents=True, exist_ok=True)
    loaded = load(
        entry,
        models_dir=settings.models_dir,
        device=settings.device,
        dtype=settings.dtype,
        hub=settings.hub,
    )
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns) as bar:
        notes = path.with_name(f"{path.stem}.notes")
        atlas = build(loaded, corpora, notes=notes, seed=seed, progress=shown_on(bar))
    write_atlas(atlas, path)
    _tell(atlas, path)


def _tell(atlas: Atlas, path: Path) -> None:
    console, document = Console(), atlas.document
    for role in document["roles"]:
        best = role["heads"][0]
        name = f"L{best['layer']} H{best['head']}"
        others = f" (and {len(role['heads']) - 1} more)" if len(role["heads"]) > 1 else ""
        console.print(f"[bold]{name}[/] {escape(best['evidence'])}{others}", highlight=False)
    with_role = {
        (head["layer"], head["head"]) for role in document["roles"] for head in role["heads"]
    }
    console.print(
        f"{path}: {len(with_role)} of {len(atlas.heads)} heads have a role; the randomly "
        f"initialised control has {len(document['control']['roles'])} roles. "
        f"{document['made']['seconds']:.0f} s.",
        highlight=False,
        soft_wrap=True,
    )
