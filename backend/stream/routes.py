"""The stream: one socket message asks for one analysis, a newer one cancels it.

Answers come in order: progress, start, a binary frame and its metrics a layer, done; or an error.
"""

from fastapi import APIRouter, WebSocket

from backend.engine.dependencies import EngineOfApp
from backend.stream.jobs import stream_run
from backend.stream.schemas import StreamRequest
from backend.wire.conversation import converse

router = APIRouter()


@router.websocket("/stream")
async def stream(socket: WebSocket, engine: EngineOfApp) -> None:
    """Answer the newest question of this socket until it closes."""
    await converse(socket, StreamRequest, lambda request: engine.stream(stream_run, request))
