"""Building an atlas on the command line, with a progress bar."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from backend.atlas.build_file import build_file
from backend.cli.fetch import find_model, get_model, show_progress
from backend.settings import Settings
from backend.wire.errors import CannotMeasure
from mha_core.atlas.build import plan_sections
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import Atlas, SectionName
from mha_core.atlas.storage import built_path, read_atlas, read_file
from mha_core.atlas.summary import AtlasSummary, SectionNull, summarize
from mha_core.atlas.treebank import find_splits
from mha_core.errors import InputError, UnreadableAtlas
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.loading import load

REMEDIES: dict[SectionName, str] = {
    "syntax": "give its directory with --treebank",
    "coreference": "give the .tsv file with --gap",
}


def build_atlas(
    model: str,
    corpora: Corpora,
    settings: Settings,
    *,
    only: Sequence[SectionName],
    seed: int,
    out: Path | None,
) -> None:
    """Measure every head of a model, section by section, and write its atlas."""
    _check_files(corpora)
    entry, settings = find_model(model, settings)
    get_model(entry, settings)
    path = out or built_path(entry.id, settings.models_dir)
    # Before the work, which may take long: the directory may not be writable.
    path.parent.mkdir(parents=True, exist_ok=True)
    loaded = load(entry, **settings.model_dump(include={"models_dir", "device", "dtype", "hub"}))
    sections = choose_sections(loaded.architecture.kind, corpora, only)
    columns = (TextColumn("{task.description}"), BarColumn())
    with show_progress(*columns, MofNCompleteColumn(), TimeElapsedColumn()) as report:
        atlas = build_file(
            path,
            loaded,
            corpora,
            sections=sections,
            earlier=_read_earlier(entry, settings, out),
            seed=seed,
            progress=report,
        )
    seconds = sum(atlas.sections[name].made.seconds for name in sections)
    _print_summary(summarize(atlas), path, seconds)


def choose_sections(
    kind: str, corpora: Corpora, only: Sequence[SectionName]
) -> tuple[SectionName, ...]:
    """The sections to build, printed with those left out; raises CannotMeasure for one asked."""
    plan = plan_sections(kind, corpora)
    needs = {
        name: f"{need}: {REMEDIES[name]}" if name in REMEDIES else need
        for name, need in plan.items()
        if need is not None
    }
    if missing := [(name, needs[name]) for name in only if name in needs]:
        raise CannotMeasure.of(missing)
    chosen = tuple(name for name in plan if name not in needs and (not only or name in only))
    console = Console()
    console.print(f"Measuring {', '.join(chosen)}.", highlight=False)
    for name, need in needs.items() if not only else ():
        console.print(f"Leaving out {name}: it {escape(need)}.", highlight=False, soft_wrap=True)
    return chosen


def _check_files(corpora: Corpora) -> None:
    """Refuse corpora that are not there, before anything is fetched or loaded."""
    if corpora.treebank is not None:
        find_splits(corpora.treebank)
    if corpora.gap is not None and not corpora.gap.is_file():
        raise InputError(f"{corpora.gap} is no file: name the .tsv file of the GAP corpus.")


def _read_earlier(entry: CatalogueEntry, settings: Settings, out: Path | None) -> Atlas | None:
    """The atlas whose other sections are kept: the one that is replaced, or that was shipped."""
    try:
        if out is None:
            return read_atlas(entry.id, settings.models_dir)
        return read_file(out, entry.id) if out.is_file() else None
    except UnreadableAtlas as error:
        console = Console(stderr=True)
        console.print(f"Replacing the old file: {escape(error.message)}", highlight=False)
        return None


def _print_summary(atlas: AtlasSummary, path: Path, seconds: float) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for role in atlas.roles:
        best, *others = role.heads
        more = f" (and {len(others)} more)" if others else ""
        console.print(f"[bold]L{best.layer} H{best.head}[/] {escape(best.evidence)}{more}")
    for null in atlas.nulls:
        console.print(escape(_describe_null(null)))
    counts = atlas.counts
    console.print(
        f"{path}: {counts.with_role} of {counts.heads} heads have a role, {counts.beyond_idle} "
        f"not counting sinks and delimiters. {seconds:.0f} s."
    )


def _describe_null(null: SectionNull) -> str:
    """How many roles were found where there are none."""
    runs = "1 run" if null.runs == 1 else f"{null.runs} runs"
    found = f"{null.section}, {null.id}: {null.roles} roles in {runs}"
    if not null.counts_as_false:
        return f"{found}, which may be real."
    return f"{found}; {null.expected:.2g} false roles expected, at most {null.upper:.2g} (95 %)."
