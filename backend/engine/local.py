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
        self._room = asyncio.Semaphore(MAX_THREADS)
        self._light = ThreadPoolExecutor(MAX_LIGHT_THREADS, thread_name_prefix="headscope-light")

    async def run(self, job: Job[Request, Answer], request: Request) -> Answer:
        """Run the job in a thread; a cancelled one stops at its next check."""
        cancelled = threading.Event()
        session = Session(self._resources, cancelled)

        def work() -> Answer:
            session.check()  # the engine may have been closed while this waited for a thread
            return job(session, request)

        try:
            if getattr(job, "light", False):
                return await asyncio.get_running_loop().run_in_executor(self._light, work)
            return await (await self._start(work))
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
                session.check()
                job(session, request, emit)
            except Cancelled:
                pass  # by closing the channel: the reader knows
            finally:
                channel.end()

        running = await self._start(work)
        # A job given up may still fail: asyncio should not log what nobody waits for.
        running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            async for event in channel:
                yield event
            await running
        finally:
            channel.close()

    async def _start(self, work: Callable[[], Answer]) -> asyncio.Future[Answer]:
        """Start work in a thread that ends with it, as soon as there is room for one more.

        A thread that has run a model keeps torch's threads waiting for its next operations. If idle
        threads did, there would be more than cores, and torch would let those of all runs sleep.
        """
        await self._room.acquire()
        loop, thread = asyncio.get_running_loop(), ThreadPoolExecutor(1, "headscope")
        running = thread.submit(work)
        thread.shutdown(wait=False)

        def make_room(_: object) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._room.release)

        running.add_done_callback(make_room)  # a cancelled job's thread ends later than its caller
        return asyncio.wrap_future(running)

    def close(self) -> None:
        """Stop all jobs at their next check."""
        self._resources.close()
        self._light.shutdown(wait=False, cancel_futures=True)
