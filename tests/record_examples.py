"""Records the answers that OpenAPI shows, from the real server: `python -m tests.record_examples`.

Long lists and tables are shortened to their beginning. A test asks the same questions again and
checks that what is recorded is part of the answers.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from starlette.testclient import TestClient

from backend.app import create_app
from backend.settings import Settings
from mha_core.atlas.storage import built_path
from tests.made_up_atlas import make_up_atlas

FOLDER = Path(__file__).parents[1] / "backend" / "wire" / "examples"
ADDRESS = "http://127.0.0.1:8000"

HI = {"model": "minilm", "text": "Hi"}
CORPUS_TEXTS = ["The animal slept because it was old.", "The animal ran when it saw them.", "Hi"]
CORPUS_LINK = {"from_word": "it", "to_word": "animal"}
CELLS = [{"layer": 3, "head": None}, {"layer": 4, "head": 5}]

QUESTIONS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "health": ("health", None),
    "models": ("models", None),
    "tokenize": ("tokenize", HI),
    "attention": ("attention", HI | {"layers": [3], "heads": [1]}),
    "maps": ("maps", HI | {"combine": "mean", "cells": CELLS}),
    "rows": ("rows", HI | {"query": 1}),
    "query_key": ("query-key", HI | {"layer": 3, "head": 1, "query": 1, "key": 0}),
    "metrics": ("metrics", None),
    "heads": ("heads", HI),
    "edges": ("edges", {"model": "minilm", "text": CORPUS_TEXTS[0], "queries": [5], "keys": [2]}),
    "compare": ("compare", {"one": HI, "other": HI | {"text": "Hi there"}}),
    "corpus": ("corpus", {"model": "minilm", "texts": CORPUS_TEXTS, "link": CORPUS_LINK}),
    "atlas": ("models/minilm/atlas", None),
    "similarity": ("models/minilm/atlas/similarity", None),
    "atlas_build": ("models/minilm/atlas/build", None),
    "figures": ("figures", HI | {"kind": "scatter"}),
    "anatomy_steps": ("learn/anatomy", None),
    "anatomy": ("learn/anatomy", HI | {"layer": 3, "head": 1, "token": 1, "step": "scores"}),
    "anatomy_trace": (
        "learn/anatomy/trace",
        HI | {"layer": 3, "head": 1, "matrix": "q", "row": 1, "column": 0, "n_terms": 1},
    ),
    "next": ("next", {"model": "smollm2", "text": "The capital of France is", "top": 3}),
    "presets": ("learn/calculator", None),
    "calculator": ("learn/calculator", {"d_model": 768, "n_heads": 12, "n_tokens": 512}),
    "exercises": ("learn/exercises", None),
    "tasks": ("learn/tasks", None),
    "runs": ("learn/runs", None),
    "run": ("learn/runs/language", None),
    "film": ("learn/runs/language/maps", {"text": "the king runs ."}),
    "answer": ("learn/exercises/width_of_a_head", {"answer": 768}),
}
"""Name of an example -> path, and body where it is posted."""

ERRORS: dict[int, tuple[str, dict[str, Any], dict[str, str]]] = {
    404: ("tokenize", {"model": "gone", "text": "Hi"}, {}),
    406: ("attention", HI, {"accept": "image/png"}),
    409: ("models/headscope-tiny/atlas/build", {"sections": ["similarity"]}, {}),
    413: ("tokenize", {"model": "minilm", "text": "word " * 600}, {}),
    422: ("tokenize", {"model": "minilm", "text": " "}, {}),
    503: ("tokenize", {"model": "gpt2", "text": "Hi"}, {}),
}
"""Status -> path, body and headers of a request that gets it."""

APART = (409, 503)
"""Those that are asked of other directories of models."""

WHOLE = {
    *("tokens", "shapes", "units", "candidates", "attention", "weights", "scores", "sections"),
    *("matrices", "steps", "choices", "expresses"),
}
"""Lists that stay whole: their length says something."""

TABLES = {"raw", "weighted", "opportunities", "measures", "metrics", "examples", "similar"}
"""Objects whose names are data: some are enough."""

SHOWN_NAMES = ("previous", "duplicate", "shape", "0.0")
N_SHOWN = 3


def ask(client: TestClient, name: str) -> Any:  # noqa: ANN401 (any JSON)
    """The server's answer to the question behind an example."""
    path, body = QUESTIONS[name]
    url = f"{ADDRESS}/api/v1/{path}"
    answer = client.get(url) if body is None else client.post(url, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ask_error(client: TestClient, status: int) -> Any:  # noqa: ANN401 (any JSON)
    """The server's answer to a request that it refuses with that status."""
    path, body, headers = ERRORS[status]
    answer = client.post(f"{ADDRESS}/api/v1/{path}", json=body, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json()


def shorten(value: Any, name: str = "") -> Any:  # noqa: ANN401 (any JSON)
    """The beginning of an answer: a few entries of each list and table."""
    if isinstance(value, dict):
        if name in TABLES:
            value = {key: value[key] for key in SHOWN_NAMES if key in value} or value
        return {key: shorten(part, key) for key, part in value.items()}
    if isinstance(value, list):
        records = any(isinstance(part, dict) for part in value)
        n_shown = len(value) if name in WHOLE else 1 if records else N_SHOWN
        return [shorten(part) for part in value[:n_shown]]
    return value


def record_all(models_dir: Path) -> Iterator[tuple[str, Any]]:
    """Every example by name."""
    usual = {"hub": False, "open": False, "device": "cpu", "runs_dir": Path("no-runs")}
    with TestClient(create_app(Settings(models_dir=models_dir, **usual)), ADDRESS) as client:
        client.post(f"{ADDRESS}/api/v1/tokenize", json=HI)  # health then names a loaded model
        for name in QUESTIONS:
            yield name, shorten(ask(client, name))
        errors = {status: ask_error(client, status) for status in ERRORS if status not in APART}
    # In a directory of its own, where a build that is not refused would do no harm.
    with TemporaryDirectory() as folder:
        path = built_path("headscope-tiny", Path(folder))
        path.parent.mkdir()
        path.write_text(json.dumps(make_up_atlas()))
        with TestClient(create_app(Settings(models_dir=folder, **usual)), ADDRESS) as client:
            errors[409] = ask_error(client, 409)
    # The message names the directory: one that says nothing about this machine.
    with TestClient(create_app(Settings(models_dir=Path("models"), **usual)), ADDRESS) as client:
        errors[503] = ask_error(client, 503)
    yield "errors", dict(sorted(errors.items()))


def main() -> None:
    """Write all examples anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, example in record_all(Settings().models_dir):
        text = json.dumps(example, indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}: {len(text):,} characters")


if __name__ == "__main__":
    main()
