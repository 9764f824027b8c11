"""The `headscope` command: what it writes, what it says, and how it ends."""

import csv
import json
import re
import shutil
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from backend import __version__
from backend.__main__ import main
from mha_core.models.catalogue import CatalogueEntry

SENTENCE = "The animal didn't cross the street."


@dataclass(frozen=True)
class Ended:
    """How a command ended and all it said."""

    code: int
    said: str


Command = Callable[..., Ended]


@pytest.fixture
def headscope(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], models_dir: Path
) -> Command:
    """Runs the command in this process: its start alone would take seconds each time."""
    monkeypatch.setenv("HEADSCOPE_MODELS_DIR", str(models_dir))
    monkeypatch.setenv("HEADSCOPE_HUB", "false")
    monkeypatch.setenv("COLUMNS", "300")

    def run(*arguments: str, **environment: str) -> Ended:
        for name, value in environment.items():
            monkeypatch.setenv(f"HEADSCOPE_{name.upper()}", value)
        monkeypatch.setattr("sys.argv", ["headscope", *arguments])
        try:
            main()
            code, said = 0, ""
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
            said = end.code if isinstance(end.code, str) else ""
        captured = capsys.readouterr()
        return Ended(code, captured.out + captured.err + said)

    return run


def read_json(path: Path) -> np.ndarray:
    maps = json.loads(path.read_text())["attention"]
    return np.array([one["pattern"] for one in maps], np.float32)


def read_csv(path: Path) -> np.ndarray:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    n = max(int(row["key"]) for row in rows) + 1
    assert {row["query_text"] for row in rows} >= {"[CLS]", "animal", "."}
    return np.array([row["weight"] for row in rows], np.float32).reshape(-1, n, n)


def read_npz(path: Path) -> np.ndarray:
    with np.load(path) as arrays:
        maps = arrays["attention"]
    return maps.reshape(-1, *maps.shape[2:])


def read_safetensors(path: Path) -> np.ndarray:
    maps = load_file(path)["attention"]
    return maps.reshape(-1, *maps.shape[2:])


READERS = {
    ".npz": read_npz,
    ".json": read_json,
    ".csv": read_csv,
    ".safetensors": read_safetensors,
}


def test_attention_is_written_in_every_format_with_the_same_numbers(
    headscope: Command, tmp_path: Path
) -> None:
    maps = []
    for suffix, read in READERS.items():
        out = tmp_path / f"maps{suffix}"
        ended = headscope(
            "attention", SENTENCE, "--out", str(out), "--layers", "0,3", "--heads", "5"
        )
        assert ended.code == 0, ended.said
        assert "2 layers x 1 heads" in ended.said
        maps.append(read(out))
    assert maps[0].shape == (2, 11, 11)
    assert np.abs(maps[0].sum(-1) - 1).max() < 1e-5
    for other in maps[1:]:
        assert np.array_equal(maps[0], other)


