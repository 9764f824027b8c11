"""An option of the command line for each setting."""

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from backend.__main__ import app as headscope
from backend.cli.options import with_settings
from backend.settings import Settings

FIELDS = Settings.model_fields


@pytest.fixture(scope="module")
def help_text() -> str:
    result = CliRunner().invoke(headscope, ["serve", "--help"], env={"COLUMNS": "300"})
    assert result.exit_code == 0
    return re.sub(r"\x1b\[[0-9;]*m", "", result.output)


def run(*arguments: str) -> Settings | None:
    """The settings a command gets from these arguments; None when it is never called."""
    got: list[Settings] = []
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(with_settings(got.append))
    CliRunner().invoke(app, list(arguments))
    return got[0] if got else None


@pytest.mark.parametrize("name", FIELDS)
def test_every_setting_is_an_option_with_its_meaning(name: str, help_text: str) -> None:
    assert f"--{name.replace('_', '-')}" in help_text
    assert FIELDS[name].description in help_text


def test_nothing_given_leaves_all_to_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSCOPE_PORT", "1234")
    assert run() == Settings()
    assert run().port == 1234  # type: ignore[union-attr]


def test_an_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSCOPE_PORT", "1234")
    got = run("--port", "0", "--no-open", "--extra-models", "a/b,c/d", "--models-dir", "/m")
    assert got is not None
    assert (got.port, got.open, got.extra_models) == (0, False, ("a/b", "c/d"))
    assert got.models_dir == Path("/m")


def test_a_value_of_the_wrong_type_is_refused() -> None:
    assert run("--port", "web") is None
    assert run("--dtype", "int8") is None
