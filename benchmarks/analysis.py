"""The whole analysis, from text to last frame, against the model's bare fused forward pass.

Also how early the first frame is sent.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from backend.engine.session import Resources, Session
from backend.settings import Settings
from backend.stream.jobs import stream_run
from backend.stream.schemas import StreamEvent, StreamRequest, StreamStart
from benchmarks.measure import Row, compare
from benchmarks.models import model_directory, text_of
from mha_core.models.catalogue import entry_for
from mha_core.models.loading import LoadedModel, load
from mha_core.text.tokenization import tokenize

# tokens: (largest allowed ratio to the bare forward pass, repeats)
TARGETS = {128: (1.15, 21), 512: (1.30, 11)}
FIRST_FRAME = 1 / 3
NAMES = {"bert": "BERT-base size", "gpt2": "GPT-2 size"}


class Recorder:
    """Collects the events of a stream in memory, with the times of start and first frame."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.started = self.first_frame = 0.0

    def __call__(self, event: StreamEvent) -> None:
        if isinstance(event, StreamStart):
            self.started = perf_counter()
        elif isinstance(event, bytes):
            self.first_frame = self.first_frame or perf_counter()
            self.frames.append(event)


def analysis_of(directory: Path) -> Callable[[str], Recorder]:
    """A function that streams a text as the server does, with no cache between calls."""
    settings = Settings(extra_models=(str(directory),), cache_mb=0, hub=False)
    session = Session(Resources(settings))

    def run(text: str) -> Recorder:
        recorder = Recorder()
        request = StreamRequest(request=1, model=directory.name, text=text)
        stream_run(session, request, recorder)
        return recorder

    return run


def rows() -> Iterator[Row]:
    for family, name in NAMES.items():
        with model_directory(family) as directory:
            model = load(entry_for(str(directory)), models_dir=directory.parent, hub=False)
            run = analysis_of(directory)
            for n_tokens, (target, repeats) in TARGETS.items():
                yield from at_length(model, run, n_tokens, target, repeats, name)


def at_length(
    model: LoadedModel,
    run: Callable[[str], Recorder],
    n_tokens: int,
    target: float,
    repeats: int,
    name: str,
) -> Iterator[Row]:
    """One model at one length: a row for the whole analysis, one for the first frame."""
    text = text_of(n_tokens)
    tokenized = tokenize(model.tokenizer, text)
    assert len(tokenized.tokens) == n_tokens
    recorders: list[Recorder] = []
    comparison = compare(
        lambda: recorders.append(run(text)), lambda: model.forward(tokenized), repeats
    )
    assert all(len(recorder.frames) == model.architecture.n_layers for recorder in recorders)
    yield Row(
        f"whole analysis against the bare forward pass: {name}, {n_tokens} tokens",
        f"{comparison.ratio:.2f}x ({comparison.times})",
        f"at most {target:.2f}x",
        comparison.ratio <= target,
    )
    waits = [recorder.first_frame - recorder.started for recorder in recorders]
    share = median(waits) / median(comparison.floor)
    yield Row(
        f"first frame leaves: {name}, {n_tokens} tokens",
        f"{share:.0%} into the forward pass",
        "before a third",
        share < FIRST_FRAME,
    )