def test_attention_of_all_heads_of_a_pair(headscope: Command, tmp_path: Path) -> None:
    out = tmp_path / "maps.npz"
    ended = headscope(
        *("attention", "One.", "--text-pair", "Two.", "--model", "minilm", "--out", str(out))
    )
    assert ended.code == 0
    assert read_npz(out).shape == (72, 7, 7)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--out", "maps.txt"), "choose a name with .json, .npz, .safetensors, .csv"),
        (("--out", "nowhere/maps.npz"), "There is no directory nowhere"),
        (("--out", "maps.npz", "--model", "bort"), "'bort' is neither a model"),
        (("--out", "maps.npz", "--layers", "99"), "no layer 99"),
        (("--out", "maps.npz", "--layers", "a"), "not a list of numbers like 0,2,5"),
        (("--out", "maps.npz", "--heads", "-1"), "heads"),
        (("--out", "maps.npz", "--model", "smollm2", "--text-pair", "b"), "takes one text"),
        (("--out", "maps.npz", "--model", "gpt2-medium"), "is not available"),
        ((), "--out"),
    ],
)
def test_what_cannot_be_done_is_told_in_words(
    arguments: tuple[str, ...],
    words: str,
    headscope: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = headscope("attention", "one", *arguments)
    assert ended.code != 0
    assert words in ended.said
    assert "Traceback" not in ended.said
    assert list(tmp_path.iterdir()) == []


def test_an_empty_text_is_told_in_words(headscope: Command, tmp_path: Path) -> None:
    ended = headscope("attention", " ", "--out", str(tmp_path / "maps.npz"))
    assert (ended.code, "no text" in ended.said) == (1, True)


def test_a_file_that_cannot_be_written_is_told_in_words(headscope: Command, tmp_path: Path) -> None:
    (tmp_path / "maps.npz").mkdir()
    ended = headscope("attention", "one", "--out", str(tmp_path / "maps.npz"))
    assert ended.code == 1
    assert "Cannot write" in ended.said


def test_models_tells_what_is_here_and_why_the_rest_is_not(headscope: Command) -> None:
    ended = headscope("models")
    assert ended.code == 0
    lines = {line.split()[0]: line for line in ended.said.splitlines() if line.strip()}
    assert "6 x 12" in lines["minilm"]
    assert "ready" in lines["minilm"]
    assert "30 x 9" in lines["smollm2"]
    assert "the settings do not allow the hub" in ended.said
    assert "gpt2-medium" in lines


def test_getting_a_model_that_is_here_says_so(headscope: Command) -> None:
    ended = headscope("models", "get", "minilm", "smollm2")
    assert ended.code == 0
    assert re.findall(r"/(\w+)$", ended.said, re.MULTILINE) == ["minilm", "smollm2"]


def test_getting_a_model_that_cannot_be_had_says_why(headscope: Command) -> None:
    ended = headscope("models", "get", "gpt2-medium")
    assert ended.code == 1
    assert "GPT-2 medium is not available" in ended.said
    ended = headscope("models", "get", "bort")
    assert ended.code == 1
    assert "bort" in ended.said


def test_getting_a_model_of_the_settings_finds_it_by_its_name(
    headscope: Command, model_directory: Callable[[str], Path]
) -> None:
    folder = model_directory("bert")
    ended = headscope("models", "get", folder.name, extra_models=str(folder))
    assert (ended.code, ended.said) == (0, f"{folder.name}: {folder}\n")


def test_a_directory_named_like_a_model_does_not_stand_in_for_it(
    headscope: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, models_dir: Path
) -> None:
    (tmp_path / "minilm").mkdir()
    monkeypatch.chdir(tmp_path)
    ended = headscope("models", "get", "minilm")
    assert (ended.code, ended.said.strip().endswith(str(models_dir / "minilm"))) == (0, True)


def test_the_maps_of_a_model_in_a_directory_are_written(
    headscope: Command, model_directory: Callable[[str], Path], tmp_path: Path
) -> None:
    folder, out = model_directory("bert"), tmp_path / "maps.npz"
    ended = headscope("attention", "One two.", "--out", str(out), "--model", str(folder))
    assert ended.code == 0, ended.said
    assert np.load(out)["attention"].shape[:2] == (2, 4)


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".html"])
def test_the_maps_of_one_stack_of_an_encoder_decoder_are_written(
    headscope: Command, model_directory: Callable[[str], Path], tmp_path: Path, suffix: str
) -> None:
    folder, out = model_directory("t5"), tmp_path / f"maps{suffix}"
    asked = ["attention", "One two.", "--text-pair", "Three.", "--out", str(out)]
    asked += ["--model", str(folder), "--heads", "1"]
    unnamed = headscope(*asked)
    assert (unnamed.code, "encoder, decoder, cross" in unnamed.said) == (1, True)
    ended = headscope(*asked, "--stack", "cross")
    assert ended.code == 0, ended.said
    # [CLS] one two . [SEP] are looked at from the start token, [CLS], three and the full stop.
    if suffix == ".npz":
        assert np.load(out)["attention"].shape == (3, 1, 4, 5)
    elif suffix == ".csv":
        lines = out.read_text(encoding="utf-8").splitlines()[1:]
        assert len(lines) == 3 * 4 * 5
        assert lines[-1].startswith("2,1,8,4,.,[SEP],")
    else:
        assert "Three" in out.read_text(encoding="utf-8")


