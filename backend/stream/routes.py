"""The stream: each message on the socket is one request; a newer one cancels the running one.

The server sends progress, start, a binary frame and metrics for each layer, done; or an error.
"""

from fastapi import APIRouter, WebSocket

from backend.engine.dependencies import EngineOfApp
from backend.stream.jobs import stream_run
from backend.stream.schemas import StreamRequest
from backend.wire.conversation import converse

router = APIRouter()


@router.websocket("/stream")
async def stream(socket: WebSocket, engine: EngineOfApp) -> None:
    """Run the newest request of this socket until it closes."""
    await converse(socket, StreamRequest, lambda request: engine.stream(stream_run, request))
