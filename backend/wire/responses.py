"""Answers in the format their caller prefers, and how OpenAPI describes them."""

from typing import Annotated, Any, TypeVar

from fastapi import Header, Response
from fastapi.concurrency import run_in_threadpool

from backend.settings import Settings
from backend.wire import csv_table
from backend.wire.formats import JSON, NPZ, SAFETENSORS, Format
from backend.wire.response_examples import refused, shown

Accept = Annotated[str, Header(description="The format wanted; JSON when absent.")]
ARRAYS = {"schema": {"type": "string", "format": "binary"}}
TEXTS = (JSON, csv_table.MEDIA_TYPE)
FILES = (NPZ, SAFETENSORS, csv_table.MEDIA_TYPE)
"""Formats a browser should save rather than show."""

Result = TypeVar("Result")


def described(example: object, *media_types: str) -> dict[int | str, dict[str, Any]]:
    """What a path may answer: JSON with an example, further formats, errors."""
    answer = shown(example)
    answer[200]["content"] |= dict.fromkeys(media_types, ARRAYS)
    return refused(404, 406, 413, 422, 503) | answer


def max_cells(chosen: Format[Result], settings: Settings) -> int:
    """How many weights an answer of this format may carry."""
    in_words = chosen.media_type in TEXTS
    return settings.max_json_cells if in_words else settings.max_array_cells


async def written(chosen: Format[Result], result: Result, name: str) -> Response:
    """A result in the chosen format; `name` is for the file it may be saved as."""
    headers = {"Vary": "Accept"}
    if chosen.media_type in FILES:
        file = f"headscope-{name}.{chosen.extension}"
        headers["Content-Disposition"] = f'attachment; filename="{file}"'
    # In a thread: packing many maps takes seconds.
    data = await run_in_threadpool(chosen.write, result)
    return Response(data, media_type=chosen.media_type, headers=headers)
