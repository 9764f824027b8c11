"""The work behind every answer, done in the calling thread: load, tokenize, run, derive.

Any number of threads may call at once; `workers` of them run a model at a time. This file must
not know HTTP or the event loop.
"""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from backend.analyses import Analyses
from backend.descriptions import model_info, overview_frame, provenance, stream_start, tokens_out
from backend.errors import TooManyCells, UnknownAnalysis
from backend.schemas import (
    AttentionRequest,
    ModelInfo,
    Provenance,
    StreamDone,
    StreamProgress,
    StreamRequest,
    StreamStart,
    TextRequest,
    Timing,
    TokenOut,
)
from backend.settings import Settings
from backend.shelf import Shelf
from backend.stopwatch import Stopwatch
from mha_core.analysis import Analysis, Subject, analyse, check_heads, check_length
from mha_core.errors import OutOfMemory, PairNotSupported, TextTooLong
from mha_core.loading import LoadedModel, Progress
from mha_core.overview import LayerOverview, OverviewOutbox
from mha_core.tap import LayerCapture, Site, Watcher
from mha_core.tokens import TokenizedText, tokenize

StreamEvent = StreamProgress | StreamStart | StreamDone | bytes

SECONDS_BETWEEN_CHECKS = 0.1


@dataclass(frozen=True)
class Attention:
    """Maps and where they come from."""

    provenance: Provenance
    layers: list[int]
    heads: list[int]
    values: NDArray[np.float32]  # [layers, heads, queries, keys]
    causal: bool  # queries see no later key
    timing: Timing


@dataclass(frozen=True)
class Question:
    """A request whose model is loaded and whose text is tokenized and within the limits."""

    request: TextRequest
    model: LoadedModel
    subject: Subject
    watch: Stopwatch


def _go_on() -> None:
    """The check of work that somebody always waits for."""


