"""A bounded pipe from one worker thread to the event loop.

The worker runs ahead by at most `size` items, so a slow reader slows the worker and memory stays
flat; a reader that goes away stops the worker at its next item. This file must not know what
the items are.
"""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

from mha_core.errors import Cancelled

T = TypeVar("T")


class Pipe(Generic[T]):
    """Made and read on the event loop, filled from a thread."""

    def __init__(self, size: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._items: asyncio.Queue[T | None] = asyncio.Queue()
        self._slots = threading.Semaphore(size)
        self._closed = threading.Event()

    def put(self, item: T) -> None:
        """Called by the worker: waits for room; raises Cancelled when nobody reads any more."""
        self._slots.acquire()
        if self._closed.is_set():
            self._slots.release()  # whoever tries again must not wait for ever
        self.check()
        self._loop.call_soon_threadsafe(self._items.put_nowait, item)

    def check(self) -> None:
        """Called by the worker between steps that put nothing: raises Cancelled likewise."""
        if self._closed.is_set():
            raise Cancelled("The request was cancelled.")

    def end(self) -> None:
        """Called by the worker: no more items."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._items.put_nowait, None)

    def close(self) -> None:
        """Called by the reader, who wants no more: wakes a worker that waits for room."""
        self._closed.set()
        self._slots.release()

    async def __aiter__(self) -> AsyncIterator[T]:
        while (item := await self._items.get()) is not None:
            self._slots.release()
            yield item
