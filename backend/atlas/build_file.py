"""Building an atlas into its file, for the server and the command line alike."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from backend.wire.errors import BuildRunning
from mha_core.atlas.build import build
from mha_core.atlas.corpora import Corpora
from mha_core.atlas.record import Atlas, SectionName
from mha_core.atlas.storage import partial_results_path, write_atlas
from mha_core.models.loading import LoadedModel
from mha_core.progress import Progress


def build_file(
    path: Path,
    model: LoadedModel,
    corpora: Corpora,
    *,
    sections: Sequence[SectionName],
    earlier: Atlas | None,
    seed: int = 0,
    progress: Progress,
) -> Atlas:
    """Measure sections and write the file after each; whoever is interrupted, the next continues.

    Raises BuildRunning while another process builds the same file.
    """
    directory = partial_results_path(path)
    with _lock(directory, model.entry.id):
        return build(
            model,
            corpora,
            directory=directory,
            only=sections,
            earlier=earlier,
            seed=seed,
            progress=progress,
            on_section=lambda atlas: write_atlas(atlas, path),
        )


@contextmanager
def _lock(directory: Path, model_id: str) -> Iterator[None]:
    directory.mkdir(parents=True, exist_ok=True)
    lock = FileLock(directory / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise BuildRunning.of(model_id) from error
    try:
        yield
    finally:
        lock.release()
