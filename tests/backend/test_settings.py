"""Every setting by its name in the environment, and in the README."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from backend.settings import Settings

README = Path(__file__).parents[2] / "README.md"
NAMES = list(Settings.model_fields)


def variable(name: str) -> str:
    return f"HEADSCOPE_{name.upper()}"


def default(name: str) -> str:
    """A setting's default as the environment would say it."""
    value = Settings.model_fields[name].get_default(call_default_factory=True)
    if isinstance(value, Path):
        return f"~/{value.relative_to(Path.home())}" if value.is_relative_to(Path.home()) else ""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ",".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


OTHER: dict[str, tuple[str, Any]] = {
    "host": ("0.0.0.0", "0.0.0.0"),
    "port": ("0", 0),
    "open": ("false", False),
    "log_level": ("debug", "debug"),
    "allowed_hosts": ("a.lan, b.lan", ("a.lan", "b.lan")),
    "allowed_origins": ("https://a.example,", ("https://a.example",)),
    "default_model": ("smollm2", "smollm2"),
    "models_dir": ("/models", Path("/models")),
    "runs_dir": ("/runs", Path("/runs")),
    "fetch": ("gpt2, minilm", ("gpt2", "minilm")),
    "extra_models": ("org/name,./mine", ("org/name", "./mine")),
    "any_model": ("true", True),
    "hub": ("0", False),
    "treebank": ("/corpora/ud", Path("/corpora/ud")),
    "gap": ("/corpora/gap.tsv", Path("/corpora/gap.tsv")),
    "device": ("cuda:1", "cuda:1"),
    "dtype": ("bfloat16", "bfloat16"),
    "max_tokens": ("64", 64),
    "max_characters": ("640", 640),
    "max_texts": ("20", 20),
    "max_corpus_characters": ("2000", 2000),
    "max_json_cells": ("6400", 6400),
    "max_array_cells": ("64000", 64000),
    "workers": ("1", 1),
    "cache_mb": ("0", 0),
    "max_models": ("1", 1),
}


def test_the_table_above_has_every_setting() -> None:
    assert set(OTHER) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_read_from_the_environment(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, value = OTHER[name]
    monkeypatch.setenv(variable(name), text)
    assert getattr(Settings(), name) == value
    assert getattr(Settings(**{name: value}), name) == value


def test_an_empty_list_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSCOPE_ALLOWED_HOSTS", "")
    assert Settings().allowed_hosts == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_lists_every_setting_with_its_default_and_meaning(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    row = next((r for r in README.read_text().splitlines() if f"| `{variable(name)}` |" in r), None)
    assert row is not None, f"README.md lacks {variable(name)}"
    described = Settings.model_fields[name].description
    assert row == f"| `{variable(name)}` | `{default(name)}` | {described} |"


def test_the_readme_names_no_setting_that_is_gone() -> None:
    rows = [row for row in README.read_text().splitlines() if row.startswith("| `HEADSCOPE_")]
    assert [row.split("`")[1] for row in rows] == [variable(name) for name in NAMES]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("port", "70000", "less than or equal to 65535"),
        ("port", "web", "valid integer"),
        ("dtype", "int8", "'float32', 'float16' or 'bfloat16'"),
        ("workers", "0", "greater than or equal to 1"),
        ("cache_mb", "-1", "greater than or equal to 0"),
        ("open", "perhaps", "valid boolean"),
        ("log_level", "loud", "'debug', 'info', 'warning' or 'error'"),
    ],
)
def test_a_bad_value_is_refused_in_clear_words(
    name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable(name), value)
    with pytest.raises(ValidationError, match=words):
        Settings()


def test_settings_do_not_change_once_made() -> None:
    with pytest.raises(ValidationError):
        Settings().port = 1


def test_by_default_the_server_is_private() -> None:
    assert Settings().host == "127.0.0.1"
    assert Settings().allowed_hosts == Settings().allowed_origins == ()
    assert Settings().any_model is False