def test_an_atlas_without_a_treebank_is_told_in_words(headscope: Command, tmp_path: Path) -> None:
    ended = headscope("atlas", "build", "headscope-tiny", "--treebank", str(tmp_path))
    assert ended.code == 1
    assert "dev" in ended.said
    assert "Traceback" not in ended.said


def test_the_atlas_command_explains_itself(headscope: Command) -> None:
    assert "build" in headscope("atlas").said
    said = headscope("atlas", "build", "--help").said
    assert "--treebank" in said
    assert "coreference" in said


def test_a_section_that_an_atlas_does_not_have_is_refused(headscope: Command) -> None:
    ended = headscope("atlas", "build", "headscope-tiny", "--only", "semantics")
    assert ended.code == 2
    assert "'semantics' is not one of surface" in ended.said


def test_corpora_of_the_settings_serve_the_command_too(headscope: Command, tmp_path: Path) -> None:
    ended = headscope("atlas", "build", "headscope-tiny", treebank=str(tmp_path / "nowhere"))
    assert ended.code == 1
    assert "nowhere is no directory" in " ".join(ended.said.split())


def test_doctor_tells_versions_device_memory_and_what_will_run(headscope: Command) -> None:
    ended = headscope("doctor")
    assert ended.code == 0
    for word in (__version__, "torch", "transformers", "Python", "devices", "cpu", "GB free"):
        assert word in ended.said
    will_run = next(line for line in ended.said.splitlines() if "will run" in line)
    assert "minilm" in will_run
    assert "smollm2" in will_run


def test_doctor_ends_badly_where_the_device_is_not_there(headscope: Command) -> None:
    ended = headscope("doctor", device="cuda:99")
    assert ended.code == 1
    assert "There is no device 'cuda:99'" in ended.said


def test_doctor_says_how_to_get_what_is_missing(headscope: Command, tmp_path: Path) -> None:
    ended = headscope("doctor", models_dir=str(tmp_path))
    assert ended.code == 0, "HeadScope's own model is always here"
    assert "headscope models get" in ended.said


def test_serving_on_a_busy_port_says_so(headscope: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        ended = headscope("serve", "--no-open", "--port", str(busy.getsockname()[1]))
    assert ended.code == 1
    assert "choose another port with --port" in ended.said
    assert "Traceback" not in ended.said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("serve", "--device", "cuda:99"), "There is no device 'cuda:99'"),
        (("serve", "--dtype", "int8"), "dtype: Input should be 'float32'"),
        (("serve", "--extra-models", "no such model"), "'no such model' is neither"),
        (("serve", "--port", "99999"), "port: Input should be less than or equal to 65535"),
    ],
)
def test_settings_that_cannot_work_are_told_in_words(
    arguments: tuple[str, ...], words: str, headscope: Command
) -> None:
    ended = headscope(*arguments, "--no-open")
    assert ended.code == 1
    assert words in ended.said
    assert "Traceback" not in ended.said


def test_a_bad_environment_is_told_in_words(headscope: Command) -> None:
    ended = headscope("models", port="web")
    assert ended.code == 1
    assert "port: Input should be a valid integer" in ended.said


def test_without_a_command_the_help_is_shown(headscope: Command) -> None:
    ended = headscope()
    for command in ("serve", "models", "attention", "doctor"):
        assert command in ended.said


def test_getting_a_damaged_model_fetches_it_again(
    headscope: Command, models_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(models_dir / "minilm", tmp_path / "minilm")
    (tmp_path / "minilm" / "vocab.txt").write_text("damaged")
    fetched: list[str] = []

    def fetch(entry: CatalogueEntry, models_dir: Path, progress: object) -> Path:
        fetched.append(entry.id)
        return models_dir / entry.id

    monkeypatch.setattr("mha_core.models.sources.fetch", fetch)
    out = str(tmp_path / "maps.npz")
    refused = headscope("attention", "one", "--out", out, models_dir=str(tmp_path))
    assert (refused.code, fetched) == (1, [])
    assert "vocab.txt of MiniLM" in refused.said
    assert "headscope models get minilm" in refused.said
    assert headscope("models", "get", "minilm", models_dir=str(tmp_path)).code == 0
    assert fetched == ["minilm"]
