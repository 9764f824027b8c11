"""Weights are kept in the user's own data directory."""

import sys
from pathlib import Path

import pytest

from mha_core.models.models_dir import default_models_dir


def test_the_default_directory_is_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_models_dir() == tmp_path / "headscope" / "models"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_models_dir() == Path.home() / ".local" / "share" / "headscope" / "models"
