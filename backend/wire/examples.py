"""Answers and errors as OpenAPI shows them: recorded from real ones by `make examples`."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from backend.wire.formats import JSON, Format
from backend.wire.schemas import ErrorResponse

Responses = dict[int | str, dict[str, Any]]

ERRORS = {
    404: "No such model, layer, head or exercise, or no atlas of the model",
    406: "No such format",
    409: "It is being measured, or is measured already",
    413: "Text or answer over the limit",
    422: "An invalid request, an empty text, or a name or position that does not exist",
    503: "The model is not available, or there is not enough memory",
}

BINARY = {"schema": {"type": "string", "format": "binary"}}


@cache
def read_examples() -> dict[str, Any]:
    """Every recorded answer by name; a question that is new has none until it is recorded."""
    recorded = files("backend.wire").joinpath("examples")
    return {
        Path(file.name).stem: json.loads(file.read_text(encoding="utf-8"))
        for file in (recorded.iterdir() if recorded.is_dir() else ())
    }


def show_example(name: str, formats: Sequence[Format[Any]] = (), status: int = 200) -> Responses:
    """The recorded answer of that name, and the other formats it may come in."""
    content: dict[str, Any] = {it.media_type: BINARY for it in formats}
    return {status: {"content": content | {JSON: {"example": read_examples().get(name)}}}}


def describe_errors(*statuses: int) -> Responses:
    """The errors an answer may be instead; those of every text where none are named."""
    return {
        status: {
            "model": ErrorResponse,
            "description": ERRORS[status],
            "content": {JSON: {"example": read_examples().get("errors", {}).get(str(status))}},
        }
        for status in statuses or (404, 413, 422, 503)
    }


def describe_responses(name: str, formats: Sequence[Format[Any]] = ()) -> Responses:
    """An answer about a text, with its example, formats and errors."""
    errors = describe_errors(404, 406, 413, 422, 503) if formats else describe_errors()
    return errors | show_example(name, formats)
