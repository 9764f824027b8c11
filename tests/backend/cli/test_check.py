"""`headscope doctor --check`: a row for each installed model, advice below it, the exit code."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
import torch
from rich.console import Console
from safetensors.torch import load_file, save_file

from backend.__main__ import main
from backend.cli.check import advise, check_models, explain, parity_table
from backend.settings import Settings
from mha_core.attention import attention_weights
from mha_core.models.parity import Parity
from mha_core.stacks import Site

SAME = Parity("eager", torch.device("cpu"), torch.float32, 1, 8, 1e-6, Site(0), 0, 1e-6, 0.1, 1.0)
DIFFERENT = replace(SAME, difference=0.3, n_stacks=3, site=Site(11, "decoder"), head=15)


def say(*shown: object) -> str:
    written = StringIO()
    Console(width=80, file=written).print(*shown, sep="\n", highlight=False)
    return written.getvalue()


@pytest.fixture
def settings(
    settings_for: Callable[..., Settings], model_directory: Callable[[str], Path], tmp_path: Path
) -> Settings:
    """The built-in model and two small ones; nothing else is installed."""
    folders = [str(model_directory(family)) for family in ("bert", "bart")]
    return settings_for(models_dir=tmp_path / "models", extra_models=tuple(folders))


def row_of(said: str, name: str) -> list[str]:
    return next(line.split() for line in said.splitlines() if line.startswith(name))


def test_every_installed_model_has_a_row(settings: Settings) -> None:
    report, healthy = check_models(settings)
    said = say(report)
    assert healthy
    assert f"in {settings.dtype}. Up to 0.0001" in " ".join(said.split())
    names = [Path(folder).name for folder in settings.extra_models]
    assert row_of(said, names[0])[1:3] == ["8", "eager"]
    assert row_of(said, names[1])[1:3] == ["20", "eager"]
    assert row_of(said, "headscope-tiny")[1:3] == ["16", "formula"]
    assert "HeadScope's own model has no eager attention" in said
    assert said.count(" same") == 3
    assert "gpt2" not in said, "it is not installed"
    assert "report it" not in said


def test_wrong_maps_are_told_with_advice(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "mha_core.tap.attention_weights",
        lambda q, k, mask, scale, workspace: attention_weights(q, k, mask, scale * 3, workspace),
    )
    report, healthy = check_models(settings)
    said = say(report)
    assert not healthy
    assert said.count("differs") == 3
    expected = "TF32" if "cuda" in settings.device else "These maps cannot be trusted"
    assert expected in said


def test_a_model_that_cannot_be_loaded_does_not_stop_the_others(
    settings: Settings, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(settings.extra_models[0], broken)
    weights = load_file(broken / "model.safetensors")
    weights.pop("embeddings.word_embeddings.weight")
    save_file(weights, broken / "model.safetensors", metadata={"format": "pt"})
    report, healthy = check_models(
        settings.model_copy(update={"extra_models": (str(broken), *settings.extra_models)})
    )
    said = say(report)
    assert not healthy
    assert row_of(said, "broken ")[-1] == "failed"
    assert "broken: " in said
    assert "lacks 1 weights of its model" in " ".join(said.split())
    assert said.count(" same") == 3


@pytest.mark.parametrize(
    ("error", "words"),
    [(RuntimeError("no kernel\nat line 3"), "no kernel"), (RuntimeError(), "RuntimeError")],
)
def test_a_comparison_that_fails_is_told_in_one_line(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    def fail(_: object) -> Parity:
        raise error

    monkeypatch.setattr("backend.cli.check.check_parity", fail)
    report, healthy = check_models(settings)
    said = say(report)
    assert not healthy
    assert said.count("failed") == 3
    assert f": {words}\n" in said
    assert "line 3" not in said


def test_the_command_ends_badly_only_where_something_differs(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEADSCOPE_MODELS_DIR", str(settings.models_dir))
    monkeypatch.setenv("HEADSCOPE_HUB", "false")
    for parity, code in ((SAME, 0), (DIFFERENT, 1)):
        monkeypatch.setattr("backend.cli.check.check_parity", lambda _, parity=parity: parity)
        for arguments, expected in ((["doctor", "--check"], code), (["doctor"], 0)):
            monkeypatch.setattr("sys.argv", ["headscope", *arguments])
            with pytest.raises(SystemExit) as ended:
                main()
            assert ended.value.code == expected
            assert ("verdict" in capsys.readouterr().out) == ("--check" in arguments)


def test_a_device_that_is_not_there_is_told_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HEADSCOPE_DEVICE", "cuda:99")
    monkeypatch.setenv("HEADSCOPE_HUB", "false")
    monkeypatch.setattr("sys.argv", ["headscope", "doctor", "--check"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().out.count("There is no device") == 1


def test_the_table_fits_80_columns_with_long_names_and_large_numbers() -> None:
    slow = replace(DIFFERENT, n_maps=12345, ratio=12.34)
    said = say(parity_table({"a-model-with-quite-a-long-name-of-its-own": slow, "b": "gone"}))
    assert all(len(line) <= 80 for line in said.splitlines())
    row = row_of(said, "a-mo")
    assert " ".join(row[1:]) == "12345 eager 3.0e-01 decoder L11 H15 1.0e-06 12.34x differs"
    assert row_of(said, "b ")[-1] == "failed"


@pytest.mark.parametrize(
    ("device", "dtype", "words"),
    [
        ("cpu", torch.float32, "report it with this output"),
        ("cpu", torch.bfloat16, "bfloat16 may be too coarse"),
        ("cuda", torch.float16, "--dtype float32"),
        ("cuda", torch.float32, "NVIDIA_TF32_OVERRIDE=0"),
        ("mps", torch.float32, "--device cpu"),
        ("mps", torch.float16, "--device cpu"),
    ],
)
def test_a_difference_has_advice_for_its_device(
    device: str, dtype: torch.dtype, words: str
) -> None:
    found = replace(DIFFERENT, device=torch.device(device), dtype=dtype)
    assert [words in line for line in advise(found)] == [True]
    assert advise(replace(found, difference=0.0)) == []


@pytest.mark.parametrize(
    ("device", "dtype", "words"),
    [
        ("cpu", torch.float32, "using the cores"),
        ("cpu", torch.float16, "CPUs compute slowly in float16"),
        ("cuda", torch.float16, "using the GPU"),
    ],
)
def test_slow_maps_have_advice_unless_the_pass_is_too_short_to_tell(
    device: str, dtype: torch.dtype, words: str
) -> None:
    slow = replace(SAME, device=torch.device(device), dtype=dtype, ratio=2.0)
    assert [words in line for line in advise(slow)] == [True]
    assert advise(replace(slow, bare_seconds=0.002)) == []
    assert advise(replace(slow, ratio=1.4)) == []


def test_advice_for_several_models_is_given_once() -> None:
    lines = explain({"a": DIFFERENT, "b": SAME, "c": DIFFERENT})
    assert len(lines) == 1
    assert lines[0].plain.startswith("\na, c: ")
