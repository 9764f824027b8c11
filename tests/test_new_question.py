"""A new REST question is one folder of three files and one line in `app.py`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[1]

SCHEMAS = '''"""The length of a text."""

from pydantic import BaseModel


class LengthResponse(BaseModel):
    """How many tokens a text has, and how many layers read them."""

    n_tokens: int
    n_layers: int
'''

JOBS = '''"""The job that counts tokens."""

from backend.engine.session import Session
from backend.length.schemas import LengthResponse
from backend.wire.schemas import TextRequest


def count_tokens(session: Session, request: TextRequest) -> LengthResponse:
    prepared = session.prepare(request)
    analysis = session.analyse(prepared)
    return LengthResponse(n_tokens=prepared.info.n_tokens, n_layers=len(analysis.layers))
'''

ROUTES = '''"""How long is a text?"""

from fastapi import APIRouter

from backend.engine.dependencies import EngineOfApp
from backend.length.jobs import count_tokens
from backend.length.schemas import LengthResponse
from backend.wire.schemas import TextRequest

router = APIRouter(tags=["length"])


@router.post("/length", summary="How long is a text?")
async def length(request: TextRequest, engine: EngineOfApp) -> LengthResponse:
    return await engine.run(count_tokens, request)
'''

ASK = """
from starlette.testclient import TestClient
from backend.app import create_app
from backend.settings import Settings

with TestClient(create_app(Settings(hub=False)), "http://127.0.0.1:8000") as client:
    answer = client.post("/api/v1/length", json={"model": "headscope-tiny", "text": "abc"})
    print(answer.json())
    assert "/api/v1/length" in client.get("/api/v1/openapi.json").json()["paths"]
"""


def test_a_question_is_added_by_three_files_and_one_line(tmp_path: Path) -> None:
    for package in ("backend", "mha_core", "frontend"):
        ignored = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    folder = tmp_path / "backend" / "length"
    folder.mkdir()
    for name, source in (("schemas", SCHEMAS), ("jobs", JOBS), ("routes", ROUTES)):
        (folder / f"{name}.py").write_text(source)
    app = tmp_path / "backend" / "app.py"
    line = '    "models",\n'
    assert app.read_text().count(line) == 1
    app.write_text(app.read_text().replace(line, f'{line}    "length",\n'))
    answer = subprocess.run(
        [sys.executable, "-c", ASK], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr[-2000:]
    assert answer.stdout.strip() == "{'n_tokens': 4, 'n_layers': 2}"
