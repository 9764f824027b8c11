"""The engine answers while models run, and never runs far ahead of who listens."""

import asyncio
import pickle
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pkgutil import resolve_name
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient
from websockets.sync.client import connect

from backend.app import create_app
from backend.engine import local
from backend.engine.local import LocalEngine
from backend.engine.session import Session
from backend.heads.jobs import measure_heads
from backend.heads.schemas import HeadsRequest
from backend.models.jobs import check_health
from backend.settings import Settings
from backend.stream.jobs import stream_run
from backend.stream.schemas import StreamDone, StreamEvent, StreamRequest, StreamStart
from mha_core.errors import Cancelled, SlowReader
from mha_core.models.loading import LoadedModel
from tests.backend.conftest import PATIENCE, ClientFor
from tests.record_examples import QUESTIONS, ask

API = "127.0.0.1:8000/api/v1"
SHORT = {"request": 1, "model": "headscope-tiny", "text": "abcabc"}
LONG = "The quick brown fox jumps over the lazy dog and runs away. " * 24
ATTENTIVE = 0.1  # seconds


def talk(client: TestClient, socket: str) -> None:
    with client.websocket_connect(f"ws://{API}/{socket}") as session:
        session.send_json(SHORT)
        while '"type":"done"' not in (said := session.receive().get("text", "")):
            assert '"error":' not in said


def fetch(client: TestClient, accept: str) -> None:
    question = {name: SHORT[name] for name in ("model", "text")}
    answer = client.post(f"http://{API}/attention", json=question, headers={"Accept": accept})
    assert answer.status_code == 200


class Gate:
    """A function that is held before it begins, until the gate is opened."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.reached, self.opened = threading.Event(), threading.Event()
        self.called = self.given_up = False

    def __call__(self, *args: Any, **options: Any) -> Any:  # noqa: ANN401 (any function's)
        self.called = True
        self.reached.set()
        self.given_up = not self.opened.wait(PATIENCE)
        return self._function(*args, **options)


@pytest.mark.parametrize(
    ("held", "ask", "what"),
    [
        ("backend.engine.model_cache.load", talk, "stream"),
        ("backend.engine.session.analyse", talk, "stream"),
        ("backend.generate.jobs.Sampling.choose", talk, "generate"),
        ("numpy.savez", fetch, "application/x-npz"),
        ("orjson.dumps", fetch, "application/json"),
    ],
)
def test_health_answers_whatever_is_being_done(
    held: str,
    ask: Callable[[TestClient, str], None],
    what: str,
    client_for: ClientFor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Were the work on the event loop, health would have to wait for it."""
    gate = Gate(resolve_name(held))
    monkeypatch.setattr(held, lambda *args, **options: gate(*args, **options))
    with client_for() as client, ThreadPoolExecutor(1) as threads:
        asking = threads.submit(ask, client, what)
        asking.add_done_callback(lambda _: gate.reached.set())  # should it fail before
        assert gate.reached.wait(PATIENCE)
        assert client.get(f"http://{API}/health").status_code == 200
        assert not gate.given_up
        gate.opened.set()
        asking.result()
    assert gate.called


def test_health_answers_all_through_the_run_of_a_real_model(server: str) -> None:
    """Work in threads may still be in the way: of the interpreter, or of all the processors."""

    def run() -> None:
        with connect(f"ws{server.removeprefix('http')}/api/v1/stream", max_size=None) as socket:
            socket.send(f'{{"request": 1, "model": "smollm2", "text": "{LONG}"}}')
            while isinstance(said := socket.recv(), bytes) or '"type":"done"' not in said:
                assert isinstance(said, bytes) or '"error":' not in said

    def health_seconds() -> float:
        began = time.perf_counter()
        with urlopen(f"{server}/api/v1/health") as answer:
            assert answer.status == 200
        return time.perf_counter() - began

    question, headers = b'{"model": "smollm2", "text": "a"}', {"Content-Type": "application/json"}
    urlopen(Request(f"{server}/api/v1/tokenize", question, headers)).close()  # loads it
    began, taken = time.perf_counter(), list[float]()
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(run)
        while not running.done():
            taken.append(health_seconds())
        running.result()
    seconds = time.perf_counter() - began
    assert len(taken) >= 5
    # Measured by the run, which a busy machine slows as well.
    assert median(taken) < max(ATTENTIVE, seconds / 10)
    assert max(taken) < max(3 * ATTENTIVE, seconds / 3)


