"""A socket's conversation: one message asks one question, a newer one cancels it.

How questions are answered is the caller's business.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from backend.generate.schemas import GenerateRequest
from backend.stream.schemas import StreamCancel, StreamError, StreamRequest
from backend.wire.errors import describe
from backend.wire.validation import bad_request, not_json

Q = TypeVar("Q", StreamRequest, GenerateRequest)
Answers = Callable[[Q], AsyncGenerator[BaseModel | bytes, None]]


async def converse(socket: WebSocket, question: type[Q], answers: Answers[Q]) -> None:
    """Answer the newest question of this socket until it closes."""
    await socket.accept()
    answering: asyncio.Task[None] | None = None
    try:
        while True:
            message = _read(question, await _receive(socket))
            if isinstance(message, StreamError):  # what is refused stops nothing
                await _send(socket, message)
                continue
            await _cancel(answering)
            answering = None
            if not isinstance(message, StreamCancel):
                answering = asyncio.create_task(_answer(socket, answers, message))
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


def _read(question: type[Q], message: str | bytes) -> Q | StreamCancel | StreamError:
    """What a message asks, or why it cannot be read, under its number where that can be."""
    try:
        told = json.loads(message)  # as HTTP reads bodies, so that both refuse the same texts
    except (ValueError, RecursionError) as error:
        return StreamError(request=None, error=not_json(error))
    number = told.get("request") if isinstance(told, dict) else None
    # Told apart before they are checked, so that a fault is told of the one that was meant.
    meant = StreamCancel if isinstance(told, dict) and "cancel" in told else question
    try:
        return meant.model_validate(told)
    except ValidationError as error:
        readable = number if type(number) is int else None
        return StreamError(request=readable, error=bad_request(error.errors()))


async def _answer(socket: WebSocket, answers: Answers[Q], request: Q) -> None:
    try:
        async with aclosing(answers(request)) as events:
            async for event in events:
                await _send(socket, event)
    except WebSocketDisconnect:
        pass
    except Exception as error:
        await _send(socket, StreamError(request=request.request, error=describe(error)))


async def _send(socket: WebSocket, event: BaseModel | bytes) -> None:
    if isinstance(event, bytes):
        await socket.send_bytes(event)
    elif isinstance(event, StreamError):
        # In ASCII: a field's name may hold half of a surrogate pair, which UTF-8 cannot say.
        await socket.send_text(json.dumps(event.model_dump()))
    else:
        await socket.send_text(event.model_dump_json())