class Runner:
    """Loaded models, kept analyses and the right to run."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._shelf = Shelf(settings)
        self._analyses = Analyses(settings.cache_mb * 1_000_000)
        self._workers = threading.Semaphore(settings.workers)

    def close(self) -> None:
        """Stop what is being fetched or loaded."""
        self._shelf.close()

    def loaded(self) -> list[str]:
        """Ids of the models in memory."""
        return self._shelf.loaded()

    def models(self) -> list[ModelInfo]:
        """Every model there is, usable or not."""
        return [model_info(mark, self._settings.max_tokens) for mark in self._shelf.marks()]

    def tokens(self, request: TextRequest) -> list[TokenOut]:
        """The tokens of a text."""
        return tokens_out(self._question(request).subject.tokenized)

    def attention(self, request: AttentionRequest, max_cells: int | None) -> Attention:
        """The maps of a text; raises TooManyCells rather than computing more than `max_cells`."""
        question = self._question(request)
        subject, shape = question.subject, question.model.shape
        check_heads(shape, request.layers, request.heads)
        layers = list(request.layers or range(shape.n_layers))
        heads = list(request.heads or range(shape.n_heads))
        _check_cells(len(layers) * len(heads) * subject.n_tokens**2, max_cells)
        with _memory_told(subject):
            analysis = self._analyses.get(subject.id) or self._run(question)
            return self._maps(analysis, layers, heads, question.watch)

    def head(self, analysis_id: str, layer: int, head: int, max_cells: int | None) -> Attention:
        """One map of an earlier analysis, computed again where it is no longer kept."""
        analysis, watch = self._analyses.get(analysis_id), Stopwatch()
        if analysis is None:
            request = self._analyses.request(analysis_id)
            if request is None:
                raise UnknownAnalysis.of(analysis_id)
            question = self._question(request)
            with _memory_told(question.subject):
                analysis, watch = self._run(question), question.watch
        check_heads(analysis.shape, [layer], [head])
        _check_cells(analysis.n_tokens**2, max_cells)
        with _memory_told(analysis):
            return self._maps(analysis, [layer], [head], watch)

    def stream(
        self,
        request: StreamRequest,
        emit: Callable[[StreamEvent], None],
        check: Callable[[], None],
    ) -> None:
        """Emit progress, start, a frame a layer, done; `check` raises when nobody wants it."""

        def progress(message: str, done: int, total: int) -> None:
            check()
            number = request.request
            emit(StreamProgress(request=number, message=message, done=done, total=total))

        question = self._question(request, progress)
        subject = question.subject
        emit(stream_start(request.request, subject))

        def send(layer: LayerOverview) -> None:
            question.watch.frame()
            emit(overview_frame(layer, causal=subject.causal))

        outbox, shown = OverviewOutbox(send), set[Site]()

        def show(capture: LayerCapture, pattern: torch.Tensor) -> None:
            check()
            if capture.site not in shown:  # a second try after too little memory starts anew
                outbox.put(capture, pattern)
                shown.add(capture.site)

        analysis = self._analyses.get(subject.id)
        with _memory_told(subject):
            if analysis is None:
                self._run(question, show, check)
            else:
                with torch.inference_mode():
                    for capture in analysis.layers:
                        show(capture, capture.pattern())
            outbox.close()
        emit(StreamDone(request=request.request, id=subject.id, timing=question.watch.timing()))

    def _question(self, request: TextRequest, progress: Progress | None = None) -> Question:
        watch = Stopwatch()
        with watch.lap("load"):
            model = self._shelf.get(request.model, progress)
        with watch.lap("tokenize"):
            tokenized = self._tokenize(model, request)
        return Question(request, model, Subject.of(model, tokenized), watch)

    def _tokenize(self, model: LoadedModel, request: TextRequest) -> TokenizedText:
        n_characters = len(request.text) + len(request.text_pair or "")
        limit = self._settings.max_characters
        if n_characters > limit:
            raise TextTooLong(
                f"The text has {n_characters:,} characters and the limit is {limit:,}: shorten it.",
                n_characters=n_characters,
                max_characters=limit,
            )
        if request.text_pair is not None and model.shape.kind != "encoder":
            raise PairNotSupported(
                f"{model.entry.name} takes one text: leave out `text_pair`, or choose an encoder.",
                model=model.entry.id,
            )
        tokenized = tokenize(model.tokenizer, request.text, request.text_pair)
        check_length(tokenized, min(self._settings.max_tokens, model.shape.max_tokens))
        return tokenized

    def _maps(
        self, analysis: Analysis, layers: list[int], heads: list[int], watch: Stopwatch
    ) -> Attention:
        n = analysis.n_tokens
        with self._turn(watch):
            values = np.empty((len(layers), len(heads), n, n), np.float32)
            for row, layer in enumerate(layers):
                values[row] = analysis.patterns(layer, heads).numpy()
        described = provenance(analysis)
        return Attention(described, layers, heads, values, analysis.causal, watch.timing())

    def _run(
        self,
        question: Question,
        show: Watcher | None = None,
        check: Callable[[], None] = _go_on,
    ) -> Analysis:
        with self._turn(question.watch, check), question.watch.lap("forward"):
            analysis = self._analyse(question, show)
        self._analyses.keep(question.request, analysis)
        return analysis

    def _analyse(self, question: Question, show: Watcher | None) -> Analysis:
        """Run the model; where memory is short, once more without what can be computed again."""
        try:
            return analyse(question.model, question.subject.tokenized, show)
        except (RuntimeError, MemoryError) as error:
            if not _is_out_of_memory(error):
                raise
        # Past the `except`, where the error would keep the tensors of the failed run alive.
        self._analyses.clear()
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        return analyse(question.model, question.subject.tokenized, show)

    @contextmanager
    def _turn(self, watch: Stopwatch, check: Callable[[], None] = _go_on) -> Iterator[None]:
        """Wait for one of the workers' places, giving up when nobody wants the answer."""
        with watch.lap("queue"):
            while not self._workers.acquire(timeout=SECONDS_BETWEEN_CHECKS):
                check()
        try:
            yield
        finally:
            self._workers.release()


def _check_cells(cells: int, max_cells: int | None) -> None:
    if max_cells is not None and cells > max_cells:
        raise TooManyCells.of(cells, max_cells)


@contextmanager
def _memory_told(subject: Subject) -> Iterator[None]:
    """Want of memory as an error of its own, whatever torch or numpy call it."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not _is_out_of_memory(error):
            raise
        raise OutOfMemory(
            f"There is not enough memory on {subject.device} for {subject.n_tokens} tokens: "
            f"shorten the text, or choose fewer heads or a smaller model.",
            device=subject.device,
            n_tokens=subject.n_tokens,
            cause=str(error).partition("\n")[0],
        ) from error


def _is_out_of_memory(error: Exception) -> bool:
    """Torch has a class for it on accelerators; on the CPU only the words tell."""
    words = ("not enough memory", "can't allocate memory")
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or any(
        word in str(error) for word in words
    )
