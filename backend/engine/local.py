"""The engine: what the routes rely on to get answers without ever blocking the event loop.

`LocalEngine` does the work in threads of this process. This file must not know HTTP.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from backend import __version__
from backend.atlas.jobs import Atlases
from backend.attention.jobs import Attention, Runner
from backend.compare.jobs import CompareRunner
from backend.compare.schemas import CompareRequest, CompareResponse
from backend.engine.channel import Pipe
from backend.engine.session import Runs
from backend.figures.jobs import Charts
from backend.figures.schemas import FigureRequest
from backend.generate.jobs import GenerationRunner
from backend.generate.schemas import GenerateEvent, GenerateRequest, NextRequest, NextResponse
from backend.heads.jobs import HeadRunner
from backend.heads.schemas import EdgesRequest, EdgesResponse, HeadsResponse
from backend.maps.jobs import MapRunner, OneMap
from backend.maps.schemas import MapRequest, QueryKeyRequest, QueryKeyResponse
from backend.settings import Settings
from backend.snapshot.jobs import Snapshot, SnapshotRunner
from backend.snapshot.schemas import SnapshotRequest
from backend.stream.schemas import StreamEvent, StreamRequest
from backend.wire.schemas import AttentionRequest, Health, ModelInfo, TextRequest, TokenOut
from mha_core.errors import Cancelled
from mha_core.models.device import resolve_device
from mha_core.stacks import StackName

T = TypeVar("T")
Json = dict[str, Any]

MESSAGES_AHEAD = 16
"""Messages a run may be ahead of a slow reader: a frame and its metrics a layer."""

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
        self,
        analysis_id: str,
        layer: int,
        head: int,
        stack: StackName | None = None,
        max_cells: int | None = None,
    ) -> Attention:
        """One map of an earlier analysis, computed again where it is no longer kept."""

    async def heads(self, request: TextRequest) -> HeadsResponse:
        """Every metric of every head on a text."""

    async def edges(self, request: EdgesRequest) -> EdgesResponse:
        """All heads, ranked by one link of a text."""

    async def map(self, request: MapRequest, max_cells: int | None = None) -> OneMap:
        """A head's map, or one made of many; raises TooManyCells as `attention` does."""

    async def query_key(
        self, request: QueryKeyRequest, max_cells: int | None = None
    ) -> QueryKeyResponse:
        """The steps behind one weight of one head."""

    async def compare(self, request: CompareRequest) -> CompareResponse:
        """Two texts or two models, token by token and head by head."""

    async def atlas(self, model_id: str) -> Json:
        """What a corpus showed of a model's heads; raises NoAtlas."""

    async def similarity(self, model_id: str) -> Json:
        """How alike a model's heads look; raises NoAtlas."""

    async def figure(self, request: FigureRequest) -> Json:
        """A chart of all heads of a model, as Plotly's JSON."""

    async def snapshot(self, request: SnapshotRequest) -> Snapshot:
        """An analysis as one HTML file."""

    async def next_tokens(self, request: NextRequest) -> NextResponse:
        """What a causal model expects after a text."""

    def stream(self, request: StreamRequest) -> AsyncGenerator[StreamEvent, None]:
        """Progress, start, a frame and its metrics a layer, done; closing it cancels the run."""

    def generate(self, request: GenerateRequest) -> AsyncGenerator[GenerateEvent, None]:
        """Progress, start, a token and its rows a step, done; closing it cancels the run."""

    def close(self) -> None:
        """Let go of the threads."""


class LocalEngine:
    """Runs models in this process; safe for any number of callers at once."""

    def __init__(self, settings: Settings) -> None:
        self._dtype = settings.dtype
        self._device = str(resolve_device(settings.device))
        self._runs = Runs(settings)
        self._runner, self._heads = Runner(self._runs), HeadRunner(self._runs)
        self._generation = GenerationRunner(self._runs)
        self._maps = MapRunner(self._runs)
        self._compare = CompareRunner(self._runs)
        self._atlases = Atlases(self._runs)
        self._charts = Charts(self._runs)
        self._snapshots = SnapshotRunner(self._runs, self._atlases)
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="headscope")

    def health(self) -> Health:
        """At once: nothing here waits for a thread."""
        return Health(
            version=__version__,
            device=self._device,
            dtype=self._dtype,
            loaded=self._runs.shelf.loaded(),
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
        self,
        analysis_id: str,
        layer: int,
        head: int,
        stack: StackName | None = None,
        max_cells: int | None = None,
    ) -> Attention:
        """Derives the map from a kept run, or runs again."""
        return await self._in_thread(
            lambda: self._runner.head(analysis_id, layer, head, stack, max_cells)
        )

    async def heads(self, request: TextRequest) -> HeadsResponse:
        """Measures the maps of a kept run, or runs the model."""
        return await self._in_thread(lambda: self._heads.heads(request))

    async def edges(self, request: EdgesRequest) -> EdgesResponse:
        """Ranks the heads of a kept run, or runs the model."""
        return await self._in_thread(lambda: self._heads.edges(request))

    async def map(self, request: MapRequest, max_cells: int | None = None) -> OneMap:
        """Derives the map from a kept run, or runs the model."""
        return await self._in_thread(lambda: self._maps.map(request, max_cells))

    async def query_key(
        self, request: QueryKeyRequest, max_cells: int | None = None
    ) -> QueryKeyResponse:
        """Derives the steps from a kept run, or runs the model."""
        return await self._in_thread(lambda: self._maps.query_key(request, max_cells))

    async def compare(self, request: CompareRequest) -> CompareResponse:
        """Holds two kept runs against each other, or runs the models."""
        return await self._in_thread(lambda: self._compare.compare(request))

    async def atlas(self, model_id: str) -> Json:
        """Reads the atlas from its file."""
        return await self._in_thread(lambda: self._atlases.record(model_id))

    async def similarity(self, model_id: str) -> Json:
        """Reads the atlas from its file."""
        return await self._in_thread(lambda: self._atlases.similarity(model_id))

    async def figure(self, request: FigureRequest) -> Json:
        """Measures the heads, or reads their atlas, and draws."""
        return await self._in_thread(lambda: self._charts.figure(request))

    async def snapshot(self, request: SnapshotRequest) -> Snapshot:
        """Records a kept run, or runs the model, and packs the page."""
        return await self._in_thread(lambda: self._snapshots.snapshot(request))

    async def next_tokens(self, request: NextRequest) -> NextResponse:
        """Runs the model up to the last token."""
        return await self._in_thread(lambda: self._generation.next_tokens(request))

    def stream(self, request: StreamRequest) -> AsyncGenerator[StreamEvent, None]:
        """Runs the model once, a layer after the other."""
        return self._told(lambda emit, check: self._runner.stream(request, emit, check))

    def generate(self, request: GenerateRequest) -> AsyncGenerator[GenerateEvent, None]:
        """Runs the model for each token."""
        return self._told(lambda emit, check: self._generation.generate(request, emit, check))

    async def _told(
        self, work: Callable[[Callable[[T], None], Callable[[], None]], None]
    ) -> AsyncGenerator[T, None]:
        """What work in a thread has to tell; it is at most MESSAGES_AHEAD ahead of the reader."""
        pipe: Pipe[T] = Pipe(MESSAGES_AHEAD)

        def run() -> None:
            try:
                work(pipe.put, pipe.check)
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
        self._runs.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _in_thread(self, work: Callable[[], T]) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work)
