"""The pipe slows a fast worker down, and stops one that nobody listens to."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from backend.engine.channel import Pipe
from mha_core.errors import Cancelled

PATIENCE = 30


def run_with(read: Callable[[Pipe[int], list[int]], object], size: int, n_items: int) -> list[int]:
    """Let a worker put `n_items`, while `read` reads; what the worker managed to put."""
    put: list[int] = []

    async def main() -> None:
        pipe: Pipe[int] = Pipe(size)

        def work() -> None:
            try:
                for item in range(n_items):
                    pipe.put(item)
                    put.append(item)
            except Cancelled:
                pass
            finally:
                pipe.end()

        worker = asyncio.get_running_loop().run_in_executor(None, work)
        await read(pipe, put)  # type: ignore[misc]
        await asyncio.wait_for(worker, PATIENCE)

    asyncio.run(main())
    return put


def test_items_come_out_in_order_and_then_the_end() -> None:
    got: list[int] = []

    async def read(pipe: Pipe[int], put: list[int]) -> None:
        got.extend([item async for item in pipe])

    run_with(read, size=3, n_items=500)
    assert got == list(range(500))


@pytest.mark.parametrize("size", [1, 3, 8])
def test_a_worker_is_at_most_the_size_of_the_pipe_ahead_of_its_reader(size: int) -> None:
    ahead: list[int] = []

    async def read(pipe: Pipe[int], put: list[int]) -> None:
        async for item in pipe:
            ahead.append(len(put) - item)
            await asyncio.sleep(0)  # lets the worker run as far ahead as it may

    run_with(read, size=size, n_items=200)
    # The item being read has left its place to one more.
    assert max(ahead) <= size + 1


def test_a_worker_stands_still_while_nobody_reads() -> None:
    async def read(pipe: Pipe[int], put: list[int]) -> None:
        full = threading.Event()

        def fill() -> None:
            while len(put) < 4:
                full.wait(0.001)

        await asyncio.to_thread(fill)
        assert put == [0, 1, 2, 3]
        pipe.close()

    assert run_with(read, size=4, n_items=1000) == [0, 1, 2, 3]


def test_closing_stops_the_worker_at_its_next_item() -> None:
    async def read(pipe: Pipe[int], put: list[int]) -> None:
        async for item in pipe:
            if item == 5:
                break
        pipe.close()

    assert len(run_with(read, size=2, n_items=1000)) < 12


def test_a_worker_between_items_learns_that_nobody_reads() -> None:
    async def main() -> None:
        pipe: Pipe[int] = Pipe(2)
        pipe.check()
        pipe.close()
        with pytest.raises(Cancelled):
            pipe.check()
        with pytest.raises(Cancelled):
            pipe.put(1)

    asyncio.run(main())


def test_a_worker_that_ends_after_the_loop_is_gone_does_not_mind() -> None:
    async def make() -> Pipe[int]:
        return Pipe(1)

    asyncio.run(make()).end()
