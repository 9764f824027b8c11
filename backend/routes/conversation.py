"""A socket's conversation: one message asks one question, a newer one cancels it.

How questions are answered is the caller's business.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from backend.errors import bad_request, describe
from backend.generation_schemas import GenerateRequest
from backend.messages import StreamCancel, StreamError, StreamRequest

Q = TypeVar("Q", StreamRequest, GenerateRequest)
Answers = Callable[[Q], AsyncGenerator[BaseModel | bytes, None]]


async def converse(socket: WebSocket, question: type[Q], answers: Answers[Q]) -> None:
    """Answer the newest question of this socket until it closes."""
    await socket.accept()
    answering: asyncio.Task[None] | None = None
    try:
        while True:
            message = await _receive(socket)
            await _cancel(answering)
            answering = asyncio.create_task(_answer(socket, question, answers, message))
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


async def _answer(
    socket: WebSocket, question: type[Q], answers: Answers[Q], message: str | bytes
) -> None:
    try:
        request = _read(question, message)
    except ValidationError as error:
        await _send(socket, StreamError(request=None, error=bad_request(error.errors())))
        return
    if request is None:
        return
    try:
        async with aclosing(answers(request)) as events:
            async for event in events:
                await _send(socket, event)
    except WebSocketDisconnect:
        pass
    except Exception as error:
        await _send(socket, StreamError(request=request.request, error=describe(error)))


def _read(question: type[Q], message: str | bytes) -> Q | None:
    """The question of a message; None where it only cancels the one before."""
    try:
        told = from_json(message)
    except ValueError:
        told = None  # no JSON at all: the check of the question says what is wrong with it
    # Told apart before they are checked, so that a fault is told of the one that was meant.
    if isinstance(told, dict) and "cancel" in told:
        StreamCancel.model_validate(told)
        return None
    return question.model_validate_json(message)


async def _send(socket: WebSocket, event: BaseModel | bytes) -> None:
    if isinstance(event, bytes):
        await socket.send_bytes(event)
    else:
        await socket.send_text(event.model_dump_json())
