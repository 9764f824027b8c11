"""The stream: one socket message asks for one analysis, a newer one cancels it.

Answers come in order: progress, start, a binary frame and its metrics a layer, done; or an error.
"""

import asyncio
from contextlib import aclosing, suppress
from typing import Annotated

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Discriminator, Tag, TypeAdapter, ValidationError

from backend.engine import Engine
from backend.errors import bad_request, describe
from backend.messages import StreamCancel, StreamError, StreamRequest
from backend.routes.dependencies import EngineOfApp

router = APIRouter()


def _sort_of(message: object) -> str:
    return "cancel" if isinstance(message, dict) and "cancel" in message else "question"


# Told apart before they are checked, so that a fault is told of the one that was meant.
MESSAGE: TypeAdapter[StreamRequest | StreamCancel] = TypeAdapter(
    Annotated[
        Annotated[StreamRequest, Tag("question")] | Annotated[StreamCancel, Tag("cancel")],
        Discriminator(_sort_of),
    ]
)


@router.websocket("/stream")
async def stream(socket: WebSocket, engine: EngineOfApp) -> None:
    """Answer the newest question of this socket until it closes."""
    await socket.accept()
    answering: asyncio.Task[None] | None = None
    try:
        while True:
            message = await _receive(socket)
            await _cancel(answering)
            answering = asyncio.create_task(_answer(socket, engine, message))
    except WebSocketDisconnect:
        pass
    finally:
        await _cancel(answering)


async def _cancel(task: asyncio.Task[None] | None) -> None:
    """Stop a task and wait until it has stopped, so that it sends nothing afterwards."""
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError, WebSocketDisconnect):
            await task


async def _receive(socket: WebSocket) -> str | bytes:
    """The next message; one that came as bytes is read like text."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    return message.get("text") or message.get("bytes") or ""


async def _answer(socket: WebSocket, engine: Engine, message: str | bytes) -> None:
    try:
        request = MESSAGE.validate_json(message)
    except ValidationError as error:
        await _send(socket, StreamError(request=None, error=bad_request(error.errors())))
        return
    if isinstance(request, StreamCancel):
        return
    try:
        async with aclosing(engine.stream(request)) as events:
            async for event in events:
                await _send(socket, event)
    except WebSocketDisconnect:
        pass
    except Exception as error:
        await _send(socket, StreamError(request=request.request, error=describe(error)))


async def _send(socket: WebSocket, event: BaseModel | bytes) -> None:
    if isinstance(event, bytes):
        await socket.send_bytes(event)
    else:
        await socket.send_text(event.model_dump_json())
