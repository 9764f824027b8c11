"""Analyses a second for eight clients at once, against the bare model's passes in one process.

The clients share one engine, as in the server, and read the events as its socket would send them.
The bare model runs in as many threads as the engine has slots, which share the cores.
"""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from time import perf_counter

import torch

from backend.engine.local import LocalEngine
from backend.settings import Settings
from backend.stream.jobs import stream_run
from backend.stream.schemas import StreamDone, StreamRequest
from benchmarks.analysis import NAMES
from benchmarks.measure import Row
from benchmarks.models import model_directory, text_of
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.text.tokenization import tokenize
from mha_core.text.tokens import TokenizedText

N_CLIENTS = 8
N_TOKENS = 128
LEAST_SHARE = 0.75
TEXTS_EACH = 3
ROUNDS = 5


def rows() -> Iterator[Row]:
    """One row for each family."""
    for family, name in NAMES.items():
        with model_directory(family) as directory:
            model = load(entry_for(str(directory)), models_dir=directory.parent, hub=False)
            settings = Settings(extra_models=(str(directory),), cache_mb=0, hub=False)
            request = StreamRequest(request=1, model=directory.name, text=text_of(N_TOKENS))
            yield compare_throughput(model, settings, request, ROUNDS, name)


def compare_throughput(
    model: LoadedModel, settings: Settings, request: StreamRequest, rounds: int, name: str
) -> Row:
    """Alternate rounds of clients and of the bare model, after one of each that is not counted."""
    tokenized = tokenize(model.tokenizer, request.text)
    engine = LocalEngine(settings)
    ours, floor = [], []
    try:
        for _ in range(rounds + 1):
            ours.append(analyses_per_second(engine, request))
            floor.append(passes_per_second(model, tokenized, settings.workers))
    finally:
        engine.close()
    share = median(a / b for a, b in zip(ours[1:], floor[1:], strict=True))
    return Row(
        f"{N_CLIENTS} clients at once against the bare model in one process: "
        f"{name}, {len(tokenized.tokens)} tokens",
        f"{share:.0%} of its throughput ({median(ours[1:]):.1f} against "
        f"{median(floor[1:]):.1f} texts a second)",
        f"at least {LEAST_SHARE:.0%}",
        share >= LEAST_SHARE,
    )


def analyses_per_second(engine: LocalEngine, request: StreamRequest) -> float:
    """Of clients who each ask one text after another."""

    async def ask() -> None:
        for _ in range(TEXTS_EACH):
            last = None
            async for event in engine.stream(stream_run, request):
                last = event
                if not isinstance(event, bytes):
                    event.model_dump_json()
            assert isinstance(last, StreamDone)

    async def ask_all() -> None:
        await asyncio.gather(*(ask() for _ in range(N_CLIENTS)))

    began = perf_counter()
    asyncio.run(ask_all())
    return N_CLIENTS * TEXTS_EACH / (perf_counter() - began)


def passes_per_second(model: LoadedModel, tokenized: TokenizedText, n_threads: int) -> float:
    """Of the bare model, in threads that share the cores."""
    cores = max(1, torch.get_num_threads() // n_threads)
    n_passes = N_CLIENTS * TEXTS_EACH

    def run(_: int) -> None:
        torch.set_num_threads(cores)
        model.forward(tokenized)

    began = perf_counter()
    with ThreadPoolExecutor(n_threads) as threads:
        list(threads.map(run, range(n_passes)))
    return n_passes / (perf_counter() - began)
