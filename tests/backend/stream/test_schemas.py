"""What the stream says is what its documentation says."""

from pathlib import Path

import pytest
from pydantic import BaseModel

from backend.stream.schemas import StreamDone, StreamMetrics, StreamRequest, StreamStart
from backend.wire.messages import ErrorMessage, ProgressMessage

DOCS = (Path(__file__).parents[3] / "docs" / "stream.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "message",
    [StreamRequest, ProgressMessage, StreamStart, StreamMetrics, StreamDone, ErrorMessage],
)
def test_every_field_of_a_message_is_documented(message: type[BaseModel]) -> None:
    assert [name for name in message.model_fields if f'"{name}"' not in DOCS] == []


def test_progress_says_no_more_than_what_changes() -> None:
    assert set(ProgressMessage.model_fields) == {"type", "request", "message", "done", "total"}
