"""A bounded queue from one worker thread to the event loop."""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

from mha_core.errors import Cancelled, SlowReader

T = TypeVar("T")


class Channel(Generic[T]):
    """Made and read on the event loop, filled from a thread that is at most `size` items ahead."""

    def __init__(self, size: int) -> None:
        self.closed = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._items: asyncio.Queue[T | None] = asyncio.Queue()
        self._room = threading.Semaphore(size)

    def offer(self, item: T) -> bool:
        """Put an item if there is room at once; raises Cancelled once the reader is gone."""
        return self._put(item, timeout=0)

    def put(self, item: T, timeout: float) -> None:
        """Wait for room; raises SlowReader after `timeout` seconds, Cancelled as `offer` does."""
        if not self._put(item, timeout):
            raise SlowReader(
                f"The reader took nothing for {timeout:g} seconds, so the run was given up: read "
                f"the stream to its end, or close it."
            )

    def _put(self, item: T, timeout: float) -> bool:
        has_room = self._room.acquire(timeout=timeout)
        if self.closed.is_set():
            raise Cancelled("The request was cancelled.")
        if has_room:
            self._loop.call_soon_threadsafe(self._items.put_nowait, item)
        return has_room

    def end(self) -> None:
        """Called by the worker: no more items."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._items.put_nowait, None)

    def close(self) -> None:
        """Called by the reader, who wants no more: wakes a worker that waits for room."""
        self.closed.set()
        self._room.release()

    async def __aiter__(self) -> AsyncIterator[T]:
        while (item := await self._items.get()) is not None:
            self._room.release()
            yield item
