"""HTTP responses that are written here: in the format their caller prefers, or as large JSON."""

from typing import Annotated, Any

import orjson
from fastapi import Header, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from backend.settings import Settings
from backend.wire.formats import CSV, JSON, NPZ, SAFETENSORS, Answer, Format

Accept = Annotated[str, Header(description="The format wanted; JSON when absent.")]

TEXTS = (JSON, CSV)
FILES = (NPZ, SAFETENSORS, CSV)
"""Formats a browser should save rather than show."""


def max_cells(chosen: Format[Any], settings: Settings) -> int:
    """How many weights an answer of this format may carry."""
    is_text = chosen.media_type in TEXTS
    return settings.max_json_cells if is_text else settings.max_array_cells


async def respond(chosen: Format[Answer], answer: Answer, name: str) -> Response:
    """An answer in the chosen format; `name` is for the file it may be saved as."""
    headers = {"Vary": "Accept"}
    if chosen.media_type in FILES:
        file = f"headscope-{name}.{chosen.extension}"
        headers["Content-Disposition"] = f'attachment; filename="{file}"'
    # In a thread: packing many maps takes seconds.
    data = await run_in_threadpool(chosen.write, answer)
    return Response(data, media_type=chosen.media_type, headers=headers)


def respond_json(answer: BaseModel) -> Response:
    """A large answer as JSON: FastAPI would check every number of it once more."""
    return Response(encode_json(answer), media_type=JSON)


def encode_json(answer: BaseModel) -> bytes:
    return orjson.dumps(answer.model_dump(mode="json"))
