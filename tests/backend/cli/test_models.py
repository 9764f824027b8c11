"""The list of models fits a terminal, says each reason once, and comes without torch."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from backend.cli import models
from backend.cli.models import list_models, models_table
from backend.settings import Settings

UNREACHABLE = "The hub (https://hub.example) cannot be reached: the cable is cut"


@pytest.fixture
def listed(
    tmp_path: Path, model_directory: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> str:
    """What is printed on 80 columns where nothing is installed and the hub is silent."""
    monkeypatch.setattr(models, "hub_problem", lambda seconds: UNREACHABLE)
    monkeypatch.setattr(models, "start_probe", lambda: None)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    broken = Path(shutil.copytree(model_directory("bert"), tmp_path / "torn"))
    (broken / "config.json").write_text("{")
    extra = (str(broken), "an-organisation/with-a-model-of-a-rather-long-name")
    settings = Settings(models_dir=tmp_path / "none", extra_models=extra)
    console = Console(width=80)
    with console.capture() as capture:
        console.print(models_table(list_models(settings), settings.max_tokens))
    return capture.get()


def test_every_model_has_one_line_of_80_columns(listed: str) -> None:
    table = listed.split("\n\n")[0].splitlines()
    assert max(map(len, listed.splitlines())) <= 80
    assert len(table) == 2 + 9 + 2  # heading, catalogue, extra models
    states = {line.split()[0]: line.rstrip() for line in table[2:]}
    assert states["headscope-tiny"].endswith("ready")
    assert states["gpt2"].endswith("12 x 12    1024  MIT         not installed")
    assert states["torn"].endswith("broken")


def test_every_reason_is_given_once_with_the_models_it_concerns(listed: str) -> None:
    text = " ".join(listed.split())
    assert text.count("cannot be reached") == 1
    assert "Not installed: minilm, smollm2 Downloaded on first use." in text
    assert "Not installed: bert-base-uncased, gpt2, distilgpt2," in text
    assert f"an-organisation/with-a-model-of-a-rather-long-name {UNREACHABLE}" in text
    assert "Broken: torn torn cannot be read: its config.json is no JSON" in text
    assert text.endswith("To install one: headscope models get NAME")


def test_neither_help_nor_the_list_imports_torch(models_dir: Path, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "import backend.settings, mha_core.models.sources\n"
        "from backend.__main__ import main\n"
        "for sys.argv in (['headscope', '--help'], ['headscope', 'models']):\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as end:\n"
        "        assert not end.code, end.code\n"
        "slow = {'torch', 'transformers', 'numpy', 'fastapi', 'huggingface_hub.file_download'}\n"
        "assert not slow & set(sys.modules), slow & set(sys.modules)\n"
    )
    environment = {"HEADSCOPE_MODELS_DIR": str(models_dir), "HEADSCOPE_HUB": "false"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "gpt2-medium" in done.stdout
