"""The built wheel holds all that HeadScope needs, whatever an editable install hides."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.server_process import serving

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel, which sees dependencies but no sources."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(wheel, check=True, cwd=folder)
    [built] = folder.glob("headscope-*.whl")
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    python = str(programs / "python")
    subprocess.run([*pip, "--python", python, "install", "--quiet", "--no-deps", str(built)],
                   check=True, cwd=folder)  # fmt: skip
    # A path in a .pth file is searched, but .pth files in it, as of an editable install, are not
    # read: so this finds torch and the rest, and HeadScope only in the wheel.
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return programs


@pytest.fixture(scope="module")
def server(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server from the wheel, started in another directory and with no models of its own."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    command = (str(installed / "headscope"), "serve")
    settings = {"models_dir": str(elsewhere / "models"), "fetch": "", "default_model": "x"}
    with serving(command, cwd=elsewhere, **settings) as address:
        yield address


def ask(server: str, path: str, **body: Any) -> Any:  # noqa: ANN401
    request = Request(f"{server}{path}", headers={"Content-Type": "application/json"})
    with urlopen(request, json.dumps(body).encode() if body else None) as answer:
        content = answer.read()
    return json.loads(content) if "json" in answer.headers["content-type"] else content.decode()


def test_the_command_comes_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = "import backend, mha_core, frontend; print(backend.__file__, mha_core.__file__)"
    found = subprocess.run(
        [installed / "python", "-c", where],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(ROOT) not in found.stdout
    subprocess.run([installed / "headscope", "--help"], cwd=tmp_path, check=True)


def test_every_part_of_the_server_works_from_the_wheel(server: str) -> None:
    text = {"model": "headscope-tiny", "text": "abcabc"}
    assert len(ask(server, "/api/v1/attention", **text)["attention"]) == 16
    assert ask(server, "/api/v1/models/headscope-tiny/atlas")["roles"]
    assert ask(server, "/api/v1/models/minilm/atlas")["roles"]
    assert "<!doctype html>" in ask(server, "/api/v1/snapshot", **text)
    described = ask(server, "/api/v1/openapi.json")["paths"]["/api/v1/heads"]["post"]
    assert described["responses"]["200"]["content"]["application/json"]["example"]["heads"]


def test_the_page_and_all_its_files_come_from_the_wheel(server: str) -> None:
    assert "HeadScope" in ask(server, "/")
    sources = [
        path.relative_to(ROOT / "frontend").as_posix()
        for path in (ROOT / "frontend").rglob("*")
        if path.suffix in (".js", ".css", ".svg", ".html")
    ]
    assert len(sources) > 100
    for name in sources:
        with urlopen(f"{server}/{name}") as answer:
            assert answer.status == 200
