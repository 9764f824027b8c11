"""The engine answers while models run, and never runs far ahead of who listens."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import connect

from backend import engine as engine_module
from backend.engine import LocalEngine
from backend.messages import StreamDone, StreamRequest, StreamStart
from backend.settings import Settings
from mha_core.loading import LoadedModel

LONG = "The quick brown fox jumps over the lazy dog and runs away. " * 24
ATTENTIVE = 0.1  # seconds


def json_request(path: str, body: str, accept: str = "application/json") -> Request:
    headers = {"Content-Type": "application/json", "Accept": accept}
    return Request(path, body.encode(), headers)


@contextmanager
def in_thread(work: Callable[[], object]) -> Iterator[threading.Thread]:
    troubles: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            troubles.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    yield thread
    thread.join()
    assert troubles == []


def health_seconds(server: str) -> float:
    began = time.perf_counter()
    with urlopen(f"{server}/api/v1/health") as answer:
        assert answer.status == 200
    return time.perf_counter() - began


def health_while(server: str, work: Callable[[], object]) -> list[float]:
    """How long health took to answer, again and again, while some work was under way."""
    taken = []
    with in_thread(work) as thread:
        while thread.is_alive():
            taken.append(health_seconds(server))
    return sorted(taken)


def test_health_answers_within_100_ms_while_a_model_runs(server: str) -> None:
    """Were the run on the event loop, one answer would take as long as the run."""

    def run() -> None:
        with connect(f"ws{server.removeprefix('http')}/api/v1/stream", max_size=None) as socket:
            socket.send(f'{{"request": 1, "model": "smollm2", "text": "{LONG}"}}')
            while not isinstance(message := socket.recv(), str) or '"done"' not in message:
                assert '"error"' not in str(message[:20])

    with urlopen(json_request(f"{server}/api/v1/tokenize", '{"model": "smollm2", "text": "a"}')):
        pass  # loaded
    began = time.perf_counter()
    taken = health_while(server, run)
    run_seconds = time.perf_counter() - began
    assert run_seconds > 5 * ATTENTIVE, "too short a run to prove anything"
    assert len(taken) >= 20
    assert taken[int(len(taken) * 0.9)] < ATTENTIVE
    assert taken[-1] < run_seconds / 3


def test_health_answers_while_a_text_is_written(server: str) -> None:
    def write() -> None:
        with connect(f"ws{server.removeprefix('http')}/api/v1/generate", max_size=None) as socket:
            socket.send('{"request": 1, "model": "smollm2", "text": "Once", "n": 30}')
            while not isinstance(message := socket.recv(), str) or '"done"' not in message:
                assert '"error"' not in str(message[:20])

    write()  # now the model is loaded
    began = time.perf_counter()
    taken = health_while(server, write)
    seconds = time.perf_counter() - began
    assert len(taken) >= 20
    assert taken[int(len(taken) * 0.9)] < ATTENTIVE
    assert taken[-1] < seconds / 3


def test_health_answers_while_arrays_are_packed(server: str) -> None:
    text = "word " * 300
    body = f'{{"model": "minilm", "text": "{text}"}}'
    sizes: list[int] = []

    def fetch() -> None:
        with urlopen(json_request(f"{server}/api/v1/attention", body, "application/x-npz")) as npz:
            sizes.append(len(npz.read()))

    fetch()  # now the run is kept, and packing is all there is to do
    began = time.perf_counter()
    taken = health_while(server, fetch)
    seconds = time.perf_counter() - began
    assert min(sizes) > 1_000_000
    assert taken[int(len(taken) * 0.9)] < ATTENTIVE
    assert taken[-1] < seconds / 3


@pytest.fixture
def engine(
    deep_model: LoadedModel,
    settings_for: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[LocalEngine]:
    monkeypatch.setattr("backend.shelf.load", lambda entry, **_: deep_model)
    engine = LocalEngine(settings_for(extra_models=(str(deep_model.entry.directory),)))
    yield engine
    engine.close()


QUESTION = StreamRequest(request=1, model="deep", text="a slow reader")


def test_a_run_is_at_most_so_many_frames_ahead_of_a_slow_reader(
    engine: LocalEngine, deep_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_module, "MESSAGES_AHEAD", 4)
    entered: list[int] = []
    hooks = [
        layer.register_forward_pre_hook(lambda *_, number=number: entered.append(number))
        for number, layer in enumerate(deep_model.network.encoder.layer)  # type: ignore[union-attr,arg-type]
    ]

    async def read() -> list[int]:
        ahead, frames = [], 0
        async for event in engine.stream(QUESTION):
            frames += isinstance(event, bytes)
            await asyncio.sleep(0.05)  # slow, and time enough to run on where nothing holds it
            ahead.append(len(entered) - frames)
        return ahead

    ahead = asyncio.run(read())
    for hook in hooks:
        hook.remove()
    assert entered == list(range(6))
    # Two and their metrics in the pipe, one that waits to get in, and one that is being read.
    assert max(ahead) <= 4


def test_leaving_a_stream_early_stops_its_run(engine: LocalEngine) -> None:
    async def read() -> list[Any]:
        events = []
        async with aclosing(engine.stream(QUESTION)) as stream:
            async for event in stream:
                events.append(event)
                if isinstance(event, bytes):
                    break
        return events

    events = asyncio.run(read())
    assert isinstance(events[0], StreamStart)
    assert len(events) == 2


def test_many_streams_at_once_all_get_their_own_answer(engine: LocalEngine) -> None:
    async def read(number: int) -> tuple[int, int]:
        text = "word " * (number + 1)
        request = StreamRequest(request=number, model="deep", text=text)
        events = [event async for event in engine.stream(request)]
        assert isinstance(events[0], StreamStart)
        assert isinstance(events[-1], StreamDone)
        assert [event.request for event in (events[0], events[-1])] == [number, number]
        return events[0].n_tokens, len(events)

    async def read_all() -> list[tuple[int, int]]:
        return await asyncio.gather(*(read(number) for number in range(40)))

    assert asyncio.run(read_all()) == [(number + 3, 14) for number in range(40)]


def test_an_error_of_a_run_comes_out_of_its_stream(
    engine: LocalEngine, deep_model: LoadedModel
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    hook = deep_model.network.register_forward_pre_hook(broken)

    async def read() -> None:
        async for _ in engine.stream(QUESTION):
            pass

    with pytest.raises(ZeroDivisionError):
        asyncio.run(read())
    hook.remove()
