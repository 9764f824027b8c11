"""The channel slows a fast worker down, and stops one that nobody listens to."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from backend.engine.channel import Channel
from mha_core.errors import Cancelled, SlowReader

PATIENCE = 30


def run_with(
    read: Callable[[Channel[int], list[int]], object], size: int, n_items: int
) -> list[int]:
    """Let a worker put `n_items`, while `read` reads; what the worker managed to put."""
    put: list[int] = []

    async def main() -> None:
        channel: Channel[int] = Channel(size)

        def work() -> None:
            try:
                for item in range(n_items):
                    channel.put(item, PATIENCE)
                    put.append(item)
            except Cancelled:
                pass
            finally:
                channel.end()

        worker = asyncio.get_running_loop().run_in_executor(None, work)
        await read(channel, put)  # type: ignore[misc]
        await asyncio.wait_for(worker, PATIENCE)

    asyncio.run(main())
    return put


def test_items_come_out_in_order_and_then_the_end() -> None:
    got: list[int] = []

    async def read(channel: Channel[int], put: list[int]) -> None:
        got.extend([item async for item in channel])

    run_with(read, size=3, n_items=500)
    assert got == list(range(500))


@pytest.mark.parametrize("size", [1, 3, 8])
def test_a_worker_is_at_most_the_size_of_the_channel_ahead_of_its_reader(size: int) -> None:
    ahead: list[int] = []

    async def read(channel: Channel[int], put: list[int]) -> None:
        async for item in channel:
            ahead.append(len(put) - item)
            await asyncio.sleep(0)  # lets the worker run as far ahead as it may

    run_with(read, size=size, n_items=200)
    # The item being read has left its place to one more.
    assert max(ahead) <= size + 1


def test_a_worker_stands_still_while_nobody_reads() -> None:
    async def read(channel: Channel[int], put: list[int]) -> None:
        full = threading.Event()

        def fill() -> None:
            while len(put) < 4:
                full.wait(0.001)

        await asyncio.to_thread(fill)
        assert put == [0, 1, 2, 3]
        channel.close()

    assert run_with(read, size=4, n_items=1000) == [0, 1, 2, 3]


def test_closing_stops_the_worker_at_its_next_item() -> None:
    async def read(channel: Channel[int], put: list[int]) -> None:
        async for item in channel:
            if item == 5:
                break
        channel.close()

    assert len(run_with(read, size=2, n_items=1000)) < 12


def test_a_worker_between_items_learns_that_nobody_reads() -> None:
    async def main() -> None:
        channel: Channel[int] = Channel(2)
        assert channel.offer(1)
        assert not channel.closed.is_set()
        channel.close()
        assert channel.closed.is_set()
        for put in (channel.offer, lambda item: channel.put(item, PATIENCE)):
            with pytest.raises(Cancelled):
                put(1)

    asyncio.run(main())


def test_a_worker_that_ends_after_the_loop_is_gone_does_not_mind() -> None:
    async def make() -> Channel[int]:
        return Channel(1)

    asyncio.run(make()).end()


def test_a_full_channel_takes_nothing_at_once_and_gives_up_a_reader_that_takes_nothing() -> None:
    async def main() -> None:
        channel: Channel[int] = Channel(1)
        assert channel.offer(1)
        assert not channel.offer(2)
        with pytest.raises(SlowReader, match="took nothing for"):
            channel.put(2, 0.01)

    asyncio.run(main())
