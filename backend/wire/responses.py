"""Maps as an HTTP response, in the format their caller prefers."""

from typing import Annotated

from fastapi import Header, Response
from fastapi.concurrency import run_in_threadpool

from backend.settings import Settings
from backend.wire.formats import CSV, JSON, NPZ, SAFETENSORS, Format, MapsAnswer

Accept = Annotated[str, Header(description="The format wanted; JSON when absent.")]

TEXTS = (JSON, CSV)
FILES = (NPZ, SAFETENSORS, CSV)
"""Formats a browser should save rather than show."""


def max_cells(chosen: Format, settings: Settings) -> int:
    """How many weights an answer of this format may carry."""
    is_text = chosen.media_type in TEXTS
    return settings.max_json_cells if is_text else settings.max_array_cells


async def respond(chosen: Format, answer: MapsAnswer, name: str) -> Response:
    """The maps in the chosen format; `name` is for the file they may be saved as."""
    headers = {"Vary": "Accept"}
    if chosen.media_type in FILES:
        file = f"headscope-{name}.{chosen.extension}"
        headers["Content-Disposition"] = f'attachment; filename="{file}"'
    # In a thread: packing many maps takes seconds.
    data = await run_in_threadpool(chosen.write, answer)
    return Response(data, media_type=chosen.media_type, headers=headers)
