"""A socket's conversation: one message asks one question, a newer one cancels it."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ValidationError

from backend.wire.errors import describe_error
from backend.wire.messages import CancelMessage, ErrorMessage, Numbered
from backend.wire.validation import describe_invalid, describe_not_json

Question = TypeVar("Question", bound=Numbered)
Answers = Callable[[Question], AsyncGenerator[BaseModel | bytes, None]]

SEND_SECONDS = 15.0
"""How long a message may wait to be sent: a client that reads nothing for so long is dropped."""

CLOSE_SECONDS = 1.0


async def converse(socket: WebSocket, question: type[Question], answers: Answers[Question]) -> None:
    """Answer the newest question of this socket until it closes."""
    await socket.accept()
    answering: asyncio.Task[None] | None = None
    try:
        while True:
            message = _parse(question, await _receive(socket))
            if isinstance(message, ErrorMessage):  # what is refused stops nothing
                await _send(socket, message)
                continue
            await _cancel(answering)
            answering = None
            if not isinstance(message, CancelMessage):
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


def _parse(
    question: type[Question], message: str | bytes
) -> Question | CancelMessage | ErrorMessage:
    """What a message asks, or why it cannot be read, under its number where it has one."""
    try:
        content = json.loads(message)  # as HTTP reads bodies, so that both refuse the same texts
    except (ValueError, RecursionError) as error:
        return ErrorMessage(request=None, error=describe_not_json(error))
    number = content.get("request") if isinstance(content, dict) else None
    # Told apart before they are checked, so that an error is about the one that was meant.
    meant = CancelMessage if isinstance(content, dict) and "cancel" in content else question
    try:
        return meant.model_validate(content)
    except ValidationError as error:
        readable = number if type(number) is int else None
        return ErrorMessage(request=readable, error=describe_invalid(error.errors()))


async def _answer(socket: WebSocket, answers: Answers[Question], request: Question) -> None:
    try:
        async with aclosing(answers(request)) as events:
            async for event in events:
                await asyncio.wait_for(_send(socket, event), SEND_SECONDS)
    except WebSocketDisconnect:
        pass
    except TimeoutError:
        with suppress(TimeoutError, RuntimeError):
            await asyncio.wait_for(socket.close(1008, "slow_reader"), CLOSE_SECONDS)
    except Exception as error:
        await _send(socket, ErrorMessage(request=request.request, error=describe_error(error)))


async def _send(socket: WebSocket, event: BaseModel | bytes) -> None:
    if isinstance(event, bytes):
        await socket.send_bytes(event)
    elif isinstance(event, ErrorMessage):
        # In ASCII: a field's name may hold half of a surrogate pair, which UTF-8 cannot encode.
        await socket.send_text(json.dumps(event.model_dump()))
    else:
        await socket.send_text(event.model_dump_json())
