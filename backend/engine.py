"""The engine: what the routes rely on to get answers without ever blocking the event loop.

`LocalEngine` does the work in threads of this process. This file must not know HTTP.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from backend import __version__
from backend.pipe import Pipe
from backend.runner import Attention, Runner, StreamEvent
from backend.schemas import (
    AttentionRequest,
    Health,
    ModelInfo,
    StreamRequest,
    TextRequest,
    TokenOut,
)
from backend.settings import Settings
from mha_core.device import resolve_device
from mha_core.errors import Cancelled

T = TypeVar("T")

FRAMES_AHEAD = 8
"""Frames a run may be ahead of a slow reader."""

MAX_THREADS = 32
"""Requests that may be loading, waiting or running; further ones queue up."""


class Engine(Protocol):
    """What the routes need; every method is called on the event loop."""

    def health(self) -> Health:
        """At once, whatever is running."""

    async def models(self) -> list[ModelInfo]:
        """Every model there is, usable or not."""

    async def tokens(self, request: TextRequest) -> list[TokenOut]:
        """The tokens of a text."""

    async def attention(self, request: AttentionRequest, max_cells: int | None = None) -> Attention:
        """The maps of a text; raises TooManyCells rather than computing more than `max_cells`."""

    async def head(
        self, analysis_id: str, layer: int, head: int, max_cells: int | None = None
    ) -> Attention:
        """One map of an earlier analysis, computed again where it is no longer kept."""

    def stream(self, request: StreamRequest) -> AsyncGenerator[StreamEvent, None]:
        """Progress, start, a frame a layer, done; closing the iterator cancels the run."""

    def close(self) -> None:
        """Let go of the threads."""


class LocalEngine:
    """Runs models in this process; safe for any number of callers at once."""

    def __init__(self, settings: Settings) -> None:
        self._dtype = settings.dtype
        self._device = str(resolve_device(settings.device))
        self._runner = Runner(settings)
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="headscope")

    def health(self) -> Health:
        """At once: nothing here waits for a thread."""
        return Health(
            version=__version__,
            device=self._device,
            dtype=self._dtype,
            loaded=self._runner.loaded(),
        )

    async def models(self) -> list[ModelInfo]:
        """Looks at disks and perhaps the hub."""
        return await self._in_thread(self._runner.models)

    async def tokens(self, request: TextRequest) -> list[TokenOut]:
        """Loads the model for its tokenizer, if need be."""
        return await self._in_thread(lambda: self._runner.tokens(request))

    async def attention(self, request: AttentionRequest, max_cells: int | None = None) -> Attention:
        """Runs the model, or derives the maps from a kept run."""
        return await self._in_thread(lambda: self._runner.attention(request, max_cells))

    async def head(
        self, analysis_id: str, layer: int, head: int, max_cells: int | None = None
    ) -> Attention:
        """Derives the map from a kept run, or runs again."""
        return await self._in_thread(lambda: self._runner.head(analysis_id, layer, head, max_cells))

    async def stream(self, request: StreamRequest) -> AsyncGenerator[StreamEvent, None]:
        """Runs the model in a thread that is at most FRAMES_AHEAD ahead of the reader."""
        pipe: Pipe[StreamEvent] = Pipe(FRAMES_AHEAD)

        def run() -> None:
            try:
                self._runner.stream(request, pipe.put, pipe.check)
            except Cancelled:
                pass  # by closing the pipe: the reader knows
            finally:
                pipe.end()

        running = self._in_thread(run)
        # A run given up may still fail: nobody is left to tell, and asyncio should not shout.
        running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            async for event in pipe:
                yield event
            await running
        finally:
            pipe.close()

    def close(self) -> None:
        """Let go of the threads; what is under way ends with its next step."""
        self._runner.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _in_thread(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work)
