"""What README and docs promise: the commands start, the examples work, nothing is missing."""

import json
import re
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from backend.app import create_app
from backend.settings import Settings
from mha_core.metrics.catalogue import METRICS
from tests.server_process import serving

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
DOCS = {path.name: path.read_text() for path in (ROOT / "docs").glob("*.md")}


@pytest.fixture(scope="module")
def client(models_dir: Path) -> Iterator[TestClient]:
    settings = Settings(models_dir=models_dir, hub=False)
    with TestClient(create_app(settings), "http://127.0.0.1:8000") as connected:
        yield connected


def test_make_run_starts_a_server_that_shows_the_page(models_dir: Path) -> None:
    with (
        serving(("make", "run"), models_dir=str(models_dir)) as address,
        urllib.request.urlopen(address) as page,
    ):
        assert b"<title>HeadScope</title>" in page.read()


def test_every_dependency_has_its_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    table = README.partition("## Dependencies")[2].partition("\n## ")[0]
    listed = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    names = {re.split(r"[=<>\[]", requirement)[0] for requirement in listed}
    missing = {name for name in names if name.lower() not in table.lower()}
    assert missing - {"types-pyyaml"} == set()


def test_every_benchmark_has_its_row() -> None:
    from benchmarks.__main__ import BENCHMARKS

    table = README.partition("## Speed")[2].partition("\n## ")[0]
    words = {
        "analysis": "whole analysis",
        "metrics": "all metrics",
        "clients": "clients at once",
        "payload": "bytes for",
        "paint": "painted",
        "hover": "move of the pointer",
        "first_load": "first visit",
    }
    assert set(words) == set(BENCHMARKS)
    assert all(said in table for said in words.values())


def metric_rows() -> list[str]:
    rows = []
    for metric in METRICS.values():
        called = f"{metric.called.label}: {metric.called.when}" if metric.called else ""
        rows.append(f"| `{metric.name}` | {metric.meaning} | {called} |")
    return rows


def test_the_table_of_metrics_is_the_catalogue() -> None:
    table = README.partition("## What is measured")[2].partition("\n## ")[0]
    assert "\n".join(metric_rows()) in table


def test_every_file_the_readme_names_exists() -> None:
    named = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["README.md", *sorted(DOCS)])
def test_every_curl_example_is_answered(client: TestClient, name: str) -> None:
    text = README if name == "README.md" else DOCS[name]
    bodies = re.findall(r"curl[^']*?(/api/v1/[\w/-]+).*?-d '(\{.*?\})'", text, re.DOTALL)
    if "curl -s" in text:
        assert bodies
    for path, body in bodies:
        answer = client.post(path, json=json.loads(body))
        assert answer.status_code in (200, 202), answer.text


def test_the_docs_list_every_path_and_error_code(client: TestClient) -> None:
    from backend.wire.errors import STATUS

    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path in paths:
        assert path.removeprefix("/api/v1") in DOCS["api.md"]
    internal = {"bad_dimensions", "bad_input"}
    assert {code for code in STATUS if f"`{code}`" not in DOCS["api.md"]} <= internal