@pytest.fixture
def engine(
    deep_model: LoadedModel,
    settings_for: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[LocalEngine]:
    monkeypatch.setattr("backend.engine.model_cache.load", lambda entry, **_: deep_model)
    engine = LocalEngine(settings_for(extra_models=(str(deep_model.entry.directory),)))
    yield engine
    engine.close()


QUESTION = StreamRequest(request=1, model="deep", text="a slow reader")


def test_a_run_is_at_most_so_many_frames_ahead_of_a_slow_reader(
    engine: LocalEngine, deep_model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "MESSAGES_AHEAD", 2)
    entered: list[int] = []
    hooks = [
        layer.register_forward_pre_hook(lambda *_, number=number: entered.append(number))
        for number, layer in enumerate(deep_model.network.encoder.layer)  # type: ignore[union-attr,arg-type]
    ]

    async def read() -> list[int]:
        ahead, frames = [], 0
        async for event in engine.stream(stream_run, QUESTION):
            frames += isinstance(event, bytes)
            await asyncio.sleep(0.05)  # slow, and time enough to run on where nothing holds it
            ahead.append(len(entered) - frames)
        return ahead

    ahead = asyncio.run(read())
    for hook in hooks:
        hook.remove()
    assert entered == list(range(6))
    # Two in the channel, one that waits to get in, and one that is being read.
    assert max(ahead) <= 4


def test_leaving_a_stream_early_stops_its_run(engine: LocalEngine) -> None:
    async def read() -> list[Any]:
        events = []
        async with aclosing(engine.stream(stream_run, QUESTION)) as stream:
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
        events = [event async for event in engine.stream(stream_run, request)]
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
        async for _ in engine.stream(stream_run, QUESTION):
            pass

    try:
        with pytest.raises(ZeroDivisionError):
            asyncio.run(read())
    finally:
        hook.remove()


def test_a_stream_that_nobody_reads_holds_no_slot(
    deep_model: LoadedModel, settings_for: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two readers stop at the first message: with two slots, a third question is answered."""
    monkeypatch.setattr("backend.engine.model_cache.load", lambda entry, **_: deep_model)
    monkeypatch.setattr(local, "MESSAGES_AHEAD", 1)
    engine = LocalEngine(
        settings_for(extra_models=(str(deep_model.entry.directory),), workers=2, cache_mb=0)
    )

    async def ask_third() -> int:
        unread = [engine.stream(stream_run, QUESTION) for _ in range(2)]
        try:
            for stream in unread:
                assert isinstance(await anext(stream), StreamStart)
            request = HeadsRequest(model="deep", text="not held up")
            answer = await asyncio.wait_for(engine.run(measure_heads, request), PATIENCE)
            return len(answer.heads)
        finally:
            for stream in unread:
                await stream.aclose()

    try:
        assert asyncio.run(ask_third()) == 24
    finally:
        engine.close()


def test_a_reader_that_takes_nothing_is_given_up_after_a_while(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "MESSAGES_AHEAD", 1)
    monkeypatch.setattr(local, "SLOW_READER_SECONDS", 0.05)
    ended = threading.Event()

    def observed(
        session: Session, request: StreamRequest, emit: Callable[[StreamEvent], None]
    ) -> None:
        try:
            stream_run(session, request, emit)
        finally:
            ended.set()

    async def read() -> int:
        stream, n_read = engine.stream(observed, QUESTION), 1
        assert isinstance(await anext(stream), StreamStart)
        assert await asyncio.to_thread(ended.wait, PATIENCE)
        async for _ in stream:
            n_read += 1
            assert n_read <= 3
        return n_read

    with pytest.raises(SlowReader, match="read the stream to its end"):
        asyncio.run(read())


def check_until_cancelled(session: Session, started: threading.Event) -> None:
    started.set()
    pause = threading.Event()
    while not pause.wait(0.001):
        session.check()


def test_a_cancelled_job_stops_at_its_next_check(engine: LocalEngine) -> None:
    stopped = threading.Event()

    def observed(session: Session, started: threading.Event) -> None:
        try:
            check_until_cancelled(session, started)
        except Cancelled:
            stopped.set()
            raise

    async def ask() -> None:
        started = threading.Event()
        asking = asyncio.create_task(engine.run(observed, started))
        assert await asyncio.to_thread(started.wait, PATIENCE)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await asyncio.to_thread(stopped.wait, PATIENCE)

    asyncio.run(ask())


def test_closing_the_engine_stops_every_job(engine: LocalEngine) -> None:
    async def ask() -> None:
        started = [threading.Event() for _ in range(4)]
        asking = [asyncio.create_task(engine.run(check_until_cancelled, it)) for it in started]
        for event in started:
            assert await asyncio.to_thread(event.wait, PATIENCE)
        engine.close()
        answers = await asyncio.wait_for(asyncio.gather(*asking, return_exceptions=True), PATIENCE)
        assert [type(answer) for answer in answers] == [Cancelled] * 4

    asyncio.run(ask())


def test_a_job_that_still_waits_for_a_thread_when_the_engine_closes_is_not_run(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_room", asyncio.Semaphore(1))

    async def ask() -> None:
        first, second = threading.Event(), threading.Event()
        asking = [
            asyncio.create_task(engine.run(check_until_cancelled, it)) for it in (first, second)
        ]
        assert await asyncio.to_thread(first.wait, PATIENCE)
        assert not second.is_set()
        engine.close()
        answers = await asyncio.wait_for(asyncio.gather(*asking, return_exceptions=True), PATIENCE)
        assert [type(answer) for answer in answers] == [Cancelled] * 2
        assert not second.is_set()

    asyncio.run(ask())


def test_the_thread_of_a_job_ends_with_it(engine: LocalEngine) -> None:
    def name_thread(_: Session, __: None) -> threading.Thread:
        return threading.current_thread()

    thread = asyncio.run(engine.run(name_thread, None))
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_light_jobs_do_not_wait_for_those_that_run_models(
    engine: LocalEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        started = threading.Event()
        asking = [
            asyncio.create_task(engine.run(check_until_cancelled, started))
            for _ in range(2 * local.MAX_THREADS)
        ]
        assert await asyncio.to_thread(started.wait, PATIENCE)
        health = await asyncio.wait_for(engine.run(check_health, None), PATIENCE)
        assert health.status == "ok"
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    asyncio.run(ask())


class CopyingEngine(LocalEngine):
    """Copies whatever goes in and out, as an engine in another process would."""

    async def run(self, job: Any, request: Any) -> Any:  # noqa: ANN401
        job, request = pickle.loads(pickle.dumps((job, request)))
        return pickle.loads(pickle.dumps(await super().run(job, request)))

    async def stream(self, job: Any, request: Any) -> AsyncGenerator[Any, None]:  # noqa: ANN401
        job, request = pickle.loads(pickle.dumps((job, request)))
        async for event in super().stream(job, request):
            yield pickle.loads(pickle.dumps(event))


def test_jobs_requests_and_answers_can_go_to_another_process(
    settings_for: Callable[..., Settings],
) -> None:
    app = create_app(settings_for(), CopyingEngine)
    with TestClient(app, "http://127.0.0.1:8000") as client:
        for name in QUESTIONS:
            assert ask(client, name)
        for socket in ("stream", "generate"):
            talk(client, socket)
        question = {"model": "headscope-tiny", "text": "abcabc"}
        assert client.post(f"http://{API}/snapshot", json=question).status_code == 200
        assert client.get(f"http://{API}/config").status_code == 200
