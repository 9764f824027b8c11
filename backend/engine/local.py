"""The engine that runs jobs in threads of this process."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor

from backend.engine.channel import Channel
from backend.engine.interface import Answer, Event, Job, Request, StreamJob
from backend.engine.session import Resources, Session
from backend.settings import Settings
from mha_core.errors import Cancelled
from mha_core.models.device import resolve_device

MESSAGES_AHEAD = 16
"""Messages a run may be ahead of a slow reader: a frame and its metrics a layer."""

SLOW_READER_SECONDS = 10.0
"""How long a run waits for a reader that takes nothing, before it is given up."""

MAX_THREADS = 32
"""Jobs that may be loading, waiting or running; further ones queue up."""

MAX_LIGHT_THREADS = 8


class LocalEngine:
    """Safe for any number of callers at once."""

    def __init__(self, settings: Settings) -> None:
        resolve_device(settings.device)  # a device that is not here is an error at once
        self._resources = Resources(settings)
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="headscope")
        self._light = ThreadPoolExecutor(MAX_LIGHT_THREADS, thread_name_prefix="headscope-light")

    async def run(self, job: Job[Request, Answer], request: Request) -> Answer:
        """Run the job in a thread; a cancelled one stops at its next check."""
        cancelled = threading.Event()
        session = Session(self._resources, cancelled)
        threads = self._light if getattr(job, "light", False) else self._threads
        try:
            return await _in_thread(threads, lambda: job(session, request))
        except asyncio.CancelledError:
            cancelled.set()
            raise

    async def stream(
        self, job: StreamJob[Request, Event], request: Request
    ) -> AsyncGenerator[Event, None]:
        """The job's events, of which it is at most MESSAGES_AHEAD ahead of the reader."""
        channel: Channel[Event] = Channel(MESSAGES_AHEAD)
        session = Session(self._resources, channel.closed)

        def emit(event: Event) -> None:
            if not channel.offer(event):
                with session.without_slot():
                    channel.put(event, SLOW_READER_SECONDS)

        def work() -> None:
            try:
                job(session, request, emit)
            except Cancelled:
                pass  # by closing the channel: the reader knows
            finally:
                channel.end()

        running = _in_thread(self._threads, work)
        # A job given up may still fail: asyncio should not log what nobody waits for.
        running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            async for event in channel:
                yield event
            await running
        finally:
            channel.close()

    def close(self) -> None:
        """Stop all jobs at their next check, and drop those that wait for a thread."""
        self._resources.close()
        for threads in (self._threads, self._light):
            threads.shutdown(wait=False, cancel_futures=True)


def _in_thread(threads: ThreadPoolExecutor, work: Callable[[], Answer]) -> asyncio.Future[Answer]:
    return asyncio.get_running_loop().run_in_executor(threads, work)
