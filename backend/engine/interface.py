"""What routes ask of an engine: to run a job, or to stream a job's events.

A job is a plain function in a subject's `jobs.py`. It is handed a session and a request, and
returns an answer or emits events. Requests, answers and events are plain data and a job is found by
its name, so an engine may run it in a thread, in another process or on another machine.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from backend.engine.session import Session

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Event = TypeVar("Event")

Job: TypeAlias = "Callable[[Session, Request], Answer]"
StreamJob: TypeAlias = "Callable[[Session, Request, Callable[[Event], None]], None]"


class Engine(Protocol):
    """Called on the event loop, which it never blocks."""

    async def run(self, job: Job[Request, Answer], request: Request) -> Answer:
        """The job's answer; cancelling the call stops the job at its next check."""

    def stream(
        self, job: StreamJob[Request, Event], request: Request
    ) -> AsyncGenerator[Event, None]:
        """The job's events as they come; closing the stream stops the job at its next check."""

    def close(self) -> None:
        """Stop what is under way."""


def light(job: Job[Request, Answer]) -> Job[Request, Answer]:
    """Mark a job that runs no model: it never waits behind those that do."""
    job.light = True  # type: ignore[attr-defined]
    return job
